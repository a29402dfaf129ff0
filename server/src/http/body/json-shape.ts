// How many values a JSON text contains, before it is parsed: `[[],[],…` or an object with many names takes many times its
// bytes in memory, and the latter seconds to parse.
/** Values side by side in what is parsed whole. */
const MAX_VALUES = 1_000_000;
/** 64 MiB of the shortest real addresses stay below. */
export const MAX_ADDRESSES_SENT = 10_000_000;
const MAX_CONTAINERS = 1_000_000;
/** Names in objects, all objects together; a list has three. */
const MAX_NAMES = 100_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** Longer strings are searched for their end in one go; shorter ones are faster gone through. */
const SHORT_STRING_BYTES = 32;

/** Counts commas, colons, brackets and braces outside strings; whether it is JSON at all is the parser's business. */
export function isTooManyValues(bytes: Buffer, maxValues = MAX_VALUES): boolean {
  let values = 0;
  let containers = 0;
  let names = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at + 1);
    } else if (byte === COMMA) {
      if (++values > maxValues) return true;
    } else if (byte === COLON) {
      if (++names > MAX_NAMES) return true;
    } else if (byte === BRACKET || byte === BRACE) {
      if (++containers > MAX_CONTAINERS) return true;
    }
  }
  return false;
}

/** Where the string's closing quote is; the text's end where there is none. */
export function endOfString(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    for (const stop = at + SHORT_STRING_BYTES; at < stop; at++) {
      if (bytes[at] === QUOTE || at >= bytes.length) return at;
      if (bytes[at] === BACKSLASH) at++;
    }
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0) return bytes.length;
    let backslashes = 0;
    while (quote - backslashes > at && bytes[quote - backslashes - 1] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote;
    at = quote + 1;
  }
}
