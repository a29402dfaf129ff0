// The columns of a table, or the fields of a record, that say what became of a message: found by their names.

import { emailOf, MAX_ID_CHARS, MAX_REPLY_CHARS, type OutcomeWord, type Reading } from './outcome.ts';
import { outcomeOf, plainWord, secondsOf, shownWord } from './outcome-words.ts';

/** By what each says; those that come first count. An event's id, never a message's, which several events share. */
export const FIELD_NAMES = {
  email: ['email', 'recipient', 'to', 'rcpt', 'rcptto', 'rawrcptto', 'emailaddress', 'address'],
  outcome: [
    ...['outcome', 'event', 'eventtype', 'recordtype', 'notificationtype', 'status', 'deliverystatus'],
    ...['type', 'result', 'action', 'state'],
  ],
  reply: [
    ...['reply', 'smtpreply', 'smtpresponse', 'response', 'diagnosticcode', 'diagnostic', 'bouncereason'],
    ...['rawreason', 'reason', 'details', 'description', 'bouncemessage', 'message', 'error'],
  ],
  at: [
    ...['at', 'timestamp', 'bouncedat', 'deliveredat', 'occurredat', 'eventtime', 'time', 'date'],
    ...['createdat', 'created', 'tsepoch', 'ts'],
  ],
  id: ['id', 'eventid', 'sgeventid'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type FieldRole = keyof typeof FIELD_NAMES;

/** Where each is, by position or by name. */
export type Placed<Where> = Partial<Record<FieldRole, Where>>;

/** The first of the names that is there, as it is written there. */
export function findField(role: FieldRole, names: readonly string[]): string | undefined {
  const plain = names.map(plainWord);
  for (const wanted of FIELD_NAMES[role]) {
    const at = plain.indexOf(wanted);
    if (at >= 0) return names[at];
  }
  return undefined;
}

/** `assumed`: what became of all of them, where nothing says it. */
export function readFields(read: (role: FieldRole) => string, assumed: OutcomeWord | null): Reading {
  const email = emailOf(read('email'));
  if (email === null) return null;
  const word = read('outcome');
  const outcome = assumed ?? outcomeOf(word);
  if (outcome === null) return { ignored: word === '' ? 'without an outcome' : shownWord(word) };
  const time = read('at').slice(0, MAX_ID_CHARS);
  const reply = outcome === 'bounced' ? read('reply').slice(0, MAX_REPLY_CHARS) : '';
  const id = read('id').trim().slice(0, MAX_ID_CHARS);
  return { email, outcome, reply, at: secondsOf(time), id, origin: time };
}
