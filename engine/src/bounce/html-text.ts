// A part in HTML → its lines of text, for bounces that say what happened in no other part. Pure, linear, never throws.
import { linesOf } from './decode-part.ts';

const BREAKS = /^\/?(?:br|p|div|tr|li|table|h[1-6]|blockquote|pre)\b/i;
const UNSEEN = /^(?:style|script|head|title)\b/i;
const END_OF_UNSEEN = /<\/(style|script|head|title)\b/gi;
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
  const ends = new EndTags(html);
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
    const unseen = UNSEEN.exec(tag)?.[0];
    // Of an element that is not shown and has no end, only the start is left out.
    from = (unseen === undefined ? null : ends.next(unseen, close)) ?? close + 1;
  }
  kept.push(html.slice(from));
  return linesOf(withoutEntities(kept.join('')));
}

/** Where the elements that are not shown end. All are found in one walk: a search for each start would take their square. */
class EndTags {
  /** By name, in lower case; the last one first. */
  readonly #ends = new Map<string, number[]>();

  constructor(html: string) {
    for (const { index, 1: name = '' } of html.matchAll(END_OF_UNSEEN)) {
      const ends = this.#ends.get(name.toLowerCase());
      if (ends === undefined) this.#ends.set(name.toLowerCase(), [index]);
      else ends.push(index);
    }
    for (const ends of this.#ends.values()) ends.reverse();
  }

  /** The first behind `from`, which only ever grows; null: there is none. */
  next(name: string, from: number): number | null {
    const ends = this.#ends.get(name.toLowerCase()) ?? [];
    while ((ends.at(-1) ?? from) < from) ends.pop();
    return ends.at(-1) ?? null;
  }
}

function withoutEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
