// The dialogue as evidence. Promise: lines are short, a session's shared lines fit in half of the 2 KiB an address
// may have, and no address stands in them but the one asked about and our own sender.
import type { DialogueLine, Reply } from '../../types.ts';

const SESSION_LINES_MAX = 10;
const SESSION_MAX_BYTES = 960;
const SESSION_TEXT_MAX_BYTES = 200;
/** A shorter line would not be worth reading. */
const SESSION_TEXT_MIN_BYTES = 16;
const OWN_TEXT_MAX_BYTES = 320;
/** JSON around a line's text: keys, quotes, a time. */
export const LINE_FRAME_BYTES = 46;

/** What may be a mailbox as a whole. Token by token: a pattern with `@` in its middle would try every start. */
const TOKEN = /[^\s<>()[\]:;,"']+/g;
const AT = 64;
const EQUALS = 61;
const DOT = 46;

/** Lines that all addresses of a session share, and what they take as JSON: counted once for all of them. */
export interface SharedLines {
  readonly lines: readonly DialogueLine[];
  readonly bytes: number;
}

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

/** Any other mailbox named in a text is left out: it is not the asker's to see. */
export function withoutMailboxes(text: string, own: string, ours = ''): string {
  const at = text.indexOf('@');
  if (at < 0) return text;
  // The usual case: one address, and it is the recipient's own.
  if (at === text.lastIndexOf('@') && own !== '' && isWhole(text, own)) return text;
  const known = [own.toLowerCase(), ours.toLowerCase()];
  return text.replace(TOKEN, (token) => {
    const start = mailboxStart(token);
    if (start < 0 || known.includes(token.slice(start).toLowerCase())) return token;
    return `${token.slice(0, start)}(address)`;
  });
}

/** Where what looks like a mailbox begins (`orcpt=anna@…` at the `a`): something before an `@`, something after it; -1: none. */
function mailboxStart(token: string): number {
  let start = 0;
  for (let i = 0; i < token.length - 1; i += 1) {
    const code = token.charCodeAt(i);
    if (code === EQUALS) start = i + 1;
    else if (code === AT && i > start) return start;
  }
  return -1;
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
