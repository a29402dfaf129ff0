import { expect, test } from 'vitest';
import type { Task } from '../../state/task.ts';
import type { Reply } from '../../types.ts';
import { readReply } from '../../verdict/read-reply.ts';
import { senderBit } from '../hosts/parts/senders.ts';
import { Flight } from '../session/flight.ts';
import { readFlight } from './read-flight.ts';

const OURS = 'probe@probe.example.org';

const taskOf = (local: string) =>
  ({ address: { local, domain: 'a.example', mailbox: `${local}@a.example`, needsSmtpUtf8: false } }) as Task;

function reply(text: string): Reply {
  const [, code, line = ''] = /^(\d{3}) (.*)$/.exec(text) ?? [];
  return {
    code: Number(code),
    enhanced: /^\d\.\d\.\d/.exec(line)?.[0] ?? null,
    lines: [line],
    said: text,
  };
}

function landed(flight: Flight, said: readonly string[]) {
  for (const text of said) expect(flight.answer(reply(text), 1)).toBe(true);
  return readFlight(flight, 'other', true, readReply);
}

test('in a flight with both senders, one accepted and the other refused is not a reply out of step', () => {
  const flight = new Flight();
  flight.add('', [taskOf('anna')], 100);
  flight.add(OURS, [taskOf('ben')], 100);
  const landing = landed(flight, [
    '250 2.1.0 Ok',
    '250 2.1.5 Ok',
    '250 2.0.0 Ok',
    '553 5.1.8 Sender address rejected',
    '503 5.5.1 need MAIL command',
    '250 2.0.0 Ok',
  ]);
  expect(landing.outOfStep).toBe(false);
  expect(landing.sendersAccepted).toBe(senderBit(''));
  expect(landing.sendersRefused).toBe(senderBit(OURS));
  expect(landing.landings.map(({ act }) => act)).toEqual(['answer', 'other_sender']);
});

test('a sender that was just accepted and is refused for good means that replies have moved', () => {
  const flight = new Flight();
  flight.add('', [taskOf('anna'), taskOf('ben')], 100);
  const landing = landed(flight, [
    '250 2.1.0 Ok',
    '250 2.1.5 Ok',
    '250 2.0.0 Ok',
    '550 5.1.1 User unknown',
    '250 2.1.0 Ok',
    '250 2.0.0 Ok',
  ]);
  expect(landing.outOfStep).toBe(true);
  expect(landing.landings.map(({ act }) => act)).toEqual(['ask_again', 'ask_again']);
});

const ACCEPTED = '250 2.1.5 Ok';
const UNKNOWN = '550 5.1.1 User unknown';
const TOO_MANY = '452 4.5.3 Too many recipients';

/** One transaction with Anna, Ben and Carl; after the last of these replies nothing came. */
function transaction(mail: string, ...recipients: string[]) {
  const flight = new Flight();
  flight.add(OURS, [taskOf('anna'), taskOf('ben'), taskOf('carl')], 100);
  return landed(flight, [mail, ...recipients]);
}

test.each([
  ['all answered', [ACCEPTED, UNKNOWN, ACCEPTED], ['answer', 'answer', 'answer']],
  [
    'one said to be too many is asked again',
    [ACCEPTED, UNKNOWN, TOO_MANY],
    ['answer', 'answer', 'ask_again'],
  ],
  [
    'too many for the very first is its answer',
    [TOO_MANY, TOO_MANY, ACCEPTED],
    ['answer', 'answer', 'answer'],
  ],
  ['the end of the session drops the rest', [ACCEPTED, '421 4.7.0 enough'], ['answer', 'dropped', 'dropped']],
  ['a dropped connection drops the rest', [ACCEPTED], ['answer', 'dropped', 'dropped']],
  [
    'a block is an answer: no other source is tried',
    [ACCEPTED, '554 5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org', ACCEPTED],
    ['answer', 'answer', 'answer'],
  ],
])('%s', (_what, said, acts) => {
  const { landings } = transaction('250 2.1.0 Ok', ...said);
  expect(landings.map(({ act }) => act)).toEqual(acts);
  expect(landings.map(({ task }) => task.address.local)).toEqual(['anna', 'ben', 'carl']);
  expect(landings.every(({ command }) => command.kind === 'rcpt')).toBe(true);
});

test.each([
  ['the sender', '553 5.1.8 Sender address rejected', 'other_sender'],
  ['our address', '554 5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org', 'answer'],
  ['the moment', '451 4.3.0 Temporary failure', 'answer'],
  ['the session', '421 4.3.2 Closing', 'dropped'],
])('a MAIL refused for %s decides for all its recipients, and not about them', (_why, mail, act) => {
  const landing = transaction(mail, '503 5.5.1 need MAIL', '503 5.5.1 need MAIL', '503 5.5.1 need MAIL');
  expect(landing.landings.map((one) => one.act)).toEqual([act, act, act]);
  expect(landing.landings.every(({ command }) => command.kind === 'mail')).toBe(true);
  expect(landing.answered).toBe(0);
  expect(landing.outOfStep).toBe(false);
});

test.each([
  ['those accepted', [ACCEPTED, UNKNOWN, TOO_MANY], 1],
  ['those asked where none was accepted', [UNKNOWN, UNKNOWN, TOO_MANY], 2],
  ['nothing where not even the first was heard', [TOO_MANY, TOO_MANY, TOO_MANY], null],
  ['nothing where all fit', [ACCEPTED, ACCEPTED, ACCEPTED], null],
])('a full transaction shows how many it accepts: %s', (_what, said, accepted) => {
  expect(transaction('250 2.1.0 Ok', ...said).transactionAccepted).toBe(accepted);
});

test.each([
  ['a clean flight', [ACCEPTED, UNKNOWN, ACCEPTED], false, null],
  ['too many', [ACCEPTED, ACCEPTED, TOO_MANY], true, null],
  ['a named wait', [ACCEPTED, '450 4.7.1 Rate limit exceeded, retry after 90 seconds'], true, 90_000],
  ['greylisting is not about the pace', ['451 4.7.1 Greylisted, try again in 300 seconds'], false, null],
  ['421', ['421 4.7.0 enough'], true, null],
])('signs of trouble: %s', (_what, said, trouble, retryAfterMs) => {
  expect(transaction('250 2.1.0 Ok', ...said)).toMatchObject({ trouble, retryAfterMs });
});

test('what a flight shows is the sum of its transactions', () => {
  const flight = new Flight();
  flight.add('', [taskOf('anna'), taskOf('ben')], 100);
  flight.add(OURS, [taskOf('carl')], 100, true);
  const mail = '250 2.1.0 Ok';
  const reset = '250 2.0.0 Ok';
  const landing = landed(flight, [
    mail,
    ACCEPTED,
    reset,
    mail,
    UNKNOWN,
    reset,
    mail,
    UNKNOWN,
    '214 help',
    reset,
  ]);
  expect(landing).toMatchObject({ answered: 3, refusedRecipients: 2 });
  expect(landing.sendersAccepted).toBe(senderBit('') | senderBit(OURS));
});
