// What goes out together, for sessions and hosts of every kind.
import { expect, test } from 'vitest';
import { compose, type FlightScene, task, US } from '../../../test/compose-scene.ts';
import type { MxHost } from '../hosts/mx-host.ts';
import type { Flight } from '../session/flight.ts';

/** MAIL, RCPT, HELP, RSET and QUIT by their letters, `R10` for ten in a row. */
function letters(flight: Flight | null): string {
  if (flight === null) return 'none';
  const kinds = { mail: 'M', rcpt: 'R', help: 'H', rset: 'X' };
  const text = flight.commands.map(({ kind }) => kinds[kind]).join('') + (flight.quits ? 'Q' : '');
  return text.replace(/(.)\1{2,}/g, (run, letter) => `${letter}${run.length}`);
}

const MANY_ERRORS = { refusalsPerConnection: 1_000 };
const ONE_BY_ONE = { pipelining: false };
const missesGoodbye = ({ replies }: MxHost) => replies.missedGoodbye();

test.each<[string, FlightScene, string]>([
  ['a few go in one transaction', { queued: 3 }, 'MR3X'],
  ['no more than the errors a session may draw', { queued: 50 }, 'MR10X'],
  ['and those it has drawn are counted', { queued: 50, session: { refusals: 7, flights: 1 } }, 'MR3X'],
  ['none left: no flight', { queued: 5, session: { refusals: 10, flights: 1 } }, 'none'],
  ['except the first, whatever the greeting drew', { queued: 5, session: { refusals: 10 } }, 'MRX'],
  [
    'at most a hundred',
    { queued: 500, limits: { ...MANY_ERRORS, recipientsPerConnection: 500 } },
    'MR50XMR50X',
  ],
  ['a fair share, where other sessions come', { queued: 40, sharers: 4, limits: MANY_ERRORS }, 'MR10X'],
  ['but at least eight', { queued: 20, sharers: 10, limits: MANY_ERRORS }, 'MR8X'],
  ['one by one at most eight, and no goodbye rides along', { queued: 50, session: ONE_BY_ONE }, 'MR8X'],
  ['what a connection takes', { queued: 9, limits: { recipientsPerConnection: 4 } }, 'MR4Q'],
  [
    'as many transactions',
    { queued: 9, limits: { transactionsPerConnection: 1, recipientsPerTransaction: 4 } },
    'MR4Q',
  ],
  [
    'with an empty sender as many recipients, those before included',
    {
      queued: 9,
      mailFrom: '',
      session: { transactions: 3, flights: 1 },
      limits: { transactionsPerConnection: 5 },
    },
    'MRXMRQ',
  ],
  ['what a minute takes', { queued: 9, limits: { recipientsPerMinute: 3 } }, 'MR3X'],
  ['what a transaction takes', { queued: 5, limits: { recipientsPerTransaction: 3 } }, 'MR3XMRRX'],
  ['what RCPTMAX allows in one', { queued: 5, session: { recipientsMax: 2 } }, 'MRRXMRRXMRX'],
  ['an empty sender has one recipient per transaction', { queued: 2, mailFrom: '' }, 'MRXMRX'],
  ['a MAIL that may be refused is an error too', { queued: 50, isNewSender: true }, 'MR9X'],
  [
    'one for each transaction',
    { queued: 50, isNewSender: true, limits: { recipientsPerTransaction: 4 } },
    'MR4XMR4X',
  ],
  [
    'one recipient goes first, where a single error is allowed',
    { queued: 5, isNewSender: true, limits: { refusalsPerConnection: 1 } },
    'MRX',
  ],
  [
    'RSETs that Exim tolerates',
    { queued: 20, mailFrom: '', session: { banner: 'mx ESMTP Exim 4.98', resets: 6 }, limits: MANY_ERRORS },
    'MRXMRXMRX',
  ],
  [
    'a host without a goodbye: one recipient per transaction',
    { queued: 2, session: ONE_BY_ONE, host: missesGoodbye },
    'MRXMRX',
  ],
  [
    'and HELP behind each where its words are alike, which is an error too',
    {
      queued: 50,
      session: ONE_BY_ONE,
      limits: { refusalsPerConnection: 6 },
      host: (mxHost) => {
        missesGoodbye(mxHost);
        mxHost.replies.sawAlike();
      },
    },
    'MRHXMRHXMRHX',
  ],
  [
    'goodbye rides along where a new session asks more in the same time',
    { queued: 50, session: { recipients: 60, flights: 1, replyMs: 100, readyAfterMs: 100 } },
    'MR10Q',
  ],
  [
    'which one that is short for want of recipients says nothing about',
    { queued: 2, session: { recipients: 60, flights: 1, replyMs: 100, readyAfterMs: 100 } },
    'MRRX',
  ],
  [
    'or where the next flight could draw no more errors',
    {
      queued: 50,
      host: ({ errors }) => {
        for (let flights = 0; flights < 50; flights += 1) errors.answered(10, 10);
      },
    },
    'MR10Q',
  ],
  ['a late session says goodbye', { queued: 3, session: { isLate: () => true } }, 'MR3Q'],
])('%s', (_, given, commands) => {
  expect(letters(compose(given).flight)).toBe(commands);
});

test('what does not fit stays in the queue, in its order', () => {
  const { flight, queue } = compose({ queued: 12, isNewSender: true });
  expect(flight?.recipients).toBe(9);
  expect(queue.take(9).map(({ address }) => address.local)).toEqual(['p9', 'p10', 'p11']);
});

test('a recipient that needs SMTPUTF8 is asked about only where it is offered', () => {
  const tasks = () => [task(0), task(1, { address: { ...task(1).address, needsSmtpUtf8: true } })];
  const without = compose({ queued: 2 }, tasks());
  expect(letters(without.flight)).toBe('MRX');
  expect(without.unsupported.map(({ address }) => address.local)).toEqual(['p1']);
  const offered = compose({ queued: 2, session: { smtpUtf8: true } }, tasks());
  expect(letters(offered.flight)).toBe('MRXMRX');
  expect(offered.flight?.commands[3]?.words).toBe(`MAIL FROM:<${US}> SMTPUTF8`);
  expect(offered.unsupported).toEqual([]);
});

test('a place is kept for the probe that goes behind the first recipient', () => {
  const probe = task(99, { kind: 'catch_all' });
  const tasks = Array.from({ length: 20 }, (_, n) =>
    task(n, { probeBehind: () => (n === 0 ? probe : null) }),
  );
  const { flight } = compose({ queued: 20 }, tasks);
  expect(flight?.recipients).toBe(10);
  expect(flight?.commands.filter(({ kind }) => kind === 'rcpt').at(-1)?.task).toBe(probe);
});
