// A message, or a folder of messages (mbox) → the bounces and complaints that mail servers report in them.
// Promises: of each message the beginning is held, MAX_MESSAGE_CHARS of it; a message that is no report is passed over.

import { readReport } from '@mxproof/engine/read-report';
import {
  emailOf,
  handOn,
  MAX_ID_CHARS,
  MAX_REPLY_CHARS,
  type OutcomeHandlers,
  type Reading,
  type TextReader,
} from './outcome.ts';
import { secondsOf } from './outcome-words.ts';

/** A report stands before the message that it sends back. */
const MAX_MESSAGE_CHARS = 256 * 1_024;
/** A longer line belongs to no report; of its rest nothing is held. */
const MAX_LINE_CHARS = 4_096;

export class MailReports implements TextReader {
  readonly #handlers: OutcomeHandlers;
  #lines: string[] = [];
  #chars = 0;
  #line = '';
  /** Null: no line was seen yet. */
  #isFolder: boolean | null = null;
  #isAfterBlank = true;

  constructor(handlers: OutcomeHandlers) {
    this.#handlers = handlers;
  }

  push(text: string): void {
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      this.#append(text, from, at);
      this.#takeLine(this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line);
      this.#line = '';
      from = at + 1;
    }
    this.#append(text, from, text.length);
  }

  end(): void {
    if (this.#line !== '') this.#takeLine(this.#line);
    this.#endMessage();
  }

  #append(text: string, from: number, to: number): void {
    this.#line += text.slice(from, Math.min(to, from + MAX_LINE_CHARS - this.#line.length));
  }

  #takeLine(line: string): void {
    this.#isFolder ??= line.startsWith('From ');
    const isFirst = this.#isFolder && this.#isAfterBlank && line.startsWith('From ');
    this.#isAfterBlank = line === '';
    if (isFirst) this.#endMessage();
    else if (this.#chars + line.length < MAX_MESSAGE_CHARS) {
      this.#lines.push(line);
      this.#chars += line.length + 1;
    }
  }

  #endMessage(): void {
    const text = this.#lines.join('\n');
    this.#lines = [];
    this.#chars = 0;
    if (text.trim() === '') return;
    for (const reading of readMessage(text)) handOn(reading, this.#handlers);
  }
}

function readMessage(text: string): readonly Reading[] {
  const report = readReport(text);
  if (report === null) return [null];
  const { reported, isReport, date, messageId } = report;
  if (reported.length === 0)
    return [{ ignored: isReport ? 'reports of no failure' : 'messages that are no report' }];
  // A comment behind it, such as (CET), is not part of the date.
  const at = secondsOf(date.replace(/\s{0,8}\([^()]{0,40}\)\s{0,8}$/, ''));
  const origin = (messageId === '' ? date : messageId).slice(0, MAX_ID_CHARS);
  return reported.map(({ email: recipient, outcome, reply }) => {
    const email = emailOf(recipient);
    return email === null
      ? null
      : { email, outcome, reply: reply.slice(0, MAX_REPLY_CHARS), at, id: '', origin };
  });
}
