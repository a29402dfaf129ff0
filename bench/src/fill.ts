// Replaces what stands between `<!-- name: begin -->` and `<!-- name: end -->` on a page of the guide.
import { readFileSync, writeFileSync } from 'node:fs';

export const GUIDE = new URL('../../docs/guide/', import.meta.url);

export function fill(page: string, name: string, text: string): void {
  const [head, , tail] = partsOf(page, name);
  writeFileSync(new URL(page, GUIDE), `${head}\n${text}\n${tail}`);
}

/** What stands there now. */
export function filled(page: string, name: string): string {
  return partsOf(page, name)[1].slice(1, -1);
}

/** Before the text, itself, and after it; the marks are with the first and the last. */
function partsOf(page: string, name: string): [string, string, string] {
  const text = readFileSync(new URL(page, GUIDE), 'utf8');
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end, from);
  if (from < begin.length || to < 0) throw new Error(`${page} has no marks for "${name}"`);
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
}
