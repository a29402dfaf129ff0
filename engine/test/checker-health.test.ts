// What the engine says keeps it from checking, and that no domain is blamed for it.
import { expect, test } from 'vitest';
import type { HostSpec, WorldSpec } from '../../world/src/spec.ts';
import { type CheckerOptions, createChecker } from '../src/index.ts';
import { ask, askWith, type VirtualRig, virtualChecker } from './virtual-checker.ts';

const named = (count: number) => Array.from({ length: count }, (_, i) => `d${i}.example`);
const annas = (count: number) => named(count).map((name) => ({ email: `anna@${name}` }));
const worldOf = (count: number, host: HostSpec): WorldSpec => ({
  domains: Object.fromEntries(named(count).map((name) => [name, { host, mailboxes: ['anna'] }])),
});
const codes = ({ checker }: Pick<VirtualRig, 'checker'>) =>
  checker.health().obstacles.map(({ code }) => code);

/** Port 25 is shut until it is opened. */
function shutAtFirst(spec: WorldSpec, options: CheckerOptions = {}) {
  const virtual = virtualChecker(spec);
  const { world } = virtual;
  const door = { shut: true };
  const checker = createChecker({
    clock: world.clock,
    resolver: world.resolver,
    connect: (target, events) => world.connect(door.shut ? { ...target, ip: '127.9.9.9' } : target, events),
    allowPrivateTargets: true,
    heloName: 'probe.example.org',
    ...options,
  });
  return { ...virtual, checker, door, check: (email: string) => world.run(checker.check(email)) };
}

test.each([
  ['three hosts, when none has ever answered', 3],
  ['twelve of them, by which lists wait', 12],
])('port 25 is named after %s, since then, and one host that answers ends it', async (_, count) => {
  const cutOff = shutAtFirst(worldOf(count, {}));
  const { world, checker, door } = cutOff;
  expect(checker.health()).toEqual({ obstacles: [], reachedAtMs: null });
  await askWith(cutOff, checker, annas(2));
  expect(codes(cutOff)).toEqual([]);
  await askWith(cutOff, checker, annas(count));
  const [obstacle] = checker.health().obstacles;
  expect(obstacle).toEqual({ code: 'port_25', sinceMs: expect.any(Number) });
  expect(checker.reachable).toBe(count < 10);
  await cutOff.sleep(60_000);
  const still = await cutOff.check('anna@d0.example');
  expect([still.reason, still.detail]).toEqual(['no_connect', 'network_down']);
  expect(checker.health().obstacles).toEqual([obstacle]);
  door.shut = false;
  await cutOff.sleep(60_000);
  expect(await cutOff.check('anna@d1.example')).toMatchObject({ state: 'deliverable' });
  const { obstacles, reachedAtMs } = checker.health();
  expect([obstacles, Math.round((world.clock.now() - reachedAtMs!) / 1_000)]).toEqual([[], 0]);
});

test('a large provider is hardly ever down: where it cannot be connected to and nothing else was, it is us', async () => {
  const host: HostSpec = { down: true };
  const spec: WorldSpec = {
    domains: {
      'small.example': { host },
      'large.example': { mx: ['mx1.google.com'] },
      'alive.example': { host: {}, mailboxes: ['anna'] },
    },
    hosts: { 'mx1.google.com': host },
  };
  const fresh = virtualChecker(spec);
  expect(await fresh.check('anna@small.example')).toMatchObject({ detail: 'connection_refused' });
  expect(codes(fresh)).toEqual([]);
  expect(await fresh.check('anna@large.example')).toMatchObject({ detail: 'network_down' });
  expect(codes(fresh)).toEqual(['port_25']);
  const busy = virtualChecker(spec);
  await busy.check('anna@alive.example');
  expect(await busy.check('anna@large.example')).toMatchObject({ detail: 'connection_refused' });
  expect(codes(busy)).toEqual([]);
});

test('a few dead hosts among others are dead hosts', async () => {
  const { domains } = worldOf(5, { down: true });
  const virtual = virtualChecker({
    domains: { ...domains, 'alive.example': { host: {}, mailboxes: ['anna'] } },
  });
  await virtual.check('anna@alive.example');
  await ask(virtual, annas(5));
  expect(codes(virtual)).toEqual([]);
  expect(await virtual.check('anna@d0.example')).toMatchObject({ detail: 'connection_refused' });
});

