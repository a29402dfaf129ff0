// A reply belongs to its own command, or is discarded: hosts whose replies are lost, doubled or cut short.
import { expect, test } from 'vitest';
import type { HostSpec } from '../../world/src/spec.ts';
import { verdictOf, virtualChecker } from './virtual-checker.ts';

const SENDER = 'probe@probe.example.org';
const PEOPLE = ['anna', 'bert', 'carla'];
const UNKNOWN = ['xaver', 'yoko', 'zeno'];

/** By turns, so that one reply too few or too many gives every recipient behind it the wrong one. */
const EMAILS = PEOPLE.flatMap((local, i) => [`${local}@a.example`, `${UNKNOWN[i]}@a.example`]);
/** Two whose refusals name no mailbox: only their position tells which command they belong to. */
const WORDINGS = ['exim', 'bare'] as const;

async function verdicts(host: HostSpec, mailFrom: string, emails = EMAILS) {
  const virtual = virtualChecker({ domains: { 'a.example': { host, mailboxes: PEOPLE } } }, { mailFrom });
  const found = await virtual.checkAll(emails);
  return {
    virtual,
    wrong: emails.filter((email) => {
      const { state } = found.get(email) ?? {};
      return state !== 'unknown' && state !== virtual.world.truth(email).state;
    }),
    missed: emails.filter((email) => found.get(email)?.state === 'unknown'),
    said: emails.map((email) => verdictOf(found.get(email))),
  };
}

test.each([
  '',
  SENDER,
])('a host that loses one reply to RCPT and closes without 221 misplaces no reply: from <%s>', async (mailFrom) => {
  const all: unknown[] = [];
  for (const wording of WORDINGS)
    for (const after of [0, 1, 2, 3]) {
      const rcpt = { mangle: 'lost', after, times: 1 } as const;
      const { wrong, missed } = await verdicts({ wording, at: { rcpt, quit: { next: 'drop' } } }, mailFrom);
      all.push({ wording, after, wrong, missed });
    }
  expect(all).toEqual(all.map((one) => ({ ...(one as object), wrong: [], missed: [] })));
});

const GOODBYES = {
  '221': undefined,
  'a hang-up': { next: 'drop' },
  'a reset': { next: 'reset' },
  silence: { next: 'silent' },
  '250, then a hang-up': { reply: '250 Bye', next: 'drop' },
  '421': { reply: '421 4.3.2 Closing', next: 'drop' },
} as const;

test.each(
  Object.entries(GOODBYES),
)('an honest host is understood whose answer to QUIT is %s', async (_what, quit) => {
  for (const wording of WORDINGS)
    for (const pipelining of ['offered', 'none'] as const)
      for (const help of ['answered', 'not_implemented'] as const)
        for (const mailFrom of ['', SENDER]) {
          const host: HostSpec = {
            wording,
            pipelining,
            help,
            ...(quit === undefined ? {} : { at: { quit } }),
          };
          const { wrong, missed, virtual } = await verdicts(host, mailFrom);
          expect([host, mailFrom, wrong, missed]).toEqual([host, mailFrom, [], []]);
          expect(virtual.world.seen.total).toMatchObject({ delays: 0, outOfPlace: 0 });
        }
});

test('a host that hangs up at the first error is understood whatever its words, and however it takes HELP', async () => {
  for (const wording of WORDINGS)
    for (const help of ['answered', 'not_implemented'] as const)
      for (const pipelining of ['offered', 'none'] as const) {
        const limits = { softErrors: 1, softErrorDelayMs: 0, hardErrors: 1 };
        const { wrong, missed } = await verdicts({ wording, help, pipelining, limits }, SENDER);
        expect([wording, help, pipelining, wrong, missed]).toEqual([wording, help, pipelining, [], []]);
      }
});

test('HELP is asked only of a host that says no 221 and replies alike to every command', async () => {
  for (const { wording, quit, asks } of [
    { wording: 'bare', quit: undefined, asks: false },
    { wording: 'exim', quit: { next: 'drop' }, asks: false },
    { wording: 'bare', quit: { next: 'drop' }, asks: true },
  ] as const) {
    const { virtual } = await verdicts({ wording, ...(quit === undefined ? {} : { at: { quit } }) }, SENDER);
    expect([wording, quit, virtual.world.seen.total.helps > 0]).toEqual([wording, quit, asks]);
  }
});

