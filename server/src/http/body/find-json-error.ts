// Where a body stops being JSON, to be told to whoever wrote it. JSON.parse has decided that it is none; its own sentence
// has the position in some cases only, and bytes of the body in others.
import { isUtf8 } from 'node:buffer';

const MAX_DEPTH = 10_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LETTER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const BLANKS = new Set(Buffer.from(' \n\r\t'));
const ESCAPED = new Set(Buffer.from('"\\/bfnrt'));
const DIGITS = new Set(Buffer.from('0123456789'));
const HEX_DIGITS = new Set(Buffer.from('0123456789abcdefABCDEF'));
const EXPONENTS = new Set(Buffer.from('eE'));
const SIGNS = new Set(Buffer.from('+-'));
const LITERALS = ['true', 'false', 'null'].map((word) => Buffer.from(word));
const HEX_OF_ESCAPE = [0, 1, 2, 3];
const FIRST_PRINTABLE = 0x20;

type Next = 'value' | 'first_value' | 'name' | 'first_name' | 'colon' | 'comma';

/** For people; positions are those of the bytes sent. Undefined: nobody can say. */
export function whereNotJson(body: Buffer, markBytes: number): string | undefined {
  if (!isUtf8(body)) return 'not UTF-8';
  const at = findJsonError(body.subarray(markBytes));
  if (at === null) return undefined;
  const position = markBytes + at;
  return `unexpected ${position === body.length ? 'end' : 'byte'} at position ${position}`;
}

/**
 * The first byte that cannot stand where it stands, counted from 0; the length where the text ends too early. Null: it is
 * JSON, or nested too deeply to say.
 */
export function findJsonError(bytes: Uint8Array): number | null {
  const closers: number[] = [];
  let at = 0;
  let next: Next = 'value';

  // Each moves `at` behind what it takes. False: it stays at the byte that does not fit.
  function take(byte: number): boolean {
    if (bytes[at] !== byte) return false;
    at++;
    return true;
  }
  function takeSome(of: ReadonlySet<number>, most = Number.POSITIVE_INFINITY): boolean {
    const start = at;
    while (at - start < most && of.has(bytes[at]!)) at++;
    return at > start;
  }
  function takeString(): boolean {
    if (!take(QUOTE)) return false;
    while (!take(QUOTE)) {
      if (take(BACKSLASH)) {
        if (!(take(LETTER_U) ? HEX_OF_ESCAPE.every(() => takeSome(HEX_DIGITS, 1)) : takeSome(ESCAPED, 1)))
          return false;
      } else if (at === bytes.length || bytes[at]! < FIRST_PRINTABLE) return false;
      else at++;
    }
    return true;
  }

  function takeNumber(): boolean {
    take(MINUS);
    if (!take(ZERO) && !takeSome(DIGITS)) return false;
    if (take(DOT) && !takeSome(DIGITS)) return false;
    if (!takeSome(EXPONENTS, 1)) return true;
    takeSome(SIGNS, 1);
    return takeSome(DIGITS);
  }
  function takeScalar(): boolean {
    if (bytes[at] === QUOTE) return takeString();
    const word = LITERALS.find((one) => one[0] === bytes[at]);
    return word ? word.every(take) : takeNumber();
  }

  for (;;) {
    takeSome(BLANKS);
    const byte = bytes[at];
    const isFirst = next === 'first_value' || next === 'first_name';
    if (closers.length > 0 && byte === closers.at(-1) && (isFirst || next === 'comma')) {
      closers.pop();
      at++;
      next = 'comma';
    } else if (next === 'comma') {
      if (closers.length === 0) return at === bytes.length ? null : at;
      if (!take(COMMA)) return at;
      next = closers.at(-1) === CLOSE_BRACE ? 'name' : 'value';
    } else if (next === 'colon') {
      if (!take(COLON)) return at;
      next = 'value';
    } else if (next === 'name' || next === 'first_name') {
      if (!takeString()) return at;
      next = 'colon';
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      if (closers.push(byte === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET) > MAX_DEPTH) return null;
      at++;
      next = byte === OPEN_BRACE ? 'first_name' : 'first_value';
    } else {
      if (!takeScalar()) return at;
      next = 'comma';
    }
  }
}