test.each([
  ['silent', 'network_down'],
  ['servfail', 'dns_untrusted'],
  ['nxdomain', 'dns_untrusted'],
  ['one_address', 'dns_untrusted'],
] as const)('DNS servers that are no use (%s) are named at the first check, which ends as %s', async (kind, detail) => {
  const virtual = virtualChecker({ ...worldOf(1, {}), dns: { lie: { kind } } });
  expect(await virtual.check('anna@d0.example')).toMatchObject({ reason: 'dns_error', detail });
  expect(codes(virtual)).toEqual(['dns']);
});

test.each([
  'servfail',
  'timeout',
  'refused',
] as const)('a domain whose own DNS fails (%s) is to blame itself', async (dns) => {
  const virtual = virtualChecker({ domains: { 'a.example': { dns } } });
  expect(await virtual.check('anna@a.example')).toMatchObject({ reason: 'dns_error', detail: 'dns_failed' });
  expect(codes(virtual)).toEqual([]);
});

test('a source that rests at a whole provider is named until the rest is over', async () => {
  const reply = '554 5.7.1 Service unavailable; client host [127.0.0.2] blocked using zen.example';
  const blocking: HostSpec = { at: { banner: { reply } } };
  const hosts = Array.from({ length: 3 }, (_, i) => `mx${i}.google.com`);
  const virtual = virtualChecker({
    domains: Object.fromEntries(hosts.map((mx, i) => [`d${i}.example`, { mx: [mx] }])),
    hosts: Object.fromEntries(hosts.map((mx) => [mx, blocking])),
  });
  await ask(virtual, annas(2));
  expect(codes(virtual)).toEqual([]);
  await ask(virtual, annas(3));
  expect(codes(virtual)).toEqual(['source_blocked']);
  await virtual.sleep(20 * 60_000);
  expect(codes(virtual)).toEqual([]);
});

test('a command that somebody waits for ends at once where nothing was reached, and waits where something was', async () => {
  const spec: WorldSpec = { domains: { ...worldOf(2, {}).domains, 'gone.example': { dns: 'nxdomain' } } };
  const cutOff = shutAtFirst(spec, { endsUnreached: true });
  const { world, checker, door } = cutOff;
  const all = async (emails: readonly string[]) => {
    const found: string[] = [];
    const startMs = world.clock.now();
    await world.run(
      (async () => {
        for await (const { state, reason } of checker.checkAll(emails)) found.push(`${state} ${reason}`);
      })(),
    );
    return { found: found.sort(), seconds: Math.round((world.clock.now() - startMs) / 1_000) };
  };
  const emails = ['anna@d0.example', 'anna@d1.example', 'x@gone.example'];
  const { found, seconds } = await all(emails);
  expect(found).toEqual(['undeliverable invalid_domain', 'unknown no_connect', 'unknown no_connect']);
  expect(seconds).toBeLessThan(5);
  door.shut = false;
  await cutOff.sleep(60_000);
  await all(['anna@d0.example']);
  door.shut = true;
  await cutOff.sleep(3_600_000);
  expect((await all(emails)).seconds).toBeGreaterThanOrEqual(60);
});

test.each([
  ['silent', 40],
  ['servfail', 200],
  ['nxdomain', 200],
  ['one_address', 40],
] as const)('DNS servers that were no use (%s) are trusted again once domains are found', async (kind, until) => {
  const names = Array.from({ length: 300 }, (_, i) => `d${i}.com`);
  const virtual = virtualChecker({
    domains: Object.fromEntries(names.map((name) => [name, { host: {}, mailboxes: ['anna'] }])),
    dns: { lie: { kind, until } },
  });
  await virtual.check('anna@d0.com');
  expect(codes(virtual)).toEqual(['dns']);
  let last = '';
  for (const name of names.slice(1)) {
    if (codes(virtual).length === 0) break;
    last = (await virtual.check(`anna@${name}`)).state;
    await virtual.sleep(2_000);
  }
  expect([last, codes(virtual)]).toEqual(['deliverable', []]);
});
