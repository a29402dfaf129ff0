// Whose a reply is, from words and order alone.
import { expect, test } from 'vitest';
import type { Command } from '../../state/answer.ts';
import type { Task } from '../../state/task.ts';
import type { Reply } from '../../types.ts';
import { Flight } from './flight.ts';
import { isSealedByReset, ownReplies, resetWordsIn } from './seal.ts';

const taskOf = (local: string) =>
  ({ address: { local, domain: 'a.example', mailbox: `${local}@a.example`, needsSmtpUtf8: false } }) as Task;

function reply(text: string): Reply {
  const [, code, line = ''] = /^(\d{3}) (.*)$/.exec(text) ?? [];
  return { code: Number(code), enhanced: /^\d\.\d\.\d/.exec(line)?.[0] ?? null, lines: [line], said: text };
}

const EHLO = [reply('250 mx.a.example PIPELINING')];
const RESET = '250 2.0.0 ok';

/** One recipient a transaction, answered as said; what was not said was not asked any more. */
function dialogue(said: readonly string[], marked = false): readonly Command[] {
  const flight = new Flight(true);
  flight.add('', [taskOf('anna'), taskOf('ben'), taskOf('carl')], 1, marked);
  said.forEach((text, i) => {
    const command = flight.commands[i];
    if (command !== undefined) command.reply = reply(text);
  });
  return flight.commands;
}

const believed = (said: readonly string[], resetWords: string | null = null, marked = false) => {
  const commands = dialogue(said, marked);
  const { own } = ownReplies(commands, EHLO, resetWords);
  return commands
    .filter(({ kind, reply: heard }) => kind === 'rcpt' && heard !== null)
    .map((one) => own.has(one));
};

const ACCEPTED = ['250 2.1.0 Ok', '250 2.1.5 Ok', '250 2.0.0 Ok'];
const UNKNOWN = ['250 2.1.0 Ok', '550 5.1.1 <x@a.example>: unknown', '250 2.0.0 Ok'];

test('one by one, an honest dialogue is believed as far as it went', () => {
  expect(believed([...ACCEPTED, ...UNKNOWN, ...ACCEPTED])).toEqual([true, true, true]);
  expect(believed([...ACCEPTED, ...ACCEPTED, ...UNKNOWN.slice(0, 2)])).toEqual([true, true, true]);
});

test('a recipient told what another was told before, and then the end, is not believed: that may have been a copy', () => {
  expect(believed([...ACCEPTED, ...ACCEPTED.slice(0, 2)])).toEqual([true, false]);
  expect(believed([...UNKNOWN, ...UNKNOWN.slice(0, 2)])).toEqual([true, false]);
  expect(believed([...ACCEPTED, ...UNKNOWN.slice(0, 2), '421 4.7.0 too many errors'])).toEqual([true, true]);
});

test.each([
  ['EHLO', '250 mx.a.example PIPELINING'],
  ['MAIL', '250 2.1.0 Ok'],
  ['RSET', '250 2.0.0 Ok'],
])('a recipient with the reply of %s is not believed', (_whose, said) => {
  expect(believed([...ACCEPTED, '250 2.1.0 Ok', said])).toEqual([true, false]);
});

test('RSET with the words of a recipient shows that nothing since the last seal is certain', () => {
  const shifted = ['250 2.1.0 Ok', '550 5.1.1 no', '250 2.1.5 Ok'];
  expect(believed([...ACCEPTED, ...shifted], RESET)).toEqual([true, false]);
});

test('where all replies are alike, refusals are believed as long as they are new, and HELP seals the rest', () => {
  const alike = ['250 OK', '250 OK', '250 OK'];
  expect(ownReplies(dialogue(alike), EHLO, null).alike).toBe(true);
  expect(believed([...alike, ...alike])).toEqual([false, false]);
  expect(believed(['250 OK', '550 no'])).toEqual([true]);
  const help = ['250 OK', '250 OK', '214 help', '250 OK'];
  expect(believed([...help, ...help, '250 OK', '550 no'], null, true)).toEqual([true, true, true]);
});

test('the words of RSET are learnt where no sender and no recipient is told them, numbers and names left out', () => {
  expect(resetWordsIn(dialogue(ACCEPTED))).toBe(RESET);
  expect(resetWordsIn(dialogue(UNKNOWN))).toBe(null);
  expect(resetWordsIn(dialogue(['250 OK', '250 Accepted', '250 OK']))).toBe('');
  const google = (id: string) => [
    `250 2.1.0 OK ${id} - gsmtp`,
    `250 2.1.5 OK ${id}`,
    `250 2.1.5 Flushed ${id}`,
  ];
  expect(resetWordsIn(dialogue([...google('a1-b2'), ...google('c3')]))).toBe('250 2.1.5 flushed');
});

test('RSET seals a session only where its words are known, and only when each of them has come', () => {
  const whole = dialogue([...ACCEPTED, ...UNKNOWN, ...ACCEPTED]);
  expect(isSealedByReset(whole, EHLO, RESET)).toBe(true);
  expect(isSealedByReset(whole, EHLO, null)).toBe(false);
  expect(isSealedByReset(whole, EHLO, '')).toBe(false);
  expect(isSealedByReset(dialogue([...ACCEPTED, ...UNKNOWN, ...ACCEPTED.slice(0, 2)]), EHLO, RESET)).toBe(
    false,
  );
  expect(
    isSealedByReset(
      dialogue([...ACCEPTED, ...ACCEPTED, ...ACCEPTED.slice(0, 2), '250 2.1.5 Ok']),
      EHLO,
      RESET,
    ),
  ).toBe(false);
});
