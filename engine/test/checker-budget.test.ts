// The policy's limits per hour and day: what is asked within them, what becomes of the rest, and who shares them.
import { expect, test } from 'vitest';
import type { WorldSpec } from '../../world/src/index.ts';
import { createChecker, type Outcome } from '../src/index.ts';
import { parsePolicy } from '../src/policy/parse-policy.ts';
import { MemoryPermits } from '../src/smtp/hosts/memory-permits.ts';
import { explain } from '../src/verdict/explain.ts';
import { ask, askWith, resumed, type VirtualRig, verdictOf, virtualChecker } from './virtual-checker.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;

function policyOf(json: unknown) {
  const parsed = parsePolicy(json);
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.policy;
}

const people = (count: number, domain: string) =>
  Array.from({ length: count }, (_, i) => ({ email: `p${i}@${domain}` }));

/** Tenants of one provider, each with a host of its own. */
function tenants(count: number): WorldSpec {
  const nameOf = (i: number) => `d${i}-example.mail.protection.outlook.com`;
  const all = Array.from({ length: count }, (_, i) => i);
  return {
    hosts: Object.fromEntries(all.map((i) => [nameOf(i), {}])),
    domains: Object.fromEntries(
      all.map((i) => [`d${i}.example`, { mx: [nameOf(i)], mailboxes: { share: 1 } }]),
    ),
  };
}

const ONE_HOST: WorldSpec = { domains: { 'a.example': { host: {}, mailboxes: { share: 1 } } } };

/** Recipients, probes included, by hour or day of the world's clock. */
function askedBy(virtual: VirtualRig, windowMs: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const asks of virtual.world.seen.asks.values())
    for (const { atMs } of asks) {
      const window = Math.floor(atMs / windowMs);
      counts.set(window, (counts.get(window) ?? 0) + 1);
    }
  return counts;
}

const most = (counts: ReadonlyMap<number, number>) => Math.max(...counts.values());
const total = (virtual: VirtualRig) => [...virtual.world.seen.asks.values()].flat().length;

test('a limit per hour is kept over all hosts of the provider, and the rest is asked in the hours after', async () => {
  const policy = policyOf({ hosts: [{ provider: 'microsoft', recipientsPerHour: 40 }] });
  const virtual = virtualChecker(tenants(30), { policy, retrySeconds: [HOUR_MS / 1_000, 3 * 3_600] });
  const found = await virtual.checkAll(Array.from({ length: 90 }, (_, i) => `p${i}@d${i % 30}.example`));
  expect(new Set([...found.values()].map(verdictOf))).toEqual(new Set(['deliverable accepted_email']));
  // Ninety and thirty probes; an hour that has begun may be used up as well.
  expect(most(askedBy(virtual, HOUR_MS))).toBe(40);
  expect(askedBy(virtual, HOUR_MS).size).toBeGreaterThanOrEqual(3);
});

test('what is held back waits for the next hour without using up an attempt, and says what it waits for', async () => {
  const policy = policyOf({ everyone: { recipientsPerHour: 5 } });
  const virtual = virtualChecker(ONE_HOST, { policy });
  const questions = people(12, 'a.example');
  const outcomes = await ask(virtual, questions);
  const nextHourMs = (Math.floor(virtual.world.clock.now() / HOUR_MS) + 1) * HOUR_MS;
  const later = outcomes.filter((one) => one.kind === 'later');
  // Those accepted wait as well: for the probe of their domain.
  expect([later.length, total(virtual)]).toEqual([12, 5]);
  for (const { resume, notBeforeMs } of later) {
    expect([resume.attempt, resume.detail]).toEqual([0, 'budget']);
    expect(notBeforeMs).toBeGreaterThanOrEqual(nextHourMs);
    expect(notBeforeMs).toBeLessThan(nextHourMs + MINUTE_MS);
  }
  const again = await ask(
    virtual,
    resumed(questions, outcomes).filter(({ resume }) => resume !== undefined),
  );
  expect(again.every((one) => one.kind === 'later' && one.resume.attempt === 0)).toBe(true);
  expect(total(virtual)).toBe(5);
});

test('a single check waits like a list does', async () => {
  const policy = policyOf({ everyone: { recipientsPerHour: 2 } });
  const virtual = virtualChecker(ONE_HOST, { policy });
  await ask(virtual, people(1, 'a.example'));
  const outcomes: Outcome[] = [];
  const single = { priority: 'single', onOutcome: (_: number, one: Outcome) => outcomes.push(one) } as const;
  await virtual.world.run(virtual.checker.ask([{ email: 'p1@a.example' }], single));
  expect(outcomes).toMatchObject([{ kind: 'later', resume: { attempt: 0, detail: 'budget' } }]);
});

