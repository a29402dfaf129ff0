// The JSON of a body, a piece at a time: short texts parsed whole take many times their bytes (ADR 0041).
// Promise: what it says is what JSON.parse would say, whatever the bytes, except that strings longer than any that
// is taken are cut; besides the bytes it takes memory for the addresses that count, for one piece, and for at most
// MAX_BESIDE_BYTES of what stands beside them.
import { isUtf8 } from 'node:buffer';
import { type CleanEmails, createCleaner } from '../../rules/clean-emails.ts';
import { endOfString, isTooManyValues } from './json-shape.ts';
import { whereNotJson } from './where-not-json.ts';

const PIECE_BYTES = 64 * 1024;
/** Parsed as it is: a piece and the element that ends it, whatever it is, take little. */
const SMALL_BYTES = 128 * 1024;
/** As much as a thread parses whole (body-pool.ts). */
const MAX_BESIDE_BYTES = 8 * 1024 * 1024;
/** Of strings: longer than any that is taken, each of its characters in two escapes. */
const LONG_BYTES = 32 * 1024;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const EMAILS = '"emails"';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LETTER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

type JsonRefusal = {
  readonly kind: 'refused';
  readonly why: 'invalid_json' | 'too_large';
  readonly detail?: string | undefined;
};

export interface ListJson {
  readonly kind: 'list';
  /** The body with an empty array for its addresses. */
  readonly beside: unknown;
  /** Of its last array of them; meaningless where `beside` has no array. */
  readonly emails: CleanEmails;
}

/** A byte order mark is forgiven; of a repeated name the last one counts. */
export function readJson(body: Uint8Array): { readonly kind: 'json'; readonly value: unknown } | JsonRefusal {
  return guarded(body, (bytes) => ({ kind: 'json', value: parsed(shortened(bytes)) }));
}

/** The same with long strings as they are, for bodies that may have one. */
export function readWholeJson(
  body: Uint8Array,
): { readonly kind: 'json'; readonly value: unknown } | JsonRefusal {
  return guarded(body, (bytes) => ({ kind: 'json', value: parsed(bytes) }));
}

/** The same for a body whose `emails` may be millions. */
export function readList(body: Uint8Array, pieceBytes = PIECE_BYTES): ListJson | JsonRefusal {
  return guarded(body, (bytes) => {
    const beside: Buffer[] = [];
    let besideFrom = 0;
    let cleaner = createCleaner();
    for (const { start, end, cuts } of arraysOfEmails(bytes, pieceBytes)) {
      beside.push(shortened(bytes.subarray(besideFrom, start)));
      besideFrom = end;
      cleaner = createCleaner();
      let from = start;
      for (const to of [...cuts, end]) {
        const elements = parsed(shortened(bytes.subarray(from, to)), '[', ']') as unknown[];
        // Nothing between two commas, or behind the last.
        if (elements.length === 0 && cuts.length > 0) throw new SyntaxError('an element is missing');
        cleaner.add(elements);
        from = to + 1;
      }
    }
    beside.push(shortened(bytes.subarray(besideFrom)));
    return { kind: 'list', beside: parsed(Buffer.concat(beside)), emails: cleaner.end() };
  });
}

class TooLargeError extends Error {}

function guarded<Read>(body: Uint8Array, read: (bytes: Buffer) => Read): Read | JsonRefusal {
  const whole = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const hasMark = whole.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  try {
    if (!isUtf8(whole)) throw new SyntaxError('not UTF-8');
    return read(hasMark ? whole.subarray(BYTE_ORDER_MARK.length) : whole);
  } catch (error) {
    if (error instanceof TooLargeError) return { kind: 'refused', why: 'too_large' };
    return {
      kind: 'refused',
      why: 'invalid_json',
      detail: whereNotJson(whole, hasMark ? BYTE_ORDER_MARK.length : 0),
    };
  }
}

