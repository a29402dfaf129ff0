// Where a body stops being JSON. JSON.parse has rejected it; its own message has the position in some cases only, and bytes of
// the body in others.

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
const BLANKS = oneOf(' \n\r\t');
const ESCAPED = oneOf('"\\/bfnrt');
const DIGITS = oneOf('0123456789');
const HEX_DIGITS = oneOf('0123456789abcdefABCDEF');
const EXPONENTS = oneOf('eE');
const SIGNS = oneOf('+-');
const LITERALS = ['true', 'false', 'null'].map((word) => Buffer.from(word));
const FIRST_PRINTABLE = 0x20;

type NextToken = 'value' | 'first_value' | 'name' | 'first_name' | 'colon' | 'comma';

/**
 * The first byte that cannot stand where it stands, counted from 0; the length where the text ends too early. Null: it is
 * JSON, or nested too deeply to say.
 */
export function findJsonError(bytes: Uint8Array): number | null {
  const closers: number[] = [];
  let at = 0;
  let next: NextToken = 'value';
  for (;;) {
    while (BLANKS[bytes[at]!] === 1) at++;
    const byte = bytes[at];
    const closer = closers.at(-1);
    if (byte === closer && closer !== undefined && next !== 'value' && next !== 'name' && next !== 'colon') {
      closers.pop();
      at++;
      next = 'comma';
    } else if (next === 'comma') {
      if (closer === undefined && byte === undefined) return null;
      if (closer === undefined || byte !== COMMA) return at;
      at++;
      next = closer === CLOSE_BRACE ? 'name' : 'value';
    } else if (next === 'colon') {
      if (byte !== COLON) return at;
      at++;
      next = 'value';
    } else if (next === 'name' || next === 'first_name') {
      const end = byte === QUOTE ? afterString(bytes, at) : ~at;
      if (end < 0) return ~end;
      at = end;
      next = 'colon';
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      if (closers.push(byte === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET) > MAX_DEPTH) return null;
      at++;
      next = byte === OPEN_BRACE ? 'first_name' : 'first_value';
    } else {
      const end = afterScalar(bytes, at);
      if (end < 0) return ~end;
      at = end;
      next = 'comma';
    }
  }
}

// Each of these gives the place behind what begins at `start`, or, negated by ~, that of the byte that does not fit.

function afterScalar(bytes: Uint8Array, start: number): number {
  if (bytes[start] === QUOTE) return afterString(bytes, start);
  for (const word of LITERALS) if (word[0] === bytes[start]) return afterWord(bytes, start, word);
  return afterNumber(bytes, start);
}

function afterString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; ; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === undefined || byte < FIRST_PRINTABLE) return ~at;
    if (byte !== BACKSLASH) continue;
    at++;
    const hexDigits = bytes[at] === LETTER_U ? 4 : 0;
    if (hexDigits === 0 && ESCAPED[bytes[at]!] !== 1) return ~at;
    for (const last = at + hexDigits; at < last; ) if (HEX_DIGITS[bytes[++at]!] !== 1) return ~at;
  }
}

function afterNumber(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start;
  at = bytes[at] === ZERO ? at + 1 : afterDigits(bytes, at);
  if (at >= 0 && bytes[at] === DOT) at = afterDigits(bytes, at + 1);
  if (at < 0 || EXPONENTS[bytes[at]!] !== 1) return at;
  return afterDigits(bytes, SIGNS[bytes[at + 1]!] === 1 ? at + 2 : at + 1);
}

function afterDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (DIGITS[bytes[at]!] === 1) at++;
  return at > start ? at : ~at;
}

function afterWord(bytes: Uint8Array, start: number, word: Buffer): number {
  for (let n = 1; n < word.length; n++) if (bytes[start + n] !== word[n]) return ~(start + n);
  return start + word.length;
}

function oneOf(letters: string): Uint8Array {
  const is = new Uint8Array(256);
  for (const letter of Buffer.from(letters)) is[letter] = 1;
  return is;
}
