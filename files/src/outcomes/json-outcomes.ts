// Records in JSON, one per line or in one array → what became of each recipient: Sisimai's, those of POST /v1/outcomes, and what
// sending services hand out in the same shape.
// Promises: one record is held at a time, up to MAX_RECORD_CHARS; a damaged one costs itself, or the rest of its line.

import {
  emailOf,
  handOn,
  MAX_REPLY_CHARS,
  type OutcomeHandlers,
  type OutcomeWord,
  type Reading,
  type TextReader,
} from './outcome.ts';
import { FIELD_NAMES, type FieldRole, findField, type Placed, readFields } from './outcome-fields.ts';
import { secondsOf } from './outcome-words.ts';

export const MAX_RECORD_CHARS = 256 * 1_024;
/** Behind it the rest of a record is not looked at for names. */
const MAX_FIELDS = 200;

const [QUOTE, BACKSLASH, LINE_FEED] = [0x22, 0x5c, 0x0a];
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

type Fields = Readonly<Record<string, unknown>>;

export class JsonOutcomes implements TextReader {
  readonly #handlers: OutcomeHandlers;
  readonly #assumed: OutcomeWord | null;
  #record = '';
  /** Of braces and brackets within a record; 0: between two. */
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isSkipped = false;
  /** Of the record before, whose names are most often those of the next. */
  #names = '';
  #placed: Placed<string> = {};

  constructor(handlers: OutcomeHandlers, assumed: OutcomeWord | null) {
    this.#handlers = handlers;
    this.#assumed = assumed;
  }

  push(text: string): void {
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (this.#isSkipped) {
        if (unit === LINE_FEED) this.#isSkipped = false;
        from = at + 1;
      } else if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (unit === BACKSLASH) this.#isEscaped = true;
        else if (unit === QUOTE) this.#isInText = false;
        else if (unit === LINE_FEED) {
          // No text in JSON has one: its end is missing.
          this.#drop();
          from = at + 1;
        }
      } else if (unit === QUOTE) this.#isInText = this.#depth > 0;
      else if (unit === OPEN || unit === OPEN_LIST) {
        if (this.#depth === 0) from = at;
        // An array around all records is no part of them.
        if (this.#depth > 0 || unit === OPEN) this.#depth += 1;
      } else if ((unit === CLOSE || unit === CLOSE_LIST) && this.#depth > 0) {
        this.#depth -= 1;
        if (this.#depth > 0) continue;
        this.#append(text, from, at + 1);
        this.#endRecord();
      }
    }
    if (this.#depth > 0) this.#append(text, from, text.length);
  }

  end(): void {
    if (this.#depth > 0) this.#drop();
  }

  #append(text: string, from: number, to: number): void {
    if (this.#record.length + to - from <= MAX_RECORD_CHARS) {
      this.#record += text.slice(from, to);
      return;
    }
    this.#drop();
    this.#isSkipped = true;
  }

  #drop(): void {
    this.#handlers.onUnreadable();
    this.#record = '';
    this.#depth = 0;
    this.#isInText = false;
    this.#isEscaped = false;
  }

  #endRecord(): void {
    const text = this.#record;
    this.#record = '';
    if (text === '') return;
    let fields: Fields;
    try {
      fields = JSON.parse(text) as Fields;
    } catch {
      this.#handlers.onUnreadable();
      return;
    }
    handOn(isSisimai(fields) ? readSisimai(fields) : this.#read(fields), this.#handlers);
  }

  #read(fields: Fields): Reading {
    const names = Object.keys(fields).slice(0, MAX_FIELDS);
    const joined = names.join('\n');
    if (joined !== this.#names) {
      this.#names = joined;
      const roles = Object.keys(FIELD_NAMES) as FieldRole[];
      this.#placed = Object.fromEntries(
        roles.flatMap((role) => {
          const name = findField(role, names);
          return name === undefined ? [] : [[role, name]];
        }),
      );
    }
    const read = (role: FieldRole) => {
      const name = this.#placed[role];
      return name === undefined ? '' : textOf(fields[name]);
    };
    return readFields(read, this.#assumed);
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

/** The structure of Sisimai::Data. */
function isSisimai(fields: Fields): boolean {
  return 'recipient' in fields && 'diagnosticcode' in fields && 'deliverystatus' in fields;
}

/** What Sisimai calls no bounce; its other reasons are not asked, since the reply itself is read. */
const NO_BOUNCE = new Set(['vacation', 'delivered', 'expired', 'onhold']);

function readSisimai(fields: Fields): Reading {
  const of = (name: string) => textOf(fields[name]);
  const { recipient } = fields;
  const named =
    typeof recipient === 'object' && recipient !== null ? (recipient as Fields).address : recipient;
  const email = emailOf(textOf(named));
  if (email === null) return null;
  const action = of('action').toLowerCase();
  const reason = of('reason').toLowerCase();
  const isFeedback = of('feedbacktype') !== '' || reason === 'feedback';
  const isComplaint = isFeedback && of('feedbacktype').toLowerCase() === 'abuse';
  if (isFeedback && !isComplaint) return { ignored: 'feedback that is no complaint' };
  if (!isFeedback && (NO_BOUNCE.has(reason) || (action !== '' && action !== 'failed')))
    return { ignored: NO_BOUNCE.has(reason) ? reason : 'not failed' };
  const diagnostic = of('diagnosticcode');
  const said = /\d/.test(diagnostic)
    ? diagnostic
    : [of('replycode'), of('deliverystatus'), diagnostic].join(' ').trim();
  const stage = of('smtpcommand') === 'RCPT' ? ' (in reply to RCPT TO command)' : '';
  const reply = isComplaint ? '' : said.slice(0, MAX_REPLY_CHARS - stage.length) + stage;
  const origin = `${of('token').slice(0, 100)} ${of('timestamp').slice(0, 40)}`;
  const outcome = isComplaint ? 'complained' : 'bounced';
  return { email, outcome, reply, at: secondsOf(of('timestamp')), id: '', origin };
}
