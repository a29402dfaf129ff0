// What another account's name servers cost: accounts beside one whose domains never answer, in simulated time.
import { expect, test } from 'vitest';
import type { DomainSpec, HostSpec, WorldSpec } from '../../world/src/spec.ts';
import type { Resolver } from '../src/ports.ts';
import { type VirtualRig, virtualChecker } from './virtual-checker.ts';

const LATENCY_MS = 20;
/** Two answers, and the question that shows whether a server makes answers up. */
const ROUND_MS = 2 * LATENCY_MS + 10;
const GREEDY = 1;
const ORDINARY = 2;
const MX_HOSTS = 12;

const ordinary = Array.from({ length: 100 }, (_, i) => `good${i}.example`);
const goodDomains = Object.fromEntries(
  [...ordinary, 'single.example'].map((name): [string, DomainSpec] => [
    name,
    { host: {}, mailboxes: ['anna'] },
  ]),
);

function unresponsive(count: number): WorldSpec {
  const names = Array.from({ length: count }, (_, i) => `mute${i}.example`);
  return { domains: Object.fromEntries(names.map((name) => [name, { dns: 'timeout' as const }])) };
}

/** MX records are there; the hosts they name are in zones that never answer. */
function unresponsiveMxHosts(count: number): WorldSpec {
  const hosts: Record<string, HostSpec> = {};
  const domains: Record<string, DomainSpec> = {};
  for (let i = 0; i < count; i += 1) {
    const names = Array.from({ length: MX_HOSTS }, (_, at) => `mx${at}.mute${i}.example`);
    for (const name of names) hosts[name] = { dns: 'timeout' };
    domains[`mute${i}.example`] = { mx: names.map((host, at) => ({ host, preference: at })) };
  }
  return { domains, hosts };
}

function ask(
  virtual: VirtualRig,
  account: number,
  names: readonly string[],
  single = false,
): Promise<number> {
  const { checker, world } = virtual;
  const begunMs = world.clock.now();
  const questions = names.map((name) => ({ email: `anna@${name}` }));
  const priority = single ? ('single' as const) : ('list' as const);
  return checker
    .ask(questions, { account, priority, onOutcome: () => {} })
    .then(() => world.clock.now() - begunMs);
}

const asItIs = (resolver: Resolver) => resolver;

/** Says at first that an unresponsive domain does not exist; asked once more, since that is to be proven, nothing. */
function denyingFirst(resolver: Resolver): Resolver {
  const denied = new Set<string>();
  return {
    ...resolver,
    async mx(name, ...more) {
      if (!name.startsWith('mute') || denied.has(name)) return resolver.mx(name, ...more);
      denied.add(name);
      return { kind: 'nxdomain' };
    },
  };
}

/** How long a list of 100 ordinary domains and a single check take beside this. */
async function beside(
  world: WorldSpec,
  through: (resolver: Resolver) => Resolver,
): Promise<{ listMs: number; singleMs: number }> {
  const resolver: Resolver = {
    mx: (...question) => virtual.world.resolver.mx(...question),
    a: (...question) => virtual.world.resolver.a(...question),
    aaaa: (...question) => virtual.world.resolver.aaaa(...question),
  };
  const virtual: VirtualRig = virtualChecker(
    { ...world, domains: { ...goodDomains, ...world.domains }, dns: { latencyMs: LATENCY_MS } },
    { dnsSentinels: ['good0.example'], resolver: through(resolver) },
  );
  const greedy = Object.keys(world.domains);
  if (greedy.length > 0) void ask(virtual, GREEDY, greedy);
  await virtual.sleep(3_000);
  const list = ask(virtual, ORDINARY, ordinary);
  const single = ask(virtual, GREEDY, ['single.example'], true);
  const [listMs, singleMs] = await virtual.world.run(Promise.all([list, single]));
  await virtual.world.run(virtual.checker.close());
  return { listMs, singleMs };
}

test.each([
  ['2,000 domains with unresponsive name servers', unresponsive(2_000), asItIs],
  ['500 domains with 12 MX hosts each in unresponsive zones', unresponsiveMxHosts(500), asItIs],
  ['2,000 domains that are denied first and then unresponsive', unresponsive(2_000), denyingFirst],
])('beside %s others are looked up as if alone', async (what, world, through) => {
  const alone = await beside({ domains: {} }, asItIs);
  const crowded = await beside(world, through);
  console.info(`${what}: alone ${JSON.stringify(alone)}, beside them ${JSON.stringify(crowded)}`);
  // A tenth of the lookups, two answers each: ten rounds at the very most, and one for the account that comes with them.
  expect(crowded.listMs).toBeLessThanOrEqual(alone.listMs + 10 * ROUND_MS);
  expect(crowded.singleMs).toBeLessThanOrEqual(alone.singleMs + ROUND_MS);
});
