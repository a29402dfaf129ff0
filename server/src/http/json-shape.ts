// How much JSON is in a text, before it is parsed: a few bytes of `[[],[],…` become many times as much memory.
/** 64 MiB of the shortest real addresses stay below. */
const MAX_VALUES = 10_000_000;
const MAX_CONTAINERS = 1_000_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** Counts commas, brackets and braces outside strings; whether it is JSON at all is the parser's business. */
export function isTooManyValues(bytes: Uint8Array): boolean {
  let values = 0;
  let containers = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
    } else if (byte === COMMA) {
      if (++values > MAX_VALUES) return true;
    } else if (byte === BRACKET || byte === BRACE) {
      if (++containers > MAX_CONTAINERS) return true;
    }
  }
  return false;
}