test.each([
  ['the copy of a reply that comes later', { mangle: 'twice', copyAfterMs: 21 }],
  ['a reply said twice', { mangle: 'twice' }],
  ['a reply lost', { mangle: 'lost' }],
  ['two replies on one line', { mangle: 'merged' }],
  ['two replies without a line end', { mangle: 'glued' }],
  ['half a reply, and the end', { mangle: 'cut' }],
] as const)('%s in a later session of a host known to be in step misplaces no reply', async (_what, fault) => {
  const emails = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? `p${i}@a.example` : `x${i}@a.example`));
  const known = emails
    .filter((email) => email.startsWith('p'))
    .map((email) => email.slice(0, email.indexOf('@')));
  for (const wording of WORDINGS)
    for (const mailFrom of ['', SENDER])
      for (const stage of ['ehlo', 'mail', 'rcpt', 'rset', 'quit'] as const)
        for (const afterAll of [1, 9, 25]) {
          const at = { [stage]: { ...fault, afterAll, times: 2 } };
          const host: HostSpec = { wording, replyDelayMs: 20, at };
          const virtual = virtualChecker(
            { domains: { 'a.example': { host, mailboxes: known } } },
            { mailFrom },
          );
          const found = await virtual.checkAll(emails);
          const odd = emails.filter((email) => found.get(email)?.state !== virtual.world.truth(email).state);
          expect([wording, mailFrom, stage, afterAll, odd]).toEqual([wording, mailFrom, stage, afterAll, []]);
        }
});

test('single checks one after the other share sessions, each sealed, none by fewer RSETs than the one before', async () => {
  const host: HostSpec = { replyDelayMs: 20 };
  const virtual = virtualChecker(
    { domains: { 'a.example': { host, mailboxes: PEOPLE } } },
    { mailFrom: SENDER },
  );
  for (let i = 0; i < 10; i += 1)
    for (const local of [...PEOPLE, ...UNKNOWN]) {
      const email = `${local}@a.example`;
      expect((await virtual.check(email)).state).toBe(virtual.world.truth(email).state);
    }
  const { connections, delays, outOfPlace } = virtual.world.seen.total;
  expect({ delays, outOfPlace }).toEqual({ delays: 0, outOfPlace: 0 });
  expect(connections).toBeLessThan(12);
});

test('a host that says everything twice, later, is not believed by what it said before', async () => {
  for (const copyAfterMs of [5, 19, 20, 21, 39, 40, 60, 100])
    for (const after of [1, 2]) {
      const late = { mangle: 'twice', copyAfterMs, after } as const;
      const host: HostSpec = {
        replyDelayMs: 20,
        wording: 'google',
        at: { mail: late, rcpt: late, rset: late },
      };
      const virtual = virtualChecker(
        { domains: { 'a.example': { host, mailboxes: PEOPLE } } },
        { mailFrom: SENDER },
      );
      for (const email of [...EMAILS, ...EMAILS]) {
        const { state } = await virtual.check(email);
        if (state !== 'unknown') expect([email, state]).toEqual([email, virtual.world.truth(email).state]);
      }
    }
});

test('a host that lost a reply is asked one by one for an hour, and then in flights again', async () => {
  const host: HostSpec = { replyDelayMs: 100, at: { rcpt: { mangle: 'lost', times: 1 } } };
  const virtual = virtualChecker(
    { domains: { 'a.example': { host, mailboxes: { share: 1 } } } },
    { mailFrom: SENDER },
  );
  const { clock } = virtual.world;
  let asked = 0;
  const secondsFor = async (count: number) => {
    const startMs = clock.now();
    await virtual.checkAll(Array.from({ length: count }, () => `p${asked++}@a.example`));
    return (clock.now() - startMs) / 1_000;
  };
  expect(await secondsFor(8)).toBeGreaterThan(60);
  const oneByOne = await secondsFor(40);
  await virtual.sleep(3_600_000);
  const inFlights = await secondsFor(40);
  expect(inFlights).toBeLessThan(oneByOne / 2);
});