test('without a limit no permit is asked for', async () => {
  const refuse = () => Promise.reject(new Error('a permit was asked for'));
  const policy = policyOf({ hosts: [{ provider: 'google', recipientsPerHour: 2 }] });
  const virtual = virtualChecker(tenants(5), { policy, permits: { take: refuse, giveBack: refuse } });
  const found = await virtual.checkAll(Array.from({ length: 50 }, (_, i) => `p${i}@d${i % 5}.example`));
  expect(new Set([...found.values()].map(verdictOf))).toEqual(new Set(['deliverable accepted_email']));
  expect(virtual.log).toEqual([]);
});

test('no connection is opened that would have nothing to ask', async () => {
  const policy = policyOf({ hosts: [{ provider: 'microsoft', recipientsPerDay: 2 }] });
  const virtual = virtualChecker(tenants(20), { policy });
  const questions = Array.from({ length: 20 }, (_, i) => ({ email: `p0@d${i}.example` }));
  await ask(virtual, questions);
  expect([total(virtual), virtual.world.seen.total.connections]).toEqual([2, 2]);
  await ask(virtual, questions);
  expect([total(virtual), virtual.world.seen.total.connections]).toEqual([2, 2]);
});

test('a day that is used up ends an address as unknown, in a sentence of its own', async () => {
  const policy = policyOf({ everyone: { recipientsPerDay: 2 } });
  const virtual = virtualChecker(ONE_HOST, { policy, retrySeconds: [1] });
  const found = await virtual.checkAll(people(3, 'a.example').map(({ email }) => email));
  const held = [...found.values()].filter(({ detail }) => detail === 'budget');
  expect(held.length).toBeGreaterThan(0);
  expect(most(askedBy(virtual, DAY_MS))).toBe(2);
  const [finding] = held;
  if (finding === undefined) throw new Error('one is held back');
  expect(verdictOf(finding)).toBe('unknown unavailable_smtp');
  expect(explain(finding, finding.evidence)).toMatch(/limits how many addresses .* used up/);
});

test('while the hour is used up, checker.waiting() says so', async () => {
  const policy = policyOf({ everyone: { recipientsPerHour: 3 } });
  const virtual = virtualChecker(
    { domains: { 'a.example': { host: { replyDelayMs: 4_000 }, mailboxes: { share: 1 } } } },
    { policy },
  );
  const over = virtual.checker.ask(people(9, 'a.example'), { lot: 7, onOutcome: () => {} });
  await virtual.sleep(17_000);
  const groups = virtual.checker
    .waiting()
    .filter(({ why }) => why !== 'checking' && why !== 'catch_all_unknown');
  expect(groups.map(({ why, host }) => `${why} ${host}`)).toEqual(['budget mx.a.example']);
  expect((groups[0]?.nextAttemptAtMs ?? 0) % HOUR_MS).toBeLessThan(MINUTE_MS);
  await virtual.world.run(over);
});

test('checkers that share a source share its limit, also after a restart; another source has its own', async () => {
  const policy = policyOf({ everyone: { recipientsPerDay: 10 } });
  const virtual = virtualChecker(ONE_HOST, { policy });
  const { clock, resolver, connect } = virtual.world;
  const permits = new MemoryPermits(clock);
  const checkerAt = (ip: string) =>
    createChecker({
      clock,
      resolver,
      connect,
      permits,
      policy,
      allowPrivateTargets: true,
      sources: [{ ip, heloName: 'probe.example.org' }],
    });
  const [one, two] = [checkerAt('127.0.0.2'), checkerAt('127.0.0.2')];
  const half = (from: number) => people(12, 'a.example').map(({ email }) => ({ email: `${from}${email}` }));
  await Promise.all([askWith(virtual, one, half(1)), askWith(virtual, two, half(2))]);
  expect(total(virtual)).toBe(10);
  await virtual.world.run(one.close());
  await askWith(virtual, checkerAt('127.0.0.2'), half(3));
  expect(total(virtual)).toBe(10);
  await askWith(virtual, checkerAt('127.0.0.3'), half(4));
  expect(total(virtual)).toBe(20);
});

