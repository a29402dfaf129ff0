// One text, as an operator pastes it or a bounce quotes it → Reply. Accepts what a socket would have delivered
// (`550-5.1.1 a\r\n550 5.1.1 b`), the same without its line ends, and a sentence without a code (code 0).
import type { Reply } from '../types.ts';

/** A pasted bounce may be long; a reply is not. */
const MAX_TEXT_CHARS = 65_536;
const MAX_LINES = 100;

const CODE = /^[ \t]{0,4}([2-5]\d\d)(?:([ -])|$)/;
/** A code quoted inside other words: after a colon, an arrow or `error`, or before an enhanced code. */
const QUOTED_CODE =
  /(?:^|[\s'"(\]>)])(?:(?:said|error|reply|response|me|server|code|smtp;|<<<|->|:)[:\s]{0,3})([45]\d\d)(?=[ -])|\b([45]\d\d)[ -]['"]?(?=[45]\.\d{1,3}\.\d{1,3}\b)/i;
const ENHANCED_AT_START = /^[ \t]{0,4}(?:[2-5]\d\d[ -])? ?['"]?#?([245]\.\d{1,3}\.\d{1,3})(?![\d.])/;
/** qmail and IronPort put it in the text: `(#5.1.1)`. Its subject is 0 to 7: `Exim 4.96.2` is a version. */
const ENHANCED_INSIDE = /[(\s'"-]#?([245]\.[0-7]\.\d{1,3})(?![\d.])/;

export function replyFromText(text: string): Reply {
  const bounded = text.length > MAX_TEXT_CHARS ? text.slice(0, MAX_TEXT_CHARS) : text;
  const raw = rawLines(bounded.trim());
  const last = raw.findLast((line) => CODE.test(line)) ?? '';
  const code = Number(CODE.exec(last)?.[1] ?? quotedCode(bounded) ?? 0);
  const lines = raw.map((line) => line.replace(/^[ \t]{0,4}[2-5]\d\d(?:[ -]|$)/, ''));
  return { code, enhanced: enhancedOf(lines), lines };
}

/** RFC 3463 status of the last line that carries one: at its start, else anywhere in it. */
export function enhancedOf(lines: readonly string[]): string | null {
  for (const pattern of [ENHANCED_AT_START, ENHANCED_INSIDE]) {
    for (let i = Math.min(lines.length, MAX_LINES) - 1; i >= 0; i--) {
      const found = pattern.exec(lines[i] ?? '');
      if (found?.[1] !== undefined) return found[1];
    }
  }
  return null;
}

function rawLines(text: string): string[] {
  const lines = text.split(/\r?\n|\r/, MAX_LINES);
  const first = CODE.exec(lines[0] ?? '');
  if (lines.length > 1 || first?.[2] !== '-') return lines;
  // Line ends were lost: `550-5.1.1 a 550-5.1.1 b 550 5.1.1 c`. A greeting may end in a refusal: `220-hello 421 no`.
  const code = first[1] ?? '';
  const same = new RegExp(`\\s(?=${code}(?:-|\\s|$))`);
  const split = text.split(same, MAX_LINES);
  return code.startsWith('2') && split.length === 1 ? text.split(/\s(?=[45]\d\d\s)/, 2) : split;
}

function quotedCode(text: string): string | undefined {
  const found = QUOTED_CODE.exec(text);
  return found?.[1] ?? found?.[2];
}
