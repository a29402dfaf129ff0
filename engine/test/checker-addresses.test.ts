// An MX host with several addresses, one of which swallows every connect: an IPv6 address behind a broken tunnel.
import { expect, test } from 'vitest';
import { createChecker } from '../src/index.ts';
import type { Connect } from '../src/ports.ts';
import { TWO_MX_HOSTS, type VirtualRig, verdictOf, virtualChecker } from './virtual-checker.ts';

const GOOD = '127.0.80.1';
const HOLE = '127.0.80.2';
const BACKUP = '127.0.80.3';

/** Connects to the hole hang for ever; who was dialled is kept. */
function withHole(virtual: VirtualRig, dialled: string[]): Connect {
  return (target, events) => {
    dialled.push(target.ip);
    if (target.ip !== HOLE) return virtual.world.connect(target, events);
    let isOpen = true;
    const destroy = () => {
      if (isOpen) virtual.world.clock.setTimeout(() => events.closed(null), 0);
      isOpen = false;
    };
    return { write: () => {}, startTls: () => {}, destroy };
  };
}

function holed(random: () => number, spec: Parameters<typeof virtualChecker>[0]) {
  const virtual = virtualChecker(spec);
  const dialled: string[] = [];
  const { clock, resolver } = virtual.world;
  const checker = createChecker({
    clock,
    resolver,
    random,
    connect: withHole(virtual, dialled),
    allowPrivateTargets: true,
    heloName: 'probe.example.org',
  });
  return { ...virtual, checker, dialled, check: (email: string) => virtual.world.run(checker.check(email)) };
}

/** Shuffles so that the last of a rank comes first. */
function holeFirst(): () => number {
  let next = 1;
  return () => {
    next = next > 0.001 ? next - 0.0001 : 0.99;
    return next;
  };
}

const TWO_ADDRESSES = {
  hosts: { 'mx.example': { addresses: [GOOD, HOLE], replyDelayMs: 20 } },
  domains: {
    'a.example': { mx: ['mx.example'], mailboxes: ['anna', 'ben'] },
    'b.example': { mx: ['mx.example'], mailboxes: ['anna'] },
  },
};

test('beside an address that swallows connects the next one is tried within a second', async () => {
  const world = holed(holeFirst(), TWO_ADDRESSES);
  const startMs = world.world.clock.now();
  expect(verdictOf(await world.check('anna@a.example'))).toBe('deliverable accepted_email');
  expect(world.dialled[0]).toBe(HOLE);
  expect(world.world.clock.now() - startMs).toBeLessThan(1_500);
});

test('what was swallowed once is remembered: the next check does not pay again, one much later may', async () => {
  const world = holed(holeFirst(), TWO_ADDRESSES);
  await world.check('anna@a.example');
  for (const [sleepMs, email] of [
    [100, 'ben@a.example'],
    [5_000, 'anna@b.example'],
    [60_000, 'ben@a.example'],
  ] as const) {
    await world.sleep(sleepMs);
    world.dialled.length = 0;
    const startMs = world.world.clock.now();
    expect(verdictOf(await world.check(email))).toBe('deliverable accepted_email');
    expect(world.dialled).not.toContain(HOLE);
    expect(world.world.clock.now() - startMs).toBeLessThan(700);
  }
  await world.sleep(700_000);
  world.dialled.length = 0;
  await world.check('ben@a.example');
  expect(world.dialled).toContain(HOLE);
});

test('a probe in a session of its own does not wait for the hole either', async () => {
  const probeDeferred = { rcpt: { after: 1, reply: '451 4.3.0 Later', times: 1 } } as const;
  const world = holed(() => 0.5, {
    hosts: { 'mx.example': { addresses: [GOOD, HOLE], replyDelayMs: 20, at: probeDeferred } },
    domains: { 'a.example': { mx: ['mx.example'], mailboxes: ['anna'] } },
  });
  const startMs = world.world.clock.now();
  expect(verdictOf(await world.check('anna@a.example'))).toBe('deliverable accepted_email');
  expect(world.dialled.slice(0, 2)).toEqual([GOOD, HOLE]);
  expect(world.world.clock.now() - startMs).toBeLessThan(2_000);
});

test.each([
  'refuses',
  'swallows',
])('where the IPv4 address %s connects, the IPv6 one is asked for and tried, by all who wait', async (how) => {
  const virtual = virtualChecker({
    hosts: { 'mx.example': { addresses: [GOOD, 'fd00::80'], replyDelayMs: 20 } },
    domains: { 'a.example': { mx: ['mx.example'], mailboxes: ['anna', 'ben'] } },
  });
  const { clock, resolver, connect } = virtual.world;
  const dialled: string[] = [];
  const checker = createChecker({
    clock,
    resolver,
    allowPrivateTargets: true,
    heloName: 'probe.example.org',
    connect(target, events) {
      dialled.push(target.ip);
      if (target.ip !== GOOD) return connect(target, events);
      const gone = () => clock.setTimeout(() => events.closed(how === 'refuses' ? 'ECONNREFUSED' : null), 1);
      if (how === 'refuses') gone();
      return { write: () => {}, startTls: () => {}, destroy: gone };
    },
  });
  const found = new Map<string, string>();
  const all = async () => {
    const emails = ['anna', 'ben', 'nobody'].map((local) => `${local}@a.example`);
    for await (const finding of checker.checkAll(emails)) found.set(finding.email, verdictOf(finding));
    await checker.close();
  };
  const startMs = clock.now();
  await virtual.world.run(all());
  expect(clock.now() - startMs).toBeLessThan(2_500);
  expect(Object.fromEntries(found)).toEqual({
    'anna@a.example': 'deliverable accepted_email',
    'ben@a.example': 'deliverable accepted_email',
    'nobody@a.example': 'undeliverable rejected_email',
  });
  expect(dialled[0]).toBe(GOOD);
  expect(new Set(dialled.slice(1))).toEqual(new Set(['fd00::80']));
});

