// A part in HTML → its lines of text, for bounces that say what happened in no other part. Pure, linear, never throws.
import { linesOf } from './decode-part.ts';

const BREAKS = /^\/?(?:br|p|div|tr|li|table|h[1-6]|blockquote|pre)\b/i;
const UNSEEN = /^(?:style|script|head|title)\b/i;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  nbsp: ' ',
  quot: '"',
};
const MAX_TAG_NAME_CHARS = 16;

export function htmlLines(lines: readonly string[]): readonly string[] {
  const html = lines.join('\n');
  const kept: string[] = [];
  let from = 0;
  while (from < html.length) {
    const open = html.indexOf('<', from);
    if (open < 0) break;
    kept.push(html.slice(from, open).replace(/[\s\u00a0]{1,64}/g, ' '));
    const close = html.indexOf('>', open);
    if (close < 0) return linesOf(withoutEntities(kept.join('')));
    const tag = html.slice(open + 1, open + 1 + MAX_TAG_NAME_CHARS);
    if (BREAKS.test(tag)) kept.push('\n');
    from = UNSEEN.test(tag) ? endOf(html, tag, close) : close + 1;
  }
  kept.push(html.slice(from));
  return linesOf(withoutEntities(kept.join('')));
}

/** Behind the end of an element that is not shown; of one that has none, behind its start. */
function endOf(html: string, tag: string, close: number): number {
  const name = /^[a-z]{1,8}/i.exec(tag)?.[0] ?? '';
  const end = html.indexOf(`</${name}`, close);
  return end < 0 ? close + 1 : end;
}

function withoutEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
