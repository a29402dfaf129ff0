// The dialogue as evidence. Promise: lines are short, a session's shared lines fit in half of the 2 KiB an address
// may have, and no address stands in them but the one asked about and our own sender.

import type { DialogueLine, Reply } from '../types.ts';
import type { SharedLines } from './answer.ts';

const SESSION_LINES_MAX = 10;
const SESSION_MAX_BYTES = 960;
const SESSION_TEXT_MAX_BYTES = 200;
/** A shorter line would not be worth reading. */
const SESSION_TEXT_MIN_BYTES = 16;
const OWN_TEXT_MAX_BYTES = 320;
/** JSON around a line's text: keys, quotes, a time. */
export const LINE_FRAME_BYTES = 46;

/** What neither a local part without quotes nor a domain contains. */
const SEPARATOR = /[\s<>()[\]:;,"]/;
const OPENING_QUOTE = /(?<!\\)"/;
const DOT = 46;
/** As links have it. */
const ENCODED_AT = '%40';

export const NO_SHARED_LINES: SharedLines = { lines: [], bytes: 0 };

export class SessionLines implements SharedLines {
  readonly lines: DialogueLine[] = [];
  bytes = 0;

  /** Adds a line while there is room; the first lines of a session say most. */
  add(atMs: number, from: DialogueLine['from'], said: string, own = ''): void {
    if (this.lines.length >= SESSION_LINES_MAX) return;
    const room = Math.min(SESSION_TEXT_MAX_BYTES, SESSION_MAX_BYTES - this.bytes - LINE_FRAME_BYTES);
    if (room < SESSION_TEXT_MIN_BYTES) return;
    let text = withoutMailboxes(said, own);
    let bytes = jsonBytes(text);
    if (bytes > room) {
      text = clip(text, room);
      bytes = jsonBytes(text);
    }
    this.lines.push({ atMs, from, text });
    this.bytes += LINE_FRAME_BYTES + bytes;
  }
}

/** A reply in one address's own dialogue; the two may be named in it. */
export function replyLine(atMs: number, reply: Reply, own: string, ours: string): DialogueLine {
  const text = clip(withoutMailboxes(replyWords(reply), own, ours), OWN_TEXT_MAX_BYTES);
  return { atMs, from: 'server', text };
}

/** The question itself: our own words need no looking through. */
export function rcptLine(atMs: number, mailbox: string): DialogueLine {
  return { atMs, from: 'us', text: clip(`RCPT TO:<${mailbox}>`, OWN_TEXT_MAX_BYTES) };
}

export function replyWords(reply: Reply): string {
  return reply.said ?? `${reply.code} ${reply.lines.join(' / ')}`;
}

/** Any other mailbox named in a text is left out: it is not the asker's to see. In doubt too much is left out. */
export function withoutMailboxes(text: string, own: string, ours = ''): string {
  const encoded = text.lastIndexOf(ENCODED_AT);
  const last = text.lastIndexOf('@');
  if (last < 0 && encoded < 0) return text;
  // The usual case: one address, and it is the recipient's own.
  if (encoded < 0 && last === text.indexOf('@') && own !== '' && isWhole(text, own)) return text;
  return leaveOut(text, [own.toLowerCase(), ours.toLowerCase()], last, encoded);
}

/** From the last `@` to the first: a quoted local part may have others in it. No character is looked at more than twice. */
function leaveOut(text: string, known: readonly string[], lastAt: number, lastEncoded: number): string {
  const firstQuote = text.search(OPENING_QUOTE);
  let rest = '';
  /** From here on everything is in `rest`. */
  let done = text.length;
  for (let at = lastAt, encoded = lastEncoded; at >= 0 || encoded >= 0; ) {
    const isEncoded = encoded > at;
    const middle = isEncoded ? encoded : at;
    const behind = middle + (isEncoded ? ENCODED_AT.length : 1);
    const end = domainEnd(text, behind, done);
    const start = end > behind ? localStart(text, middle, firstQuote) : middle;
    if (start < middle && !known.includes(text.slice(start, end).toLowerCase())) {
      rest = `(address)${text.slice(end, done)}${rest}`;
      done = start;
    }
    const before = Math.min(start, middle - 1);
    if (at > before) at = before < 0 ? -1 : text.lastIndexOf('@', before);
    if (encoded > before) encoded = before < 0 ? -1 : text.lastIndexOf(ENCODED_AT, before);
  }
  return text.slice(0, done) + rest;
}

/** Where the local part in front of an `@` begins: at its opening quote, or behind what only quotes may contain. */
function localStart(text: string, at: number, firstQuote: number): number {
  const isQuoted = text.charAt(at - 1) === '"';
  if (isQuoted && firstQuote >= 0 && firstQuote < at - 1) {
    let quote = text.lastIndexOf('"', at - 2);
    while (quote > firstQuote && text.charAt(quote - 1) === '\\') quote = text.lastIndexOf('"', quote - 1);
    return quote;
  }
  let start = isQuoted ? at - 1 : at;
  while (start > 0 && !SEPARATOR.test(text.charAt(start - 1))) start -= 1;
  // A quotation mark, rather than the beginning of a name.
  return start < at && text.charAt(start) === "'" ? start + 1 : start;
}

/** Where the domain that begins here ends: a sentence may end behind it, or trail off as Sendmail's do. */
function domainEnd(text: string, from: number, limit: number): number {
  if (text.charAt(from) === '[') {
    const bracket = text.indexOf(']', from);
    if (bracket >= 0 && bracket < limit) return bracket + 1;
  }
  let end = from;
  while (end < limit && text.charAt(end) !== "'" && !SEPARATOR.test(text.charAt(end))) end += 1;
  while (end > from && text.charCodeAt(end - 1) === DOT) end -= 1;
  return end;
}

/** The address stands in the text as a whole, not as the end or the beginning of a longer one. */
function isWhole(text: string, address: string): boolean {
  const at = text.indexOf(address);
  if (at < 0 || (at > 0 && /[^\s<>()[\]:;,"'=]/.test(text.charAt(at - 1)))) return false;
  // A sentence may end behind it, or trail off as Sendmail's do.
  let end = at + address.length;
  while (text.charCodeAt(end) === DOT) end += 1;
  return end === text.length || /[\s<>()[\]:;,"']/.test(text.charAt(end));
}

/** At most so many bytes of JSON, cut at a character. */
export function clip(text: string, maxBytes: number): string {
  // Control characters and lone surrogates are gone by now, so nothing grows more than threefold.
  if (text.length * 3 + 2 <= maxBytes || jsonBytes(text) <= maxBytes) return text;
  let low = 0;
  // No character takes less than a byte.
  let high = Math.min(text.length, maxBytes);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (jsonBytes(text.slice(0, middle)) + 3 <= maxBytes) low = middle;
    else high = middle - 1;
  }
  return `${text.slice(0, isHighSurrogate(text.charCodeAt(low - 1)) ? low - 1 : low)}…`;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

const PLAIN = /^[ !#-[\]-~]*$/;

export function jsonBytes(text: string): number {
  return PLAIN.test(text) ? text.length + 2 : Buffer.byteLength(JSON.stringify(text));
}

/** For rules: `at 2030-01-01 00:03:05 UTC`. */
export function timeWords(atMs: number): string {
  return `at ${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