test('a less preferred MX host is not asked because a better one took a second to connect', async () => {
  const world = holed(holeFirst(), {
    hosts: {
      'mx1.example': { addresses: [GOOD], replyDelayMs: 1_500 },
      'mx2.example': { addresses: [BACKUP] },
    },
    domains: { 'a.example': TWO_MX_HOSTS },
  });
  expect(verdictOf(await world.check('anna@a.example'))).toBe('deliverable accepted_email');
  expect(new Set(world.dialled)).toEqual(new Set([GOOD]));
});

test('a less preferred MX host is asked when the better one swallows connects, before those time out', async () => {
  const world = holed(holeFirst(), {
    hosts: { 'mx1.example': { addresses: [HOLE] }, 'mx2.example': { addresses: [BACKUP] } },
    domains: { 'a.example': TWO_MX_HOSTS },
  });
  const startMs = world.world.clock.now();
  expect(verdictOf(await world.check('anna@a.example'))).toBe('deliverable accepted_email');
  expect(world.dialled).toContain(BACKUP);
  expect(world.world.clock.now() - startMs).toBeLessThan(6_000);
});

test('where every address swallows connects, that is said after one time-out of them', async () => {
  const world = holed(holeFirst(), {
    hosts: { 'mx.example': { addresses: [HOLE] } },
    domains: { 'a.example': { mx: ['mx.example'], mailboxes: ['anna'] } },
  });
  expect(verdictOf(await world.check('anna@a.example'))).toBe('unknown no_connect');
});

test.each([
  { mxHosts: 2, retrySeconds: [1, 2] },
  { mxHosts: 12, retrySeconds: [60, 300] },
])('MX hosts that all swallow connects are each tried once, not in turns for ever: %j', async (many) => {
  const names = Array.from({ length: many.mxHosts }, (_, i) => `mx${i}.example`);
  const virtual = virtualChecker(
    {
      hosts: Object.fromEntries(names.map((name) => [name, { down: 'silent' as const }])),
      domains: {
        'a.example': {
          mx: names.map((host, i) => ({ host, preference: i })),
          mailboxes: ['anna'],
        },
      },
    },
    { retrySeconds: many.retrySeconds },
  );
  const startMs = virtual.world.clock.now();
  expect(verdictOf(await virtual.check('anna@a.example'))).toBe('unknown no_connect');
  expect(virtual.world.clock.now() - startMs).toBeLessThan(many.mxHosts * 4_000 + 20_000);
});

test.each([
  1_000, 5_000,
])('a recipient that waits for the connect of another lane learns of its end: %d ms later than the first', async (laterMs) => {
  const virtual = virtualChecker({
    hosts: { 'hole.example': { down: 'silent' }, 'shut.example': { down: true } },
    domains: {
      'first.example': { mx: ['hole.example'] },
      'equal.example': { mx: ['hole.example', 'shut.example'] },
      'backup.example': { mx: ['hole.example', { host: 'shut.example', preference: 20 }] },
    },
  });
  const first = virtual.checker.check('anna@first.example');
  await virtual.sleep(laterMs);
  const later = ['equal', 'backup'].map((name) => virtual.checker.check(`anna@${name}.example`));
  const found = await virtual.world.run(Promise.all([first, ...later]));
  expect(found.map(verdictOf)).toEqual(Array(3).fill('unknown no_connect'));
});

test.each([
  0.1, 0.3, 0.6, 0.9,
])('unresponsive addresses and broken TLS are not tried in turns for ever: %d', async (chance) => {
  let last = chance;
  const random = () => {
    last = (last * 7 + chance) % 1;
    return last;
  };
  const unresponsive = { at: { banner: { next: 'silent' as const } } };
  const broken = { tls: 'broken' as const, replyDelayMs: 900 };
  const virtual = virtualChecker(
    {
      hosts: {
        'mute.example': { ...unresponsive, addresses: ['127.0.81.1', '127.0.81.2'] },
        'broken.example': { ...broken, addresses: ['127.0.82.1', '127.0.82.2'] },
      },
      domains: { 'a.example': { mx: ['mute.example', 'broken.example'], mailboxes: ['anna'] } },
    },
    { random },
  );
  const startMs = virtual.world.clock.now();
  expect(verdictOf(await virtual.check('anna@a.example'))).toBe('deliverable accepted_email');
  // A minute of silence at each of the two, at most once.
  expect(virtual.world.clock.now() - startMs).toBeLessThan(3 * 60_000);
});