test('a source that is being warmed up asks no more of a provider than its day allows; another asks all', async () => {
  const policy = policyOf({
    sources: { '127.0.0.2': { warmUp: { perDay: 12, providers: { other: { perDay: 4 } } } } },
  });
  const others = Object.fromEntries(
    Array.from({ length: 6 }, (_, i) => [`o${i}.example`, { host: {}, mailboxes: { share: 1 } }]),
  );
  const spec = tenants(6);
  const virtual = virtualChecker({ ...spec, domains: { ...spec.domains, ...others } });
  const { clock, resolver, connect } = virtual.world;
  const permits = new MemoryPermits(clock);
  const base = { clock, resolver, connect, permits, policy, allowPrivateTargets: true };
  const at = (ip: string) => createChecker({ ...base, sources: [{ ip, heloName: 'probe.example.org' }] });
  const questions = (domain: string, from: string) =>
    Array.from({ length: 30 }, (_, i) => ({ email: `${from}${i}@${domain}${i % 6}.example` }));
  const cold = at('127.0.0.2');
  const microsoft = await askWith(virtual, cold, questions('d', 'a'));
  expect(total(virtual)).toBe(12);
  const held = microsoft.filter((one) => one.kind === 'later' && one.resume.detail === 'budget');
  expect(held.length).toBeGreaterThanOrEqual(18);
  // Each host of no known provider is counted by itself.
  await askWith(virtual, cold, questions('o', 'b'));
  expect(total(virtual)).toBe(12 + 6 * 4);
  const warm = await askWith(virtual, at('127.0.0.3'), questions('d', 'c'));
  expect(warm.every(({ kind }) => kind === 'final')).toBe(true);
  // Without a memory of its own every day is the first.
  await virtual.sleep(DAY_MS);
  const before = total(virtual);
  await askWith(virtual, cold, questions('d', 'd'));
  expect(total(virtual) - before).toBe(12);
});

test('a provider that the policy limits as well is asked as little as the stricter of the two allows', async () => {
  const most = async (recipientsPerDay: number, perDay: number) => {
    const policy = policyOf({
      hosts: [{ provider: 'microsoft', recipientsPerDay }],
      sources: { '*': { warmUp: { perDay } } },
    });
    const virtual = virtualChecker(tenants(3), { policy });
    await ask(
      virtual,
      Array.from({ length: 30 }, (_, i) => ({ email: `p${i}@d${i % 3}.example` })),
    );
    return total(virtual);
  };
  expect([await most(10, 20), await most(20, 10)]).toEqual([10, 10]);
});

test('what a list that was handed back had reserved is given back', async () => {
  const policy = policyOf({ everyone: { recipientsPerDay: 100 } });
  const virtual = virtualChecker({
    domains: { 'a.example': { host: { replyDelayMs: 1_000 }, mailboxes: { share: 1 } } },
  });
  const { clock, resolver, connect } = virtual.world;
  const permits = new MemoryPermits(clock);
  const options = {
    clock,
    resolver,
    connect,
    permits,
    policy,
    allowPrivateTargets: true,
    heloName: 'p.example',
  };
  const [one, two] = [createChecker(options), createChecker(options)];
  const stop = new AbortController();
  const over = one.ask(people(100, 'a.example'), { signal: stop.signal, onOutcome: () => {} });
  await virtual.sleep(500);
  stop.abort();
  await virtual.world.run(over);
  // By itself, while the checker lives on.
  await virtual.sleep(MINUTE_MS);
  const outcomes = await askWith(virtual, two, people(60, 'a.example'));
  expect(outcomes.filter((outcome) => outcome.kind === 'final')).toHaveLength(60);
});

test('where the limits cannot be read nothing is asked that they limit, and the rest is', async () => {
  let isDown = true;
  const policy = policyOf({ hosts: [{ provider: 'microsoft', recipientsPerDay: 100 }] });
  const spec = tenants(1);
  const world = { ...spec, domains: { ...spec.domains, ...ONE_HOST.domains } };
  const memory = new MemoryPermits({ now: () => 0, setTimeout: () => null, clearTimeout: () => {} });
  const virtual = virtualChecker(world, {
    policy,
    permits: {
      take: (request) => (isDown ? Promise.reject(new Error('no database')) : memory.take(request)),
      giveBack: (permits) => memory.giveBack(permits),
    },
  });
  expect(verdictOf(await virtual.check('p0@a.example'))).toBe('deliverable accepted_email');
  const before = total(virtual);
  const held = virtual.checker.check('p0@d0.example');
  await virtual.sleep(MINUTE_MS);
  expect(total(virtual)).toBe(before);
  expect(virtual.log.filter(({ event }) => event === 'budget_unknown')).toHaveLength(1);
  isDown = false;
  expect(verdictOf(await virtual.world.run(held))).toBe('deliverable accepted_email');
});