function parsed(bytes: Buffer, before = '', after = ''): unknown {
  if (bytes.length > MAX_BESIDE_BYTES) throw new TooLargeError();
  if (bytes.length > SMALL_BYTES && isTooManyValues(bytes)) throw new TooLargeError();
  return JSON.parse(`${before}${bytes}${after}`);
}

/** The same JSON with long strings and long blanks cut, and not JSON where what was cut off was none. */
function shortened(bytes: Buffer): Buffer {
  if (bytes.length <= SMALL_BYTES) return bytes;
  const kept: Buffer[] = [];
  let from = 0;
  const cut = (start: number, end: number) => {
    kept.push(bytes.subarray(from, start));
    from = end;
  };
  for (let at = 0; at < bytes.length; at++) {
    const start = at;
    if (bytes[at] === QUOTE) {
      at = endOfString(bytes, at + 1);
      if (at - start > LONG_BYTES) cut(afterFirstSlice(bytes, start + 1, at), at);
    } else if (isBlank(bytes[at])) {
      while (isBlank(bytes[at + 1])) at++;
      if (at - start > LONG_BYTES) cut(start, at);
    }
  }
  return kept.length === 0 ? bytes : Buffer.concat([...kept, bytes.subarray(from)]);
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Where the first slice of a string ends; the others must be parts of a string. */
function afterFirstSlice(bytes: Buffer, start: number, end: number): number {
  const first = endOfSlice(bytes, start, end);
  for (let from = first; from < end; ) {
    const to = endOfSlice(bytes, from, end);
    JSON.parse(`"${bytes.subarray(from, to)}"`);
    from = to;
  }
  return first;
}

/** Not within an escape; within a character does no harm. */
function endOfSlice(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at - start < LONG_BYTES) at += bytes[at] !== BACKSLASH ? 1 : bytes[at + 1] === LETTER_U ? 6 : 2;
  return Math.min(at, end);
}

interface Elements {
  /** Behind the opening bracket. */
  readonly start: number;
  /** The closing one, or the end of the bytes. */
  readonly end: number;
  /** Commas between elements, where one piece ends and the next begins. */
  readonly cuts: readonly number[];
}

/**
 * The arrays that are values of `emails` in the outermost object. What is not JSON may lead it anywhere: then a piece or
 * the rest is not JSON either, since putting arrays back into the empty ones of JSON makes JSON.
 */
function* arraysOfEmails(bytes: Buffer, pieceBytes: number): Generator<Elements> {
  let depth = 0;
  let nameStart = 0;
  let nameEnd = 0;
  let isEmails = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfString(bytes, at + 1);
      if (depth === 1) {
        nameStart = at;
        nameEnd = end + 1;
      }
      at = end;
    } else if (byte === COLON) {
      if (depth === 1) isEmails = isNameOfEmails(bytes.subarray(nameStart, nameEnd));
    } else if (byte === OPEN_BRACKET && isEmails && depth === 1) {
      const elements = elementsFrom(bytes, at + 1, pieceBytes);
      yield elements;
      at = elements.end;
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1;
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
      depth -= 1;
    }
  }
}

/** A name may be written in escapes. */
function isNameOfEmails(name: Buffer): boolean {
  if (name.length > EMAILS.length * 6) return false;
  const text = name.toString();
  return text === EMAILS || (text.includes('\\') && `"${JSON.parse(text)}"` === EMAILS);
}

function elementsFrom(bytes: Buffer, start: number, pieceBytes: number): Elements {
  const cuts: number[] = [];
  let depth = 0;
  let pieceStart = start;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at + 1);
    } else if (byte === COMMA) {
      if (depth > 0 || at - pieceStart < pieceBytes) continue;
      cuts.push(at);
      pieceStart = at + 1;
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1;
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
      if (depth === 0) return { start, end: at, cuts };
      depth -= 1;
    }
  }
  return { start, end: bytes.length, cuts };
}
