// Postfix's log → what became of each recipient. Promises: a gigabyte takes as much memory as a line; lines without a result cost
// one search; a line longer than MAX_LINE_CHARS is passed over.
//
//   Nov 17 10:00:00 mx postfix/smtp[123]: 4F1A: to=<a@b.example>, relay=mx.b.example[192.0.2.1]:25, delay=1, dsn=5.1.1,
//     status=bounced (host mx.b.example[192.0.2.1] said: 550 5.1.1 User unknown (in reply to RCPT TO command))
//
// Only Postfix's own SMTP client is heard: what is put into a mailbox here says nothing about others. What a host of the own
// network took (a content filter, a relay) is not delivered yet: another line, perhaps of another log, tells what became of it.

import {
  emailOf,
  handOn,
  MAX_REPLY_CHARS,
  type OutcomeHandlers,
  type Reading,
  type TextReader,
} from './outcome.ts';

export const MAX_LINE_CHARS = 65_536;
const STATUS = ' status=';
const CLIENT = '/smtp[';
const RECIPIENT = 'to=<';
const RELAY = ', relay=';
/** What stands before the recipient. */
const QUEUE_ID = /^\/smtp\[\d{1,10}\]: (?:\[[^\]]{1,60}\] )?([0-9A-Za-z]{3,24}): $/;
const MAX_PREFIX_CHARS = 120;
const STATUS_WORD = /^([a-z]{4,12}) \(/;
const OWN_NETWORK =
  /\[(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|::1\]|f[cd][0-9a-f]{2}:|fe80:)/i;
/** Of what stands before the name of the program. */
const MAX_HEAD_CHARS = 400;
const ISO = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(Z|[+-]\d\d:?\d\d)/;
const SYSLOG = /(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) ([ \d]\d) (\d\d):(\d\d):(\d\d)(?=[. ]|$)/;
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const MONTH_CHARS = 3;
const DAY_SECONDS = 86_400;

/** Whether a text begins as a mail log does: some line of it is Postfix's. */
export function looksLikePostfix(head: string): boolean {
  return /^.{1,200}\bpostfix[\w.-]{0,64}(?:\/[\w.-]{1,32}){1,3}\[\d{1,10}\]: /m.test(head);
}

export class PostfixLog implements TextReader {
  readonly #handlers: OutcomeHandlers;
  readonly #nowSeconds: number;
  /** Of the line before: most lines of a second stand together. */
  #head = '';
  #at: number | null = null;
  #line = '';
  #isTooLong = false;

  /** `nowSeconds`: syslog leaves out the year, and a log is not from the future. */
  constructor(handlers: OutcomeHandlers, nowSeconds: number) {
    this.#handlers = handlers;
    this.#nowSeconds = nowSeconds;
  }

  push(text: string): void {
    const last = text.lastIndexOf('\n');
    if (last < 0) {
      this.#append(text);
      return;
    }
    // The end of the line that was begun, which may have to be passed over.
    const first = text.indexOf('\n');
    this.#append(text.slice(0, first));
    this.#endLine();
    this.#scan(text.slice(first + 1, last));
    this.#append(text.slice(last + 1));
  }

  end(): void {
    this.#endLine();
  }

  #append(text: string): void {
    this.#isTooLong ||= this.#line.length + text.length > MAX_LINE_CHARS;
    this.#line = this.#isTooLong ? '' : this.#line + text;
  }

  #endLine(): void {
    if (!this.#isTooLong) this.#scan(this.#line);
    this.#line = '';
    this.#isTooLong = false;
  }

  readonly #secondsOf = (head: string): number | null => {
    if (head !== this.#head) {
      this.#head = head;
      this.#at = logSeconds(head, this.#nowSeconds);
    }
    return this.#at;
  };

  /** Whole lines. */
  #scan(text: string): void {
    for (let at = text.indexOf(STATUS); at >= 0; ) {
      const start = text.lastIndexOf('\n', at) + 1;
      const next = text.indexOf('\n', at);
      const end = next < 0 ? text.length : next;
      const isShort = end - start <= MAX_LINE_CHARS;
      const reading = isShort ? readLine(text.slice(start, end), this.#secondsOf) : undefined;
      if (reading !== undefined) handOn(reading, this.#handlers);
      at = text.indexOf(STATUS, end);
    }
  }
}

/** Undefined: the line tells no result of Postfix's SMTP client. */
function readLine(line: string, secondsOf: (head: string) => number | null): Reading | undefined {
  const client = line.indexOf(CLIENT);
  const program = line.lastIndexOf(' ', client) + 1;
  if (client < 0 || program > MAX_HEAD_CHARS || !/^postfix[\w./-]{0,120}$/.test(line.slice(program, client)))
    return undefined;
  const to = line.indexOf(RECIPIENT, client);
  const end = line.indexOf('>', to);
  if (to < 0 || end < 0 || to - client > MAX_PREFIX_CHARS) return undefined;
  const queueId = QUEUE_ID.exec(line.slice(client, to))?.[1];
  const relayAt = line.indexOf(RELAY, end);
  const statusAt = line.indexOf(STATUS, end);
  if (queueId === undefined || relayAt < 0 || statusAt < relayAt) return undefined;
  const recipient = line.slice(to + RECIPIENT.length, end);
  const relay = line.slice(relayAt + RELAY.length, line.indexOf(',', relayAt + RELAY.length));
  const rest = line.slice(statusAt + STATUS.length);
  const word = STATUS_WORD.exec(rest);
  if (word === null) return undefined;
  const status = word[1] ?? '';
  if (status !== 'sent' && status !== 'bounced') return { ignored: status };
  const email = emailOf(recipient);
  if (email === null) return null;
  const isDelivered = status === 'sent';
  if (isDelivered && OWN_NETWORK.test(relay)) return { ignored: 'sent within the own network' };
  const reply = isDelivered
    ? ''
    : rest
        .slice(word[0].length)
        .replace(/\)\s{0,8}$/, '')
        .slice(0, MAX_REPLY_CHARS);
  const head = line.slice(0, program);
  const time = /[\d-]{10}T[\d:]{8}|[A-Z][a-z]{2} [ \d]\d [\d:]{8}/.exec(head)?.[0] ?? '';
  return {
    ...{ email, outcome: isDelivered ? 'delivered' : 'bounced', reply },
    ...{ at: secondsOf(head), id: '', origin: `${time} ${queueId}` },
  };
}

/** Null: the line does not begin with a time. Without a zone it is read as UTC, and without a year as the latest that has been. */
export function logSeconds(head: string, nowSeconds: number): number | null {
  const iso = ISO.exec(head);
  if (iso !== null) {
    const ms = Date.parse(`${iso[1]}${iso[2]}`);
    return Number.isNaN(ms) ? null : Math.floor(ms / 1_000);
  }
  const found = SYSLOG.exec(head);
  if (found === null) return null;
  const month = MONTHS.indexOf(found[1] ?? '') / MONTH_CHARS;
  const [day, hour, minute, second] = found.slice(2).map(Number);
  const year = new Date(nowSeconds * 1_000).getUTCFullYear();
  const inYear = (each: number) => Date.UTC(each, month, day, hour, minute, second) / 1_000;
  const thisYear = inYear(year);
  // Clocks and zones differ by a day at most.
  return thisYear <= nowSeconds + DAY_SECONDS ? thisYear : inYear(year - 1);
}
