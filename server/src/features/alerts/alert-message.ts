// What an alert says, as JSON for programs and as mail for people. Promise: nothing of customers in it: no address, list, domain
// or account; the mail says what the JSON says.
import type { AlertEvent } from './alert-state.ts';

export interface AlertMessage {
  readonly condition: string;
  /** A source or a machine; null: the deployment. */
  readonly subject: string | null;
  readonly status: AlertEvent | 'test';
  readonly title: string;
  readonly detail: string;
  readonly advice: string;
  /** Unix seconds. */
  readonly since: number;
  readonly at: number;
}

const LEAD = { began: 'Alert', continues: 'Still', resolved: 'Resolved', test: 'Test' } as const;
/** A header's line has at most 998 bytes; a subject that people read has far fewer. */
const MAX_SUBJECT_CHARACTERS = 150;

export function alertBody(alert: AlertMessage): string {
  return JSON.stringify({ event: 'alert', alert });
}

export function readAlertBody(body: string): AlertMessage {
  return (JSON.parse(body) as { alert: AlertMessage }).alert;
}

export interface AlertMail {
  readonly subject: string;
  readonly text: string;
  readonly date: Date;
}

export function alertMail({ subject, status, title, detail, advice, since, at }: AlertMessage): AlertMail {
  const about = subject === null ? '' : ` (${subject})`;
  const sentence = status === 'resolved' ? `This is over: ${lower(detail)}` : detail;
  const lines = [sentence, ...(status === 'resolved' ? [] : ['', advice]), '', `Since ${dateText(since)}.`];
  return {
    subject: `MXProof: ${LEAD[status]}: ${title}${about}`.slice(0, MAX_SUBJECT_CHARACTERS),
    text: `${lines.join('\n')}\n`,
    date: new Date(at * 1_000),
  };
}

function lower(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}

function dateText(seconds: number): string {
  return `${new Date(seconds * 1_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
