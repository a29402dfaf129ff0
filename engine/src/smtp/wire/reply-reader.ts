// Bytes → SMTP replies, in whatever pieces TCP delivers them. Promise: the same bytes give the same replies
// under every fragmentation and are each looked at once; nothing grows without end (a reply of 64 KiB, of 100 lines, a
// line of 8 KiB are the most that is read, 2 KiB of text the most that is handed out); and bytes that are no SMTP end
// the reading with one sentence, after which nothing more is read.
import { detached } from '../../detach-string.ts';
import type { Reply } from '../../types.ts';

/** RFC 5321 gives a reply line 512 octets; servers in the field give more. */
const LINE_MAX_BYTES = 8 * 1024;
const REPLY_MAX_BYTES = 64 * 1024;
const REPLY_MAX_LINES = 100;
/** Of a reply's text; the longest refusal seen has 900 characters. What comes later is read over. */
export const REPLY_KEPT_BYTES = 2 * 1024;
/** `550-` */
const CODE_BYTES = 4;
/** `5.123.123` and the blank behind it: worth a look in every line, since the last one counts. */
const STATUS_BYTES = 12;
/** The bytes of one character in UTF-8 behind its first. */
const CONTINUATION_MAX_BYTES = 3;

const NEW_REPLY = /\r[2-5]\d\d(?:[ -]|$)/;
const ENHANCED = /^([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/;
const NOT_PLAIN = /[^\t\n\x20-\x7e]/;
const NOT_ASCII = /[\x80-\xff]/;
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/g;

/** A server says `250 2.1.0 Ok` a hundred thousand times; one object stands for all of them. */
const KEPT_MAX = 512;
const KEPT_MAX_CHARS = 64;
const kept = new Map<string, Reply>();

const CR = 13;
const DIGIT_0 = 48;
const DASH = 45;
const SPACE = 32;

export interface ReplyReaderEvents {
  reply(reply: Reply): void;
  /** Once; the reader is deaf from then on. */
  broken(why: string): void;
}

export class ReplyReader {
  readonly #events: ReplyReaderEvents;
  /** The beginning of a line whose end has not come. */
  #pending = '';
  /** How long it was when it was last put together. */
  #joinedBytes = 0;
  #lines: string[] = [];
  #lineCount = 0;
  #enhanced: string | null = null;
  #bytes = 0;
  #keptBytes = 0;
  #firstCode = 0;
  #deaf = false;

  constructor(events: ReplyReaderEvents) {
    this.#events = events;
  }

  /** Latin-1: one character a byte, so that every bound below counts bytes. */
  push(text: string): void {
    if (this.#deaf) return;
    let from = 0;
    for (;;) {
      const end = text.indexOf('\n', from);
      if (end < 0) break;
      const line =
        this.#pending === '' ? text.slice(from, lineEnd(text, from, end)) : this.#pendingTo(text, end);
      this.#pending = '';
      this.#line(line);
      // A reply may have told the session to stop listening: what follows STARTTLS in clear is not to be heard.
      if (this.#deaf) return;
      from = end + 1;
    }
    if (from < text.length) this.#wait(from === 0 ? text : text.slice(from));
  }

  /** Forgets what has come but was not yet read, and reads afresh: after STARTTLS nothing sent in clear counts. */
  restart(): void {
    this.#pending = '';
    this.#clear();
    this.#deaf = false;
  }

  /** Hears nothing more until `restart`. */
  stop(): void {
    this.#pending = '';
    this.#clear();
    this.#deaf = true;
  }

  /** A line that came in pieces. */
  #pendingTo(text: string, end: number): string {
    const line = this.#pending + text.slice(0, end);
    return line.slice(0, lineEnd(line, 0, line.length));
  }

  /** The rest of the line has not come. */
  #wait(piece: string): void {
    const isNew = this.#pending === '';
    const before = this.#pending.length;
    this.#pending += piece;
    // Its CR is no part of a line, and the LF may be all that is missing. Looked for in the piece: a look into what has
    // come so far would put that together, each time.
    if (this.#pending.length - (piece.endsWith('\r') ? 1 : 0) > LINE_MAX_BYTES) {
      this.#break('a reply line has no end');
      return;
    }
    if (before < CODE_BYTES && !startsLikeReply(this.#pending)) this.#break('these bytes are no SMTP reply');
    // Put together each time it has doubled: byte by byte it would else be a chain of thousands of strings.
    if (isNew) this.#joinedBytes = piece.length;
    else if (this.#pending.length >= 2 * this.#joinedBytes) {
      this.#pending = detached(this.#pending);
      this.#joinedBytes = this.#pending.length;
    }
  }

  #line(line: string): void {
    const { length } = line;
    const code = length >= 3 ? codeOf(line) : -1;
    const separator = length > 3 ? line.charCodeAt(3) : SPACE;
    if (code < 0 || (separator !== SPACE && separator !== DASH)) {
      this.#break('a line is no SMTP reply');
      return;
    }
    // Two replies run together by a lone CR would put every later one in its neighbour's place.
    if (line.includes('\r') && NEW_REPLY.test(line)) {
      this.#break('replies are not told apart');
      return;
    }
    // Codes of one reply may differ in detail, the last one is the answer; but yes and no in one breath is neither.
    if (this.#lineCount === 0) this.#firstCode = code;
    else if (Math.floor(code / 100) !== Math.floor(this.#firstCode / 100)) {
      this.#break('a reply contradicts itself');
      return;
    }
    this.#bytes += length;
    if (length > LINE_MAX_BYTES) {
      this.#break('a reply line is too long');
      return;
    }
    if (this.#bytes > REPLY_MAX_BYTES) {
      this.#break('a reply is over 64 KiB');
      return;
    }
    if (code < 300 && separator === SPACE && this.#lineCount === 0 && length <= KEPT_MAX_CHARS) {
      this.#bytes = 0;
      this.#events.reply(keptReply(line, code));
      return;
    }
    const said = this.#keep(line);
    if (separator === DASH) {
      if (this.#lineCount >= REPLY_MAX_LINES) this.#break('a reply has more than 100 lines');
      return;
    }
    const isWhole = this.#lineCount === 1;
    const reply: Reply = { code, enhanced: this.#enhanced, lines: this.#lines, said: isWhole ? said : null };
    this.#clear();
    this.#events.reply(reply);
  }

  /** As much of a line as there is room for in its reply, code and all. */
  #keep(line: string): string {
    this.#lineCount += 1;
    const room = REPLY_KEPT_BYTES - this.#keptBytes;
    const hasRoom = room >= STATUS_BYTES;
    const piece = within(line, CODE_BYTES + (hasRoom ? room : STATUS_BYTES));
    const said = readable(piece);
    const text = said.slice(CODE_BYTES);
    const enhanced = ENHANCED.exec(text);
    if (enhanced !== null) this.#enhanced = enhanced[1] ?? null;
    if (hasRoom) {
      this.#lines.push(text);
      this.#keptBytes += Math.max(0, piece.length - CODE_BYTES);
    }
    return said;
  }

  #clear(): void {
    this.#lines = [];
    this.#lineCount = 0;
    this.#enhanced = null;
    this.#bytes = 0;
    this.#keptBytes = 0;
  }

  #break(why: string): void {
    this.stop();
    this.#events.broken(why);
  }
}

/** Only for acceptances of one line: refusals keep their own text. */
function keptReply(piece: string, code: number): Reply {
  const before = kept.get(piece);
  if (before !== undefined) return before;
  const text = detached(piece);
  const said = readable(text);
  const line = said.slice(4);
  const reply: Reply = { code, enhanced: ENHANCED.exec(line)?.[1] ?? null, lines: [line], said };
  if (kept.size < KEPT_MAX) kept.set(text, reply);
  return reply;
}

/** Without the CR. */
function lineEnd(text: string, from: number, end: number): number {
  return end > from && text.charCodeAt(end - 1) === CR ? end - 1 : end;
}

/** A code SMTP knows: 200 to 599. */
function codeOf(line: string): number {
  const a = line.charCodeAt(0) - DIGIT_0;
  const b = line.charCodeAt(1) - DIGIT_0;
  const c = line.charCodeAt(2) - DIGIT_0;
  if (a < 2 || a > 5 || b < 0 || b > 9 || c < 0 || c > 9) return -1;
  return a * 100 + b * 10 + c;
}

/** Rejects garbage without a line end at its first bytes instead of after eight kilobytes. */
function startsLikeReply(text: string): boolean {
  if (text.length >= 1) {
    const first = text.charCodeAt(0) - DIGIT_0;
    if (first < 2 || first > 5) return false;
  }
  for (let i = 1; i < 3 && i < text.length; i += 1) {
    const digit = text.charCodeAt(i) - DIGIT_0;
    if (digit < 0 || digit > 9) return false;
  }
  return true;
}

/** Its first bytes, with no character of UTF-8 cut in two. */
function within(latin1: string, maxBytes: number): string {
  if (latin1.length <= maxBytes) return latin1;
  let end = maxBytes;
  while (end > maxBytes - CONTINUATION_MAX_BYTES && isContinuation(latin1.charCodeAt(end))) end -= 1;
  return latin1.slice(0, end);
}

function isContinuation(octet: number): boolean {
  return (octet & 0xc0) === 0x80;
}

function readable(latin1: string): string {
  if (!NOT_PLAIN.test(latin1)) return latin1;
  const text = NOT_ASCII.test(latin1) ? decode(latin1) : latin1;
  return text.replace(CONTROL, ' ');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(latin1: string): string {
  try {
    return utf8.decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return latin1;
  }
}
