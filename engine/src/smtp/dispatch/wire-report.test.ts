// What an observer hears of a refusal has no e-mail address in it, whatever the server wrote.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TestTask } from '../../../test/test-task.ts';
import type { WireObserver } from '../../ports.ts';
import { replyFromText } from '../../verdict/parse-reply-text.ts';
import { readReply } from '../../verdict/read-reply.ts';
import { reportLandings } from './wire-report.ts';

const SECRET = 'secret';
const ONE_PAYER = { areSeveral: false };
const PLACE = { source: null, provider: 'other' };

const atom = fc.string({ unit: fc.constantFrom(..."abz09!#$%&'*+-/=?^_`{|}~ä日"), maxLength: 4 });
const local = fc.oneof(
  fc.tuple(atom, atom).map(([a, b]) => `${a}${SECRET}${b}`),
  atom.map((a) => `"${a} ${SECRET}"`),
);
const wrapped = fc.constantFrom(
  '<$>',
  '$',
  '"$"',
  "'$'",
  '$...',
  '($)',
  'rcpt=$',
  'rfc822;$',
  '[$]',
  'see https://a.example/?to=$',
);

test('the recipient is left out of the reply, and so is every other address in it', () => {
  fc.assert(
    fc.property(
      local,
      fc.array(fc.tuple(wrapped, fc.boolean()), { minLength: 1, maxLength: 4 }),
      (name, around) => {
        const task = new TestTask(name);
        const { mailbox } = task.address;
        const named = around.map(([frame, isUpper]) =>
          frame.replace('$', () => (isUpper ? mailbox.toUpperCase() : mailbox)),
        );
        const reply = replyFromText(`554 5.7.1 ${named.join(' ')} client host blocked using zen.example`);
        const reading = readReply('rcpt', reply, 'other', mailbox);
        const replies: string[] = [];
        const observer: WireObserver = {
          session: () => {},
          recipient: () => {},
          refusal: (_, _kind, said) => replies.push(said),
        };
        const command = { kind: 'rcpt', words: 'RCPT TO', task, sender: '', reply, answeredAtMs: 0 } as const;
        reportLandings(observer, PLACE, [{ task, command, act: 'answer', reading }], false, ONE_PAYER);
        for (const said of replies) expect(said.toLowerCase()).not.toContain(SECRET);
        if (reading.meaning === 'blocked') expect(replies).toHaveLength(1);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a reply of any length is bounded', () => {
  const task = new TestTask('anna');
  const reply = { code: 554, enhanced: null, lines: ['blocked using zen.example '.repeat(100)] };
  const reading = readReply('rcpt', reply, 'other');
  let said = '';
  const observer: WireObserver = {
    session: () => {},
    recipient: () => {},
    refusal: (_, _kind, text) => (said = text),
  };
  const command = { kind: 'rcpt', words: 'RCPT TO', task, sender: '', reply, answeredAtMs: 0 } as const;
  reportLandings(observer, PLACE, [{ task, command, act: 'answer', reading }], false, ONE_PAYER);
  expect(said.length).toBeGreaterThan(100);
  expect(said.length).toBeLessThan(500);
});

test('it is told on whose behalf, where there is another payer', () => {
  const task = new TestTask('anna', { holder: '7 single' });
  const reply = replyFromText('554 5.7.1 client host blocked using zen.example');
  const command = { kind: 'rcpt', words: 'RCPT TO', task, sender: '', reply, answeredAtMs: 0 } as const;
  const landing = { task, command, act: 'answer', reading: readReply('rcpt', reply, 'other') } as const;
  const told: string[] = [];
  const observer: WireObserver = {
    session: () => {},
    recipient: (_, _outcome, payer) => told.push(payer),
    refusal: (_, _kind, _reply, payer) => told.push(payer),
  };
  for (const areSeveral of [true, false]) reportLandings(observer, PLACE, [landing], false, { areSeveral });
  expect(told).toEqual(['7', '7', '', '']);
});
