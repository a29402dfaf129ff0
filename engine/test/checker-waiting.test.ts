// What the addresses that have no outcome wait for, at every moment of their lives: checker.waiting().
import { expect, test } from 'vitest';
import type { WorldSpec } from '../../world/src/index.ts';
import type { HostSpec } from '../../world/src/spec.ts';
import type { Outcome, WaitingGroup } from '../src/types.ts';
import { type VirtualRig, virtualChecker } from './virtual-checker.ts';

const SLOW_DNS_MS = 1_000;

/** A domain at a host of its own, mx.a.example. */
const at = (host: HostSpec, mailboxes: readonly string[] = ['anna']): WorldSpec => ({
  domains: { 'a.example': { host, mailboxes } },
});

/** Asks, and looks after so long what is waited for. */
async function waitingAfter(virtual: VirtualRig, emails: readonly string[], ms: number, lot = 7) {
  const outcomes: Outcome[] = [];
  const over = virtual.checker.ask(
    emails.map((email) => ({ email })),
    { lot, onOutcome: (_, outcome) => outcomes.push(outcome) },
  );
  await virtual.sleep(ms);
  const groups = virtual.checker.waiting();
  return { groups, outcomes, over: () => virtual.world.run(over) };
}

const short = (groups: readonly WaitingGroup[]) =>
  groups.map(({ why, host, addresses }) => `${addresses} ${why} ${host}`);

test('while its domain is looked up, an address is queued and no host is known', async () => {
  const virtual = virtualChecker({ ...at({}), dns: { latencyMs: SLOW_DNS_MS } });
  const { groups, over } = await waitingAfter(virtual, ['anna@a.example'], 500);
  expect(groups).toEqual([
    { lot: 7, why: 'queued', host: null, provider: null, addresses: 1, attempt: 1, nextAttemptAtMs: null },
  ]);
  await over();
  expect(virtual.checker.waiting()).toEqual([]);
});

test('an address on the wire is being checked', async () => {
  const virtual = virtualChecker(at({ replyDelayMs: 1_000 }));
  // Connect, banner, EHLO: one delay each; then the flight.
  const { groups } = await waitingAfter(virtual, ['anna@a.example'], 3_500);
  expect(groups).toEqual([
    {
      lot: 7,
      why: 'checking',
      host: 'mx.a.example',
      provider: 'other',
      addresses: 1,
      attempt: 1,
      nextAttemptAtMs: null,
    },
  ]);
});

test('a host that does not pick up is said not to answer', async () => {
  const virtual = virtualChecker(at({ down: 'silent' }));
  const { groups } = await waitingAfter(virtual, ['anna@a.example', 'ben@a.example'], 5_000);
  expect(short(groups)).toEqual(['2 timeout mx.a.example']);
});

test('behind a host that asks for a slower pace, addresses wait for the end of its pause', async () => {
  const reply = '421 4.7.0 Too many messages, slow down, try again in 5 seconds';
  const virtual = virtualChecker(at({ replyDelayMs: 50, at: { rcpt: { reply, next: 'drop', times: 1 } } }));
  const nowMs = virtual.world.clock.now();
  const { groups, over } = await waitingAfter(virtual, ['anna@a.example', 'ben@a.example'], 1_000);
  expect(short(groups)).toEqual(['2 rate_limited mx.a.example']);
  const [group] = groups;
  expect(group?.nextAttemptAtMs).toBeGreaterThan(nowMs + 1_000);
  expect(group?.nextAttemptAtMs).toBeLessThan(nowMs + 7_000);
  await over();
});

test('what is accepted waits until its domain is known to tell its recipients apart', async () => {
  // The probe behind it is deferred, and asked again in a session of its own.
  const deferred = { reply: '451 4.3.0 Try again later', after: 1, times: 1 };
  const virtual = virtualChecker(at({ replyDelayMs: 400, at: { rcpt: deferred } }));
  const seen = new Set<string>();
  const { over, outcomes } = await waitingAfter(virtual, ['anna@a.example'], 0);
  for (let step = 0; step < 100; step += 1) {
    await virtual.sleep(100);
    for (const { why } of virtual.checker.waiting()) seen.add(why);
  }
  await over();
  expect([...seen]).toEqual(['queued', 'checking', 'catch_all_unknown']);
  expect(outcomes).toMatchObject([{ kind: 'final', finding: { state: 'deliverable' } }]);
});

test('a vague refusal waits to be compared, and says so', async () => {
  const virtual = virtualChecker(
    at({ wording: 'relaying_denied', replyDelayMs: 100 } as HostSpec, ['anna', 'ben', 'carla']),
  );
  const emails = ['anna@a.example', 'ben@a.example', 'nobody@a.example'];
  const seen = new Set<string>();
  const { over, outcomes } = await waitingAfter(virtual, emails, 0);
  for (let step = 0; step < 200; step += 1) {
    await virtual.sleep(20);
    const groups = virtual.checker.waiting();
    for (const { why } of groups) seen.add(why);
    const waiting = groups.reduce((sum, { addresses }) => sum + addresses, 0);
    expect(waiting + outcomes.length).toBe(emails.length);
  }
  await over();
  expect(seen).toContain('unclear');
});

test('a failure that may be our own network’s says so until it is judged', async () => {
  const virtual = virtualChecker({
    domains: {
      'a.example': { host: {}, mailboxes: ['anna'] },
      'b.example': { host: { down: true }, mailboxes: [] },
    },
  });
  await virtual.check('anna@a.example');
  const { groups, over, outcomes } = await waitingAfter(virtual, ['ben@b.example'], 2_000);
  expect(short(groups)).toEqual(['1 network_down mx.b.example']);
  await over();
  expect(outcomes.map(({ kind }) => kind)).toEqual(['later']);
});

test('a greylisted address of checkAll waits in memory, with the time of its next attempt', async () => {
  const virtual = virtualChecker(at({ greylist: { delayMs: 200_000 } }));
  const nowMs = virtual.world.clock.now();
  const all = virtual.checkAll(['anna@a.example']);
  await virtual.sleep(30_000);
  const [group, ...rest] = virtual.checker.waiting();
  expect(rest).toEqual([]);
  expect(group).toMatchObject({
    why: 'greylisted',
    host: 'mx.a.example',
    provider: 'other',
    addresses: 1,
    attempt: 2,
  });
  expect(group?.nextAttemptAtMs).toBeGreaterThan(nowMs + 30_000);
  await all;
  expect(virtual.checker.waiting()).toEqual([]);
});

test('of several lots one can be asked about alone', async () => {
  const virtual = virtualChecker(at({ down: 'silent' }));
  await waitingAfter(virtual, ['anna@a.example'], 0, 1);
  await waitingAfter(virtual, ['ben@a.example', 'carla@a.example'], 100, 2);
  const sum = (groups: readonly WaitingGroup[]) => groups.reduce((all, { addresses }) => all + addresses, 0);
  expect([1, 2, 3].map((lot) => sum(virtual.checker.waiting(lot)))).toEqual([1, 2, 0]);
  expect(sum(virtual.checker.waiting())).toBe(3);
});
