import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Reply } from '../../types.ts';
import { readReply } from '../../verdict/read-reply.ts';
import { Flight } from '../session/flight.ts';
import type { Task } from '../session/task.ts';
import { readFlight, signaturesOf } from './read-flight.ts';
import { senderBit } from './senders.ts';

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

test('in a flight with both senders, one taken and the other refused is no reply out of step', () => {
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
  expect(landing.sendersTaken).toBe(senderBit(''));
  expect(landing.sendersRefused).toBe(senderBit(OURS));
  expect(landing.landings.map(({ act }) => act)).toEqual(['answer', 'other_sender']);
});

test('a sender that was just taken and is refused for good means that replies have moved', () => {
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

test('the same refusal is known again, also for somebody whose name is a word of it', () => {
  const told = (local: string, text: string) => signaturesOf(reply(text), taskOf(local).address);
  const alike = (a: readonly string[], b: readonly string[]) => a.some((one) => b.includes(one));
  const words = '550 5.1.1 no such user here, check for typos 4711-aa';
  for (const local of ['typo', 'user', 'anna'])
    expect(alike(told(local, words), told('zadowi.voduro488156', words))).toBe(true);
  expect(alike(told('anna', '550 unknown: anna'), told('zadowi', '550 unknown: zadowi'))).toBe(true);
  expect(alike(told('anna', words), told('ben', '550 5.2.1 mailbox disabled'))).toBe(false);
});

test('token by token, the same numbers are left out as by a pattern that tries every start', () => {
  const pieces = fc.constantFrom('a', '1', '.', '-', '_', ' ', '<', '日', 'x9', 'mx.b.c');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 16 }), (all) => {
      const text = all.join('');
      const tried = `550 ${text.replace(/[a-z0-9._-]*\d[a-z0-9._-]*/g, '#')}`;
      const whoever = { local: 'zz', domain: 'zz.example', mailbox: 'zz@zz.example', needsSmtpUtf8: false };
      expect(signaturesOf({ code: 550, enhanced: null, lines: [text] }, whoever)).toEqual([tried]);
    }),
    { numRuns: 1_000 },
  );
});

test('a refusal that names another recipient of the flight has come to the wrong one', () => {
  const said = (first: string, second: string) => {
    const flight = new Flight();
    flight.add(OURS, [taskOf('anna'), taskOf('ben')], 100);
    return landed(flight, ['250 2.1.0 Ok', first, second, '250 2.0.0 Ok']).outOfStep;
  };
  expect(said('250 2.1.5 Ok', '550 5.1.1 <anna@a.example> unknown')).toBe(true);
  expect(said('250 2.1.5 Ok', '550 5.1.1 <x> <anna@a.example> unknown')).toBe(true);
  expect(said('250 2.1.5 Ok', '550 5.1.1 <ben@a.example> unknown')).toBe(false);
  expect(said('250 2.1.5 Ok', '550 5.1.1 <carl@a.example> unknown')).toBe(false);
  expect(said('250 2.1.5 Ok', `550 5.1.1 <${'a@'.repeat(900)}`)).toBe(false);
});
