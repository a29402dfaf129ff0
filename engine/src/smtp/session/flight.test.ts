import { expect, test } from 'vitest';
import type { Task } from '../../state/task.ts';
import { Flight } from './flight.ts';

const OURS = 'probe@p.example';

const taskOf = (local: string, needsSmtpUtf8 = false) =>
  ({ address: { local, domain: 'a.example', mailbox: `${local}@a.example`, needsSmtpUtf8 } }) as Task;

const said = (code: number) => ({ code, enhanced: null, lines: [''] });
const wordsOf = (flight: Flight) => flight.text().split('\r\n').slice(0, -1);

test('one transaction takes as many recipients as it may, one with the null sender takes one', () => {
  const flight = new Flight();
  flight.add(OURS, [taskOf('anna'), taskOf('ben'), taskOf('carl')], 2);
  flight.add('', [taskOf('dora'), taskOf('ésu', true)], 2);
  expect(wordsOf(flight)).toEqual([
    `MAIL FROM:<${OURS}>`,
    'RCPT TO:<anna@a.example>',
    'RCPT TO:<ben@a.example>',
    'RSET',
    `MAIL FROM:<${OURS}>`,
    'RCPT TO:<carl@a.example>',
    'RSET',
    'MAIL FROM:<>',
    'RCPT TO:<dora@a.example>',
    'RSET',
    'MAIL FROM:<>',
    'RCPT TO:<ésu@a.example>',
    'RSET',
  ]);
  expect(flight).toMatchObject({ recipients: 5, transactions: 4, resets: 4 });
});

test('QUIT replaces the last RSET, unless its reply is wanted or each reply is waited for', () => {
  const lastOf = (oneByOne: boolean, keepsReset: boolean) => {
    const flight = new Flight(oneByOne);
    flight.add(OURS, [taskOf('anna')], 1);
    flight.quit(keepsReset);
    return [flight.commands.at(-1)?.kind, flight.resets];
  };
  expect(lastOf(false, false)).toEqual(['rcpt', 0]);
  expect(lastOf(false, true)).toEqual(['rset', 1]);
  expect(lastOf(true, false)).toEqual(['rset', 1]);
});

test('HELP after each recipient and RSETs in a row count as what they are to a host', () => {
  const flight = new Flight();
  flight.add(OURS, [taskOf('anna'), taskOf('ben')], 2, true);
  flight.sealBy(3);
  expect(flight.commands.map(({ kind }) => kind).join(' ')).toBe('mail rcpt help rcpt help rset rset rset');
  expect(flight.resets).toBe(5);
});

test.each([
  ['mail', 0, { 250: true, 421: true, 451: true, 553: true, 220: false, 221: false, 354: false }],
  ['rcpt', 1, { 250: true, 251: true, 421: true, 550: true, 221: false, 354: false, 260: false }],
  ['help', 2, { 211: true, 214: true, 502: true, 421: true, 250: false, 550: false }],
  ['rset', 3, { 250: true, 421: true, 502: true, 220: false, 450: false, 550: false }],
])('what %s can be answered with', (_kind, before, codes) => {
  for (const [code, expected] of Object.entries(codes)) {
    const flight = new Flight();
    flight.add(OURS, [taskOf('anna')], 1, true);
    for (const earlier of [250, 250, 214].slice(0, before)) flight.answer(said(earlier), 1);
    expect([code, flight.answer(said(Number(code)), 1)]).toEqual([code, expected]);
  }
});

test('one by one, what follows a refused MAIL is not sent; errors are counted, until nothing is known of them', () => {
  const flight = new Flight(true);
  flight.add('', [taskOf('anna'), taskOf('ben')], 1);
  flight.answer(said(553), 1);
  expect(flight.next).toBe(flight.commands[3]);
  for (const code of [250, 550, 250]) flight.answer(said(code), 2);
  expect([flight.isAnswered, flight.refusals]).toEqual([true, 2]);
  flight.forgetReplies();
  expect(flight.refusals).toBe(0);
  expect(flight.commands.every(({ reply }) => reply === null)).toBe(true);
});
