// What somebody else's mail hosts cost: accounts beside one that takes every session, or fills a host's queue, in simulated
// time.
import { expect, test } from 'vitest';
import type { DomainSpec, HostSpec, WorldSpec } from '../../world/src/spec.ts';
import type { CheckerOptions } from '../src/index.ts';
import { DEFAULT_POLICY } from '../src/policy/default-policy.ts';
import type { Policy } from '../src/policy/policy.ts';
import { type Virtual, virtualChecker } from './virtual-checker.ts';

const GREEDY = 1;
const ORDINARY = 2;
const SESSIONS_MAX = 600;
const LISTS = 1_000;
const REPLY_MS = 50;
/** Connect, banner, EHLO, two flights, QUIT. */
const SESSION_MS = 6 * REPLY_MS;

function ask(
  virtual: Virtual,
  account: number,
  emails: readonly string[],
  { single = false, lot = 0 } = {},
): Promise<number> {
  const { checker, world } = virtual;
  const begunMs = world.clock.now();
  const questions = emails.map((email) => ({ email }));
  const priority = single ? ('single' as const) : ('list' as const);
  return checker
    .ask(questions, { account, lot, priority, onOutcome: () => {} })
    .then(() => world.clock.now() - begunMs);
}

interface Beside {
  readonly world: WorldSpec;
  readonly greedy: readonly string[];
  readonly ordinary: readonly string[];
  readonly single: string;
}

/** Spread over many lists, which take turns. */
function listsOf(emails: readonly string[]): readonly string[][] {
  const lists = Array.from({ length: LISTS }, (): string[] => []);
  for (const [i, email] of emails.entries()) lists[i % LISTS]?.push(email);
  return lists;
}

/** How long a list and a single check take beside the greedy account's, begun before. */
async function beside({ world, greedy, ordinary, single }: Beside, options: CheckerOptions) {
  const virtual = virtualChecker(world, { dnsSentinels: [], ...options });
  let isDone = false;
  if (greedy.length > 0)
    void Promise.all(listsOf(greedy).map((list, lot) => ask(virtual, GREEDY, list, { lot }))).then(() => {
      isDone = true;
    });
  await virtual.sleep(2_000);
  const list = ask(virtual, ORDINARY, ordinary, { lot: LISTS });
  const one = ask(virtual, GREEDY, [single], { single: true });
  const [listMs, singleMs] = await virtual.world.run(Promise.all([list, one]));
  const isGreedyDone = isDone;
  await virtual.world.run(virtual.checker.close(0));
  return { listMs, singleMs, isGreedyDone };
}

const HOSTS = 20;
const hosts = Array.from({ length: HOSTS }, (_, i) => `good${i}.example`);
const ordinary = hosts.flatMap((name) => Array.from({ length: 5 }, (_, i) => `p${i}@${name}`));
const good: DomainSpec = { host: { replyDelayMs: REPLY_MS }, mailboxes: { share: 1 } };
const goodDomains = Object.fromEntries([...hosts, 'single.example'].map((name) => [name, good]));

function tarpits(count: number, host: HostSpec): Beside {
  const names = Array.from({ length: count }, (_, i) => `tar${i}.example`);
  return {
    world: { domains: { ...goodDomains, ...Object.fromEntries(names.map((name) => [name, { host }])) } },
    greedy: names.map((name) => `p0@${name}`),
    ordinary,
    single: 'p0@single.example',
  };
}

test.each<[string, HostSpec]>([
  ['whose banner takes most of a minute', { at: { banner: { delayMs: 55_000 } } }],
  ['that say nothing at all', { at: { banner: { next: 'mute' } } }],
  ['that drip', { fragment: { bytes: 1, gapMs: 2_000 } }],
])('beside 6,000 hosts %s others are asked as if alone', async (what, host) => {
  const alone = await beside(tarpits(0, host), { maxSessions: SESSIONS_MAX });
  const crowded = await beside(tarpits(6_000, host), { maxSessions: SESSIONS_MAX });
  console.info(`6,000 hosts ${what}: alone ${JSON.stringify(alone)}, beside ${JSON.stringify(crowded)}`);
  expect(crowded.isGreedyDone).toBe(false);
  expect(crowded.listMs).toBeLessThanOrEqual(alone.listMs + SESSION_MS);
  expect(crowded.singleMs).toBeLessThanOrEqual(alone.singleMs + SESSION_MS);
});

const SHARED_MX = { mx: ['mx.shared.example'], mailboxes: { share: 1 } } as const;

const THREE_CONNECTIONS: Policy = {
  ...DEFAULT_POLICY,
  everyone: {
    ...DEFAULT_POLICY.everyone,
    limits: { ...DEFAULT_POLICY.everyone.limits, connections: 3 },
  },
};

/** All at one host; `greedyDomains`: how the greedy account's are spread. */
function atOneHost(greedyDomains: number, greedyCount: number, oursAt: string): Beside {
  const names = Array.from({ length: greedyDomains }, (_, i) => `g${i}.example`);
  const all = [...names, 'ours.example', 'single.example'];
  return {
    world: {
      hosts: { 'mx.shared.example': { replyDelayMs: REPLY_MS } },
      domains: Object.fromEntries(all.map((name) => [name, SHARED_MX])),
    },
    greedy: Array.from({ length: greedyCount }, (_, i) => `p${i}@${names[i % names.length]}`),
    ordinary: Array.from({ length: 10 }, (_, i) => `ours${i}@${oursAt}`),
    single: 'p0@single.example',
  };
}

test.each([
  ['20,000 of their domain', 1, 20_000, 'g0.example'],
  ['6,000 of 6,000 domains', 6_000, 6_000, 'ours.example'],
])('at one host with a few connections ten recipients do not wait for %s', async (what, domains, count, ours) => {
  const alone = await beside(atOneHost(1, 0, ours), { policy: THREE_CONNECTIONS });
  const crowded = await beside(atOneHost(domains, count, ours), { policy: THREE_CONNECTIONS });
  console.info(`${what}: alone ${JSON.stringify(alone)}, beside ${JSON.stringify(crowded)}`);
  expect(crowded.isGreedyDone).toBe(false);
  // The sessions that are open go on; ten recipients are two flights, each behind one of the others'.
  expect(crowded.listMs).toBeLessThanOrEqual(alone.listMs + 5 * SESSION_MS);
  expect(crowded.singleMs).toBeLessThanOrEqual(alone.singleMs + 5 * SESSION_MS);
});
