// What an address gets that refuses everyone: anyone can have domains whose MX hosts lead to a stranger's server.
import { expect, test } from 'vitest';
import type { DomainSpec, WorldSpec } from '../../world/src/spec.ts';
import { parsePolicy } from '../src/policy/parse-policy.ts';
import type { Policy } from '../src/policy/policy.ts';
import { ask, resumed, type VirtualRig, verdictOf, virtualChecker } from './virtual-checker.ts';

const IN_A_ROW = 20;
const RECIPIENTS = 6;
const CONNECTIONS = 3;
const MINUTE_MS = 60_000;
/** What ten connections carry before the first refusals are known. */
const IN_FLIGHT_MAX = 100;
const DOMAINS = 300;

function policyOf(everyone: Readonly<Record<string, number | null>>): Policy {
  const parsed = parsePolicy({ everyone });
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.policy;
}

const SLOW = policyOf({
  refusalsInARow: IN_A_ROW,
  refusingRecipientsPerMinute: RECIPIENTS,
  refusingConnectionsPerMinute: CONNECTIONS,
});

/** Domains with an MX host of their own each, which is another name for the same address. */
function attack(domains: Readonly<Record<string, DomainSpec>> = {}): WorldSpec {
  const led: Record<string, DomainSpec> = {};
  for (let i = 0; i < DOMAINS; i += 1) {
    led[`d${i}.example`] = { mx: [`mx.d${i}.example`] };
    led[`mx.d${i}.example`] = { cname: 'mx.victim.example' };
  }
  const victim = { host: { replyDelayMs: 20 }, mailboxes: ['anna'] };
  return { domains: { 'victim.example': victim, ...led, ...domains } };
}

const led = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ({ email: `anna@d${from + i}.example` }));

/** With the moments of every connection to the victim. */
function attacked(domains?: Readonly<Record<string, DomainSpec>>, policy = SLOW) {
  const connects: number[] = [];
  const virtual: VirtualRig = virtualChecker(attack(domains), {
    policy,
    connect: (target, events) => {
      if (target.ip === '127.1.0.1') connects.push(virtual.world.clock.now());
      return virtual.world.connect(target, events);
    },
  });
  return { virtual, connects };
}

/** When the victim was asked about recipients, by whichever domain. */
function asksOf({ world }: VirtualRig): number[] {
  const asks = [...world.seen.asks.values()].flat().filter(({ host }) => host === 'mx.victim.example');
  return asks.map(({ atMs }) => atMs).sort((a, b) => a - b);
}

/** The most within any minute. */
function mostAMinute(moments: readonly number[]): number {
  const counts = moments.map((at) => moments.filter((one) => one >= at && one < at + MINUTE_MS).length);
  return Math.max(0, ...counts);
}

test('an address that refuses everyone gets a few recipients and connections a minute, whatever leads there', async () => {
  const { virtual, connects } = attacked();
  const outcomes = await ask(virtual, led(0, DOMAINS));
  const burst = asksOf(virtual);
  expect(burst.length).toBeGreaterThanOrEqual(IN_A_ROW);
  expect(burst.length).toBeLessThanOrEqual(IN_A_ROW + IN_FLIGHT_MAX);
  const known = virtual.world.clock.now();
  let questions = resumed(led(0, DOMAINS), outcomes).filter(({ resume }) => resume !== undefined);
  for (let minutes = 0; minutes < 10; minutes += 1) {
    await virtual.sleep(MINUTE_MS);
    const again = await ask(virtual, questions);
    questions = resumed(questions, again).filter((_, at) => again[at]?.kind === 'later');
  }
  const since = (moments: readonly number[]) => moments.filter((at) => at > known);
  expect(since(asksOf(virtual)).length).toBeGreaterThan(2 * RECIPIENTS);
  expect(mostAMinute(since(asksOf(virtual)))).toBeLessThanOrEqual(RECIPIENTS);
  expect(mostAMinute(since(connects))).toBeLessThanOrEqual(CONNECTIONS);
});

