// The dialogue as evidence. Promise: lines are short, a session's shared lines fit in half of the 2 KiB an address
// may have, and no address stands in them but the one asked about, our own sender and nobody else's.
import type { DialogueLine, Reply } from '../types.ts';

const SESSION_LINES_MAX = 10;
const SESSION_MAX_BYTES = 760;
const SESSION_TEXT_MAX_BYTES = 200;
const OWN_TEXT_MAX_BYTES = 320;
/** JSON around a line's text: keys, quotes, a time. */
const LINE_FRAME_BYTES = 46;

/** Anything that looks like a mailbox; the domain part is what makes it one. */
const MAILBOX = /[^\s<>()[\]:;,"'=]+@[^\s<>()[\]:;,"']+/g;

/** Adds a shared line while there is room; the first lines of a session say most. */
export function sessionLine(lines: DialogueLine[], line: DialogueLine, own: readonly string[] = []): void {
  if (lines.length >= SESSION_LINES_MAX) return;
  let used = 0;
  for (const before of lines) used += LINE_FRAME_BYTES + jsonBytes(before.text);
  const room = Math.min(SESSION_TEXT_MAX_BYTES, SESSION_MAX_BYTES - used - LINE_FRAME_BYTES);
  if (room < 16) return;
  lines.push({ atMs: line.atMs, from: line.from, text: clip(withoutMailboxes(line.text, own), room) });
}

/** A line of one address's own dialogue; `own` may be named in it. */
export function ownLine(
  atMs: number,
  from: DialogueLine['from'],
  text: string,
  own: readonly string[],
): DialogueLine {
  return { atMs, from, text: clip(withoutMailboxes(text, own), OWN_TEXT_MAX_BYTES) };
}

export function replyWords(reply: Reply): string {
  return reply.lines.length === 1
    ? `${reply.code} ${reply.lines[0] ?? ''}`
    : `${reply.code} ${reply.lines.join(' / ')}`;
}

function withoutMailboxes(text: string, own: readonly string[]): string {
  if (!text.includes('@')) return text;
  return text.replace(MAILBOX, (found) => {
    const lower = found.toLowerCase();
    return own.some((one) => one !== '' && lower === one.toLowerCase()) ? found : '(address)';
  });
}

/** At most so many bytes of JSON, cut at a character. */
export function clip(text: string, maxBytes: number): string {
  // Nothing grows sixfold: short texts need no count.
  if (text.length * 6 + 2 <= maxBytes || jsonBytes(text) <= maxBytes) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (jsonBytes(text.slice(0, middle)) + 3 <= maxBytes) low = middle;
    else high = middle - 1;
  }
  return `${text.slice(0, low)}…`;
}

const PLAIN = /^[ !#-[\]-~]*$/;

export function jsonBytes(text: string): number {
  return PLAIN.test(text) ? text.length + 2 : Buffer.byteLength(JSON.stringify(text));
}
