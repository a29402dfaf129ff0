// Bytes → SMTP replies, in whatever pieces TCP delivers them. Promise: the same bytes give the same replies
// under every fragmentation, nothing grows without end (a reply of 64 KiB, of 100 lines, a line of 8 KiB are the
// most), and bytes that are no SMTP end the reading with one sentence, after which nothing more is read.
import { ownCopy } from '../own-copy.ts';
import type { Reply } from '../types.ts';

/** RFC 5321 gives a reply line 512 octets; servers in the field give more. */
const LINE_MAX_BYTES = 8 * 1024;
const REPLY_MAX_BYTES = 64 * 1024;
const REPLY_MAX_LINES = 100;

const NEW_REPLY = /\r[2-5]\d\d(?:[ -]|$)/;
const ENHANCED = /^([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/;
const NOT_PLAIN = /[^\t\n\x20-\x7e]/;
const NOT_ASCII = /[\x80-\xff]/;
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/g;

/** A server says `250 2.1.0 Ok` a hundred thousand times; one object stands for all of them. */
const KEPT_MAX = 512;
const KEPT_MAX_CHARS = 64;
const kept = new Map<string, Reply>();

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
  #pending = '';
  #lines: string[] = [];
  #enhanced: string | null = null;
  #bytes = 0;
  #firstCode = 0;
  #deaf = false;

  constructor(events: ReplyReaderEvents) {
    this.#events = events;
  }

  /** Latin-1: one character a byte, so that every bound below counts bytes. */
  push(text: string): void {
    if (this.#deaf) return;
    const all = this.#pending === '' ? text : this.#pending + text;
    let from = 0;
    for (;;) {
      const end = all.indexOf('\n', from);
      if (end < 0) break;
      const stop = end > from && all.charCodeAt(end - 1) === 13 ? end - 1 : end;
      this.#pending = '';
      this.#line(all, from, stop);
      // A reply may have told the session to stop listening: what follows STARTTLS in clear is not to be heard.
      if (this.#deaf) return;
      from = end + 1;
    }
    this.#pending = from === 0 ? all : all.slice(from);
    if (this.#pending.length > LINE_MAX_BYTES) this.#break('a reply line has no end');
    else if (!startsLikeReply(this.#pending)) this.#break('these bytes are no SMTP reply');
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

  #line(all: string, from: number, stop: number): void {
    const length = stop - from;
    const code = length >= 3 ? codeAt(all, from) : -1;
    const separator = length > 3 ? all.charCodeAt(from + 3) : SPACE;
    if (code < 0 || (separator !== SPACE && separator !== DASH)) {
      this.#break('a line is no SMTP reply');
      return;
    }
    // Two replies run together by a lone CR would put every later one in its neighbour's place.
    const cr = all.indexOf('\r', from);
    if (cr >= 0 && cr < stop && NEW_REPLY.test(all.slice(cr, stop))) {
      this.#break('replies are not told apart');
      return;
    }
    // Codes of one reply may differ in detail, the last one is the answer; but yes and no in one breath is neither.
    if (this.#lines.length === 0) this.#firstCode = code;
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
    if (code < 300 && separator === SPACE && this.#lines.length === 0 && length <= KEPT_MAX_CHARS) {
      this.#bytes = 0;
      this.#events.reply(keptReply(all.slice(from, stop), code));
      return;
    }
    const isWhole = separator === SPACE && this.#lines.length === 0;
    const said = readable(all.slice(from, stop));
    const line = said.slice(4);
    this.#lines.push(line);
    const enhanced = ENHANCED.exec(line);
    if (enhanced !== null) this.#enhanced = enhanced[1] ?? null;
    if (separator === DASH) {
      if (this.#lines.length >= REPLY_MAX_LINES) this.#break('a reply has more than 100 lines');
      return;
    }
    const reply: Reply = { code, enhanced: this.#enhanced, lines: this.#lines, said: isWhole ? said : null };
    this.#clear();
    this.#events.reply(reply);
  }

  #clear(): void {
    this.#lines = [];
    this.#enhanced = null;
    this.#bytes = 0;
  }

  #break(why: string): void {
    this.stop();
    this.#events.broken(why);
  }
}

/** Only for one line of agreement: what is refused is worth its own words. */
function keptReply(piece: string, code: number): Reply {
  const before = kept.get(piece);
  if (before !== undefined) return before;
  const text = ownCopy(piece);
  const said = readable(text);
  const line = said.slice(4);
  const reply: Reply = { code, enhanced: ENHANCED.exec(line)?.[1] ?? null, lines: [line], said };
  if (kept.size < KEPT_MAX) kept.set(text, reply);
  return reply;
}

/** A code SMTP knows: 200 to 599. */
function codeAt(text: string, at: number): number {
  const a = text.charCodeAt(at) - DIGIT_0;
  const b = text.charCodeAt(at + 1) - DIGIT_0;
  const c = text.charCodeAt(at + 2) - DIGIT_0;
  if (a < 2 || a > 5 || b < 0 || b > 9 || c < 0 || c > 9) return -1;
  return a * 100 + b * 10 + c;
}

/** Garbage without a line end is over at its first bytes, not after eight kilobytes of it. */
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
