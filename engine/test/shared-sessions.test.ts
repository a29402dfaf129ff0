// What another account's mail hosts cost: accounts beside one that takes every session, or fills a host's queue, in simulated
// time.
import { expect, test } from 'vitest';
import type { DomainSpec, HostSpec, WorldSpec } from '../../world/src/spec.ts';
import type { CheckerOptions } from '../src/index.ts';
import { DEFAULT_POLICY } from '../src/policy/default-policy.ts';
import type { Policy } from '../src/policy/policy.ts';
import type { Resolver } from '../src/ports.ts';
import { overhear } from './overhear.ts';
import { type VirtualRig, virtualChecker } from './virtual-checker.ts';

const GREEDY = 1;
const ORDINARY = 2;
const SESSIONS_MAX = 600;
const LISTS = 1_000;
const REPLY_MS = 50;
/** Connect, banner, EHLO, two flights, QUIT. */
const SESSION_MS = 6 * REPLY_MS;

function ask(
  virtual: VirtualRig,
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

interface SharedScene {
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
async function beside({ world, greedy, ordinary, single }: SharedScene, options: CheckerOptions) {
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

function tarpits(count: number, host: HostSpec): SharedScene {
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
  ['that say nothing at all', { at: { banner: { next: 'silent' } } }],
  ['that drip', { fragment: { bytes: 1, gapMs: 2_000 } }],
])('beside 6,000 hosts %s others are asked as if alone', async (what, host) => {
  const alone = await beside(tarpits(0, host), { maxSessions: SESSIONS_MAX });
  const crowded = await beside(tarpits(6_000, host), { maxSessions: SESSIONS_MAX });
  console.info(`6,000 hosts ${what}: alone ${JSON.stringify(alone)}, beside ${JSON.stringify(crowded)}`);
  expect(crowded.isGreedyDone).toBe(false);
  expect(crowded.listMs).toBeLessThanOrEqual(alone.listMs + SESSION_MS);
  expect(crowded.singleMs).toBeLessThanOrEqual(alone.singleMs + SESSION_MS);
});

test('at the cap, a host for which both accounts wait is asked for the one with fewer sessions', async () => {
  const [first] = hosts;
  const host: HostSpec = { at: { banner: { next: 'silent' } } };
  const alone = await beside({ ...tarpits(0, host), ordinary: [`p0@${first}`] }, { maxSessions: 20 });
  const { greedy, ...crowd } = tarpits(100, host);
  // The last that is looked up: every session is taken by then.
  const both = { ...crowd, greedy: [...greedy, `greedy@${first}`], ordinary: [`p0@${first}`] };
  const crowded = await beside(both, { maxSessions: 20 });
  expect(crowded.isGreedyDone).toBe(false);
  expect(crowded.listMs).toBeLessThanOrEqual(alone.listMs + SESSION_MS);
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
function atOneHost(greedyDomains: number, greedyCount: number, oursAt: string): SharedScene {
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

test("at a host that many domains name beside hosts of their own another account does not wait for all of the first one's", async () => {
  const names = Array.from({ length: 1_000 }, (_, i) => `g${i}`);
  const mx = (name: string) => ['mx.shared.example', `mx.${name}.example`];
  const all = [...names, 'ours', 'single'];
  const world: WorldSpec = {
    hosts: Object.fromEntries(all.flatMap(mx).map((name) => [name, { replyDelayMs: REPLY_MS }])),
    domains: Object.fromEntries(
      all.map((name) => [
        `${name}.example`,
        { mx: mx(name).map((host, preference) => ({ host, preference })), mailboxes: { share: 1 } },
      ]),
    ),
  };
  const ours = { world, ordinary: ['p0@ours.example', 'p1@ours.example'], single: 'p0@single.example' };
  const options = { policy: THREE_CONNECTIONS };
  const alone = await beside({ ...ours, greedy: [] }, options);
  const crowded = await beside({ ...ours, greedy: names.map((name) => `p0@${name}.example`) }, options);
  console.info(`1,000 sets of hosts: alone ${JSON.stringify(alone)}, beside ${JSON.stringify(crowded)}`);
  expect(crowded.isGreedyDone).toBe(false);
  expect(crowded.listMs).toBeLessThanOrEqual(alone.listMs + 2 * SESSION_MS);
  expect(crowded.singleMs).toBeLessThanOrEqual(alone.singleMs + 2 * SESSION_MS);
});

test("at one provider with many hosts another account does not wait for all of the first one's", async () => {
  const named = (name: string) => `${name}.mail.protection.outlook.com`;
  const names = Array.from({ length: 3_000 }, (_, i) => `g${i}`);
  const host: HostSpec = { replyDelayMs: REPLY_MS };
  const all = [...names, 'ours', 'single'];
  const world: WorldSpec = {
    hosts: Object.fromEntries(all.map((name) => [named(name), host])),
    domains: Object.fromEntries(
      all.map((name) => [`${name}.example`, { mx: [named(name)], mailboxes: { share: 1 } }]),
    ),
  };
  const ours = { world, ordinary: ['p0@ours.example', 'p1@ours.example'], single: 'p0@single.example' };
  const alone = await beside({ ...ours, greedy: [] }, {});
  const crowded = await beside({ ...ours, greedy: names.map((name) => `p0@${name}.example`) }, {});
  console.info(
    `3,000 hosts of one provider: alone ${JSON.stringify(alone)}, beside ${JSON.stringify(crowded)}`,
  );
  expect(crowded.isGreedyDone).toBe(false);
  expect(crowded.listMs).toBeLessThanOrEqual(alone.listMs + 2 * SESSION_MS);
  expect(crowded.singleMs).toBeLessThanOrEqual(alone.singleMs + 2 * SESSION_MS);
});

/** The most connections that are open at once while `emails` are asked about. */
async function mostOpen(
  spec: WorldSpec,
  batches: readonly (readonly string[])[],
  through = (resolver: Resolver) => resolver,
): Promise<number> {
  let open = 0;
  let most = 0;
  const virtual: VirtualRig = virtualChecker(spec, {
    dnsSentinels: [],
    resolver: through({
      mx: (...question) => virtual.world.resolver.mx(...question),
      a: (...question) => virtual.world.resolver.a(...question),
      aaaa: (...question) => virtual.world.resolver.aaaa(...question),
    }),
    connect: (target, events) => {
      open += 1;
      most = Math.max(most, open);
      const closed = (error: string | null) => {
        open -= 1;
        events.closed(error);
      };
      return virtual.world.connect(target, overhear(events, { closed }));
    },
  });
  for (const emails of batches) await virtual.world.run(ask(virtual, ORDINARY, emails));
  await virtual.world.run(virtual.checker.close(0));
  return most;
}

const many = (name: string, count: number) => Array.from({ length: count }, (_, i) => `p${i}@${name}`);

test('a mail host of no known provider gets no more connections in all for having many addresses', async () => {
  const mx = Array.from({ length: 12 }, (_, i) => `mx${i}.example`);
  const addresses = (i: number) => Array.from({ length: 4 }, (_, at) => `127.7.${i}.${at + 1}`);
  const spec: WorldSpec = {
    hosts: Object.fromEntries(
      mx.map((name, i) => [name, { addresses: addresses(i), replyDelayMs: REPLY_MS }]),
    ),
    domains: { 'a.example': { mx, mailboxes: { share: 1 } } },
  };
  const { connectionsPerProvider } = DEFAULT_POLICY.everyone.limits;
  expect(await mostOpen(spec, [many('a.example', 5_000)])).toBe(connectionsPerProvider);
});

const STRANGER_MX = 'mx.stranger.example';
const PROVIDER_MX = 'mx-aol.mail.gm0.yahoodns.net';

test("a stranger's name for a provider's address does not loosen the provider's limits", async () => {
  const host: HostSpec = { replyDelayMs: REPLY_MS };
  const spec: WorldSpec = {
    hosts: { [STRANGER_MX]: host, [PROVIDER_MX]: host },
    domains: {
      'stranger.example': { mx: [STRANGER_MX], mailboxes: { share: 1 } },
      'aol.example': { mx: [PROVIDER_MX], mailboxes: { share: 1 } },
    },
  };
  const pointed = (resolver: Resolver): Resolver => ({
    ...resolver,
    a: (name, ...more) => resolver.a(name === STRANGER_MX ? PROVIDER_MX : name, ...more),
  });
  const [stranger, provider] = [many('stranger.example', 2_001), many('aol.example', 2_000)];
  const limit = DEFAULT_POLICY.rows.find((row) => row.provider === 'yahoo')?.limits.connections;
  expect(await mostOpen(spec, [['p0@stranger.example'], provider], pointed)).toBe(limit);
  // Those that were open before the provider's name came by go on; no more are opened.
  expect(await mostOpen(spec, [[...stranger, ...provider]], pointed)).toBe(5);
});