test('what does not fit uses up no attempt, comes back in turn, and ends as rate_limited', async () => {
  const { virtual } = attacked();
  const outcomes = await ask(virtual, led(0, DOMAINS));
  const later = outcomes.filter((one) => one.kind === 'later');
  expect(later.length).toBeGreaterThan(100);
  expect(new Set(later.map(({ resume }) => `${resume.attempt} ${resume.detail}`))).toEqual(
    new Set(['0 rate_limited']),
  );
  const minutes = new Set(later.map(({ notBeforeMs }) => Math.floor(notBeforeMs / MINUTE_MS)));
  expect(minutes.size).toBe(11);
  const found = await attacked().virtual.checkAll(led(0, DOMAINS).map(({ email }) => email));
  const ends = [...found.values()].map((one) => `${verdictOf(one)} ${one.detail}`);
  expect(ends.filter((end) => end === 'unknown unavailable_smtp rate_limited').length).toBeGreaterThan(10);
  expect(found.size).toBe(DOMAINS);
});

test('one accepted recipient ends it', async () => {
  const { virtual } = attacked();
  await ask(virtual, led(0, 100));
  const slowed = await ask(virtual, led(100, 115));
  expect(slowed.some(({ kind }) => kind === 'later')).toBe(true);
  await virtual.sleep(2 * MINUTE_MS);
  expect(verdictOf(await virtual.check('anna@victim.example'))).toBe('deliverable accepted_email');
  const after = await ask(virtual, led(115, 130));
  expect(after.map(({ kind }) => kind)).toEqual(after.map(() => 'final'));
});

test('others are asked beside it as if alone', async () => {
  const ordinary = {
    'good.example': { host: { replyDelayMs: 20 }, mailboxes: { share: 0.5 } },
  };
  const emails = Array.from({ length: 200 }, (_, i) => ({ email: `p${i}@good.example` }));
  const tookMs = async (isAttacked: boolean) => {
    const { virtual } = attacked(ordinary);
    if (isAttacked) await ask(virtual, led(0, DOMAINS));
    const begunMs = virtual.world.clock.now();
    const outcomes = await ask(virtual, emails);
    expect(outcomes.every(({ kind }) => kind === 'final')).toBe(true);
    return virtual.world.clock.now() - begunMs;
  };
  expect(await tookMs(true)).toBe(await tookMs(false));
});

test('each of several nodes takes its share', async () => {
  const { virtual, connects } = attacked();
  virtual.checker.liveNodes = 3;
  await ask(virtual, led(0, 200));
  await virtual.sleep(2 * MINUTE_MS);
  const before = { asks: asksOf(virtual).length, connects: connects.length };
  await ask(virtual, led(200, DOMAINS));
  expect(asksOf(virtual).length - before.asks).toBe(RECIPIENTS / 3);
  expect(connects.length - before.connects).toBe(CONNECTIONS / 3);
});

test('the policy may leave it out', async () => {
  const { virtual } = attacked({}, policyOf({ refusalsInARow: null }));
  const outcomes = await ask(virtual, led(0, DOMAINS));
  expect(outcomes.every(({ kind }) => kind === 'final')).toBe(true);
});

test('waiting() says what its addresses wait for, and when their turn comes', async () => {
  const { virtual } = attacked();
  void virtual.checkAll(led(0, DOMAINS).map(({ email }) => email));
  await virtual.sleep(10_000);
  const now = virtual.world.clock.now();
  const waiting = virtual.checker.waiting().filter(({ why }) => why === 'rate_limited');
  expect(waiting.reduce((sum, { addresses }) => sum + addresses, 0)).toBeGreaterThan(100);
  for (const { nextAttemptAtMs } of waiting) expect(nextAttemptAtMs).toBeGreaterThan(now);
  await virtual.world.run(virtual.checker.close());
});
