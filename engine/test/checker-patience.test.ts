// Hosts that say nothing: how long they are waited for, whom that keeps waiting, and who is told without asking.
// All times are the simulated world's.
import { expect, test } from 'vitest';
import type { DomainSpec, HostSpec } from '../../world/src/spec.ts';
import { type CheckerOptions, createChecker, parsePolicy } from '../src/index.ts';
import type { Connect } from '../src/ports.ts';
import type { Finding } from '../src/types.ts';
import { overhear } from './overhear.ts';
import { ask, TWO_MX_HOSTS, type VirtualRig, verdictOf, virtualChecker } from './virtual-checker.ts';

const UNRESPONSIVE: HostSpec = { at: { banner: { next: 'silent' } } };
const MINUTE_MS = 60_000;
/** The rule of an address at an unresponsive host carries the time of its last silence; no other rule has a time. */
const LAST_SILENCE = /2030-01-01 \d\d:\d\d:\d\d UTC/;

/** Seconds until each finding was there, and the findings. */
async function timed(virtual: VirtualRig, emails: readonly string[], checker = virtual.checker) {
  const { clock } = virtual.world;
  const startMs = clock.now();
  const seconds: number[] = [];
  const found = new Map<string, Finding>();
  const all = async () => {
    for await (const finding of checker.checkAll(emails)) {
      seconds.push((clock.now() - startMs) / 1000);
      found.set(finding.email, finding);
    }
  };
  await virtual.world.run(all());
  return { seconds, found, last: seconds.at(-1) ?? 0 };
}

function connections(virtual: VirtualRig, host: string): number {
  return virtual.world.seen.hosts[host]?.connections ?? 0;
}

test('two unresponsive hosts among 261 addresses: 259 rows in a second, the last two in less than four minutes', async () => {
  const domains: Record<string, DomainSpec> = {
    'm1.example': { host: UNRESPONSIVE },
    'm2.example': { host: UNRESPONSIVE },
  };
  for (let i = 0; i < 37; i += 1)
    domains[`d${i}.example`] = { host: { replyDelayMs: 80 }, mailboxes: { share: 0.8 } };
  const emails = Array.from({ length: 259 }, (_, i) => `p${i}@d${i % 37}.example`);
  emails.splice(10, 0, 'anna@m1.example');
  emails.splice(200, 0, 'anna@m2.example');
  const { seconds, found } = await timed(virtualChecker({ domains }), emails);
  expect(seconds).toHaveLength(261);
  expect(seconds[258]).toBeLessThan(1);
  // 60 s, a rest of 30 s, 120 s; with five minutes for each banner it was 675 s.
  expect(seconds[260]).toBeLessThanOrEqual(240);
  expect(verdictOf(found.get('anna@m1.example'))).toBe('unknown no_connect');
});

test.each([
  ['banner', 'no_connect', 240],
  ['ehlo', 'unavailable_smtp', 240],
  ['mail', 'unavailable_smtp', 305],
  ['rcpt', 'unavailable_smtp', 305],
] as const)('silence at %s twice in a row makes a host unresponsive for the hour, also for a single check', async (stage, reason, atMost) => {
  const virtual = virtualChecker({
    domains: { 'a.example': { host: { at: { [stage]: { next: 'silent' } } }, mailboxes: ['anna', 'ben'] } },
  });
  const { last, found } = await timed(virtual, ['anna@a.example']);
  expect(last).toBeLessThanOrEqual(atMost);
  const before = connections(virtual, 'mx.a.example');
  expect(verdictOf(found.get('anna@a.example'))).toBe(`unknown ${reason}`);

  await virtual.sleep(MINUTE_MS);
  const other = await timed(virtual, ['ben@a.example', 'carl@a.example']);
  expect(other.last).toBe(0);
  const single = await virtual.check('dora@a.example');
  for (const finding of [...other.found.values(), single]) {
    expect(verdictOf(finding)).toBe(`unknown ${reason}`);
    expect(finding.evidence.attempts).toBe(0);
    expect(finding.evidence.rule).toMatch(new RegExp(`\\b${stage}\\b.* ${LAST_SILENCE.source}`));
  }
  expect(connections(virtual, 'mx.a.example')).toBe(before);

  // The hour is over: asked again.
  await virtual.sleep(60 * MINUTE_MS);
  await ask(virtual, [{ email: 'ben@a.example' }]);
  expect(connections(virtual, 'mx.a.example')).toBeGreaterThan(before);
});

test('a host that speaks again when the hour is over is asked as before', async () => {
  const virtual = virtualChecker({
    domains: {
      'a.example': { host: { at: { banner: { next: 'silent', times: 3 } } }, mailboxes: ['anna', 'ben'] },
    },
  });
  expect(verdictOf((await timed(virtual, ['anna@a.example'])).found.get('anna@a.example'))).toBe(
    'unknown no_connect',
  );
  await virtual.sleep(60 * MINUTE_MS);
  const { found, last } = await timed(virtual, ['anna@a.example', 'ben@a.example']);
  expect([...found.values()].map(verdictOf)).toEqual(Array(2).fill('deliverable accepted_email'));
  expect(last).toBeLessThan(1);
});

test.each([
  ['banner', { at: { banner: { delayMs: 70_000 } } }],
  ['EHLO', { at: { ehlo: { delayMs: 70_000 } } }],
  ['banner, with many to ask about', { at: { banner: { delayMs: 70_000 } } }],
] as const)('a host that takes 70 seconds for its %s gets them the second time', async (what, host) => {
  const virtual = virtualChecker({ domains: { 'a.example': { host, mailboxes: { share: 1 } } } });
  // Many are asked about in sessions side by side, whose silences are one.
  const count = what.includes('many') ? 300 : 1;
  const { found } = await timed(
    virtual,
    Array.from({ length: count }, (_, i) => `p${i}@a.example`),
  );
  const states = new Set([...found.values()].map(verdictOf));
  expect([found.size, ...states]).toEqual([count, 'deliverable accepted_email']);
});

test('a late host that has room for one connection keeps its time: a refused second connection says nothing of it', async () => {
  const host: HostSpec = {
    at: { banner: { delayMs: 70_000 } },
    limits: { connectionsPerSource: 1 },
    everyRcpt: 'refuse',
  };
  const virtual = virtualChecker({ domains: { 'a.example': { host } } });
  const { found } = await timed(
    virtual,
    Array.from({ length: 40 }, (_, i) => `p${i}@a.example`),
  );
  // Every recipient is refused, and so is postmaster, which is asked after the others.
  expect(new Set([...found.values()].map(verdictOf))).toEqual(new Set(['unknown unavailable_smtp']));
});

test('who is late to one of our addresses is late to the others', async () => {
  const sources = ['127.0.0.2', '127.0.0.3'].map((ip) => ({ ip, heloName: 'probe.example.org' }));
  const domains = ['a.example', 'b.example'];
  const virtual = virtualChecker(
    {
      hosts: { 'mx.example': { at: { banner: { delayMs: 70_000 } } } },
      domains: Object.fromEntries(domains.map((name) => [name, { mx: ['mx.example'], mailboxes: ['anna'] }])),
    },
    { sources },
  );
  await timed(virtual, ['anna@a.example']);
  const { found, last } = await timed(virtual, ['anna@b.example']);
  expect(verdictOf(found.get('anna@b.example'))).toBe('deliverable accepted_email');
  expect(last).toBeLessThan(71);
  const askedFrom = domains.map((name) => virtual.world.seen.asks.get(`anna@${name}`)?.[0]?.source);
  expect(new Set(askedFrom).size).toBe(2);
});

test('a host that was late once is given its time at once within the hour', async () => {
  const host: HostSpec = { at: { banner: { delayMs: 70_000 } } };
  const virtual = virtualChecker({ domains: { 'a.example': { host, mailboxes: { share: 1 } } } });
  await timed(virtual, ['p0@a.example']);
  const before = connections(virtual, 'mx.a.example');
  await virtual.sleep(5 * MINUTE_MS);
  const { found, last } = await timed(virtual, ['p1@a.example', 'p2@a.example', 'p3@a.example']);
  expect([...found.values()].map(verdictOf)).toEqual(Array(3).fill('deliverable accepted_email'));
  expect(last).toBeLessThan(71);
  expect(connections(virtual, 'mx.a.example')).toBe(before + 1);
});

test.each([
  ['slow banner', { at: { banner: { delayMs: 45_000 } } }, 1],
  ['one slow recipient', { at: { rcpt: { delayMs: 45_000, times: 1 } } }, 1],
  ['slow recipients', { at: { rcpt: { delayMs: 45_000, times: 3 } }, pipelining: 'none' }, 1],
] as const)('45 seconds are in time: %s', async (_what, host, sessions) => {
  const virtual = virtualChecker({
    domains: { 'a.example': { host: host as HostSpec, mailboxes: ['anna', 'ben'] } },
  });
  const { found } = await timed(virtual, ['anna@a.example', 'ben@a.example', 'nobody@a.example']);
  expect([...found.values()].map(verdictOf).toSorted()).toEqual([
    'deliverable accepted_email',
    'deliverable accepted_email',
    'undeliverable rejected_email',
  ]);
  expect(connections(virtual, 'mx.a.example')).toBe(sessions);
});

test('a byte every ten seconds is no progress', async () => {
  const host: HostSpec = { fragment: { bytes: 1, gapMs: 10_000 } };
  const virtual = virtualChecker({ domains: { 'a.example': { host, mailboxes: ['anna'] } } });
  const { found, last } = await timed(virtual, ['anna@a.example']);
  expect(verdictOf(found.get('anna@a.example'))).toBe('unknown unavailable_smtp');
  expect(last).toBeLessThanOrEqual(240);
});

test('hundreds of domains behind one unresponsive host do not pay for it one after the other', async () => {
  const names = Array.from({ length: 200 }, (_, i) => `d${i}.example`);
  const domains = Object.fromEntries(
    names.map((name, i) => [
      name,
      // Every second one has a dead MX host of its own beside it: other groups, the same host.
      i % 2 === 0
        ? { mx: ['mute.example'] }
        : { mx: ['mute.example', { host: `b${i}.example`, preference: 20 }] },
    ]),
  );
  const backups = Object.fromEntries(
    names.flatMap((_, i) => (i % 2 === 0 ? [] : [[`b${i}.example`, { down: true }]])),
  );
  const virtual = virtualChecker({ domains, hosts: { 'mute.example': UNRESPONSIVE, ...backups } });
  const { found, last } = await timed(
    virtual,
    names.map((name) => `anna@${name}`),
  );
  expect(new Set([...found.values()].map(({ state }) => state))).toEqual(new Set(['unknown']));
  expect(last).toBeLessThanOrEqual(240);
  // A new host gets five connections at once: twice, and once more to see that our network works.
  expect(connections(virtual, 'mute.example')).toBeLessThanOrEqual(15);
});

test('an unresponsive MX host is skipped, and once that is known without waiting', async () => {
  const virtual = virtualChecker({
    domains: { 'a.example': { ...TWO_MX_HOSTS, mailboxes: { share: 1 } } },
    hosts: { 'mx1.example': UNRESPONSIVE, 'mx2.example': {} },
  });
  const waits: number[] = [];
  for (const email of ['p1@a.example', 'p2@a.example', 'p3@a.example']) {
    const { found, last } = await timed(virtual, [email]);
    expect(verdictOf(found.get(email))).toBe('deliverable accepted_email');
    waits.push(last);
    await virtual.sleep(MINUTE_MS);
  }
  expect(waits.map(Math.floor)).toEqual([60, 125, 0]);
});

/** The host falls silent, for good, when it is asked about one of these. */
function silentAbout(virtual: VirtualRig, locals: readonly string[], options: CheckerOptions = {}) {
  const connect: Connect = (target, events) => {
    const wire = virtual.world.connect(target, events);
    let isSilent = false;
    return {
      ...wire,
      write: (text) => {
        if (isSilent) return;
        const at = locals.map((local) => text.indexOf(`RCPT TO:<${local}@`)).find((found) => found >= 0);
        isSilent = at !== undefined;
        wire.write(text.slice(0, at));
      },
      destroy: () => wire.destroy(),
      startTls: () => wire.startTls(),
    };
  };
  const { clock, resolver } = virtual.world;
  const heloName = 'probe.example.org';
  return createChecker({ clock, resolver, connect, heloName, allowPrivateTargets: true, ...options });
}

test.each([
  ['one MX host', { host: {} }],
  ['two', { mx: ['mx1.example', 'mx2.example'] }],
  ['two, one of them dead', { mx: ['mx1.example', 'down.example'] }],
] as const)('silence about one recipient is that one’s: the others are answered, the host does not count as unresponsive (%s)', async (_what, domain) => {
  const virtual = virtualChecker({
    domains: { 'a.example': { ...domain, mailboxes: { share: 1 } } as DomainSpec },
    hosts: { 'mx1.example': {}, 'mx2.example': {}, 'down.example': { down: true } },
  });
  const checker = silentAbout(virtual, ['p0']);
  const emails = Array.from({ length: 30 }, (_, i) => `p${i}@a.example`);
  const { found, seconds, last } = await timed(virtual, emails, checker);
  expect(verdictOf(found.get('p0@a.example'))).toBe('unknown unavailable_smtp');
  for (const email of emails.slice(1)) expect(verdictOf(found.get(email))).toBe('deliverable accepted_email');
  // A flight's minute and its own: the others do not wait for its second.
  expect(seconds[28]).toBeLessThan(200);
  // Each host has its two tries.
  expect(last).toBeLessThan(720);
  await virtual.sleep(MINUTE_MS);
  const after = await timed(virtual, ['p99@a.example'], checker);
  expect(verdictOf(after.found.get('p99@a.example'))).toBe('deliverable accepted_email');
  expect(after.last).toBeLessThan(1);
});

test('a gateway that is silent about one customer’s recipients still answers for its others', async () => {
  const domains = Object.fromEntries(
    ['dead.example', 'good.example'].map((name) => [name, { mx: ['gw.example'], mailboxes: { share: 1 } }]),
  );
  const virtual = virtualChecker({ domains, hosts: { 'gw.example': {} } });
  const checker = silentAbout(virtual, ['x1', 'x2', 'x3']);
  const good = Array.from({ length: 40 }, (_, i) => `p${i}@good.example`);
  await timed(virtual, good.slice(0, 5), checker);
  await virtual.sleep(10 * MINUTE_MS);
  const { found } = await timed(
    virtual,
    ['x1', 'x2', 'x3'].map((local) => `${local}@dead.example`),
    checker,
  );
  expect([...found.values()].map(verdictOf)).toEqual(Array(3).fill('unknown unavailable_smtp'));
  await virtual.sleep(MINUTE_MS);
  const others = await timed(virtual, good, checker);
  expect(new Set([...others.found.values()].map(verdictOf))).toEqual(new Set(['deliverable accepted_email']));
});

test('a list of unresponsive hosts is no cut cable', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `d${i}.example`);
  const virtual = virtualChecker({
    domains: Object.fromEntries(names.map((name) => [name, { host: UNRESPONSIVE }])),
  });
  const { found, last } = await timed(
    virtual,
    names.map((name) => `anna@${name}`),
  );
  expect(new Set([...found.values()].map(verdictOf))).toEqual(new Set(['unknown no_connect']));
  expect(last).toBeLessThanOrEqual(240);
  expect(virtual.checker.reachable).toBe(true);
  expect(virtual.log).toEqual([]);
});

test('a cable cut in the middle of sessions, more than once, makes no host unresponsive', async () => {
  const names = Array.from({ length: 20 }, (_, i) => `d${i}.example`);
  const virtual = virtualChecker({
    domains: Object.fromEntries(
      names.map((name) => [
        name,
        { host: { replyDelayMs: 3_000, pipelining: 'none' }, mailboxes: { share: 1 } },
      ]),
    ),
  });
  let isCut = false;
  const { clock, resolver } = virtual.world;
  const checker = createChecker({
    clock,
    resolver,
    heloName: 'probe.example.org',
    allowPrivateTargets: true,
    connect: (target, events) =>
      virtual.world.connect(
        isCut ? { ...target, ip: '127.9.9.9' } : target,
        overhear(events, {
          data: (bytes) => {
            if (!isCut) events.data(bytes);
          },
        }),
      ),
  });
  // The second one strikes when those that were silent in the first are in their second try.
  for (const atMs of [12_000, 260_000]) {
    clock.setTimeout(() => {
      isCut = true;
    }, atMs);
    clock.setTimeout(() => {
      isCut = false;
    }, atMs + 200_000);
  }
  const emails = names.flatMap((name) => Array.from({ length: 40 }, (_, i) => `p${i}@${name}`));
  const first = await timed(virtual, emails, checker);
  expect([...first.found.values()].filter(({ evidence }) => LAST_SILENCE.test(evidence.rule))).toEqual([]);
  const { found } = await timed(virtual, emails, checker);
  expect(new Set([...found.values()].map(verdictOf))).toEqual(new Set(['deliverable accepted_email']));
});

test('the policy file says how long a host is waited for', async () => {
  const parsed = parsePolicy({
    hosts: [
      { host: 'mx.slow.example', bannerSeconds: 300 },
      { host: 'mx.mute.example', bannerSeconds: 5, secondTrySeconds: 10 },
    ],
  });
  if (!parsed.ok) throw new Error(parsed.why);
  const virtual = virtualChecker(
    {
      domains: {
        'slow.example': { host: { at: { banner: { delayMs: 250_000 } } }, mailboxes: ['anna'] },
        'mute.example': { host: UNRESPONSIVE },
      },
    },
    { policy: parsed.policy },
  );
  const silent = await timed(virtual, ['anna@mute.example']);
  expect(verdictOf(silent.found.get('anna@mute.example'))).toBe('unknown no_connect');
  expect(silent.last).toBeLessThanOrEqual(5 + 60 + 10);
  expect(verdictOf(await virtual.check('anna@slow.example'))).toBe('deliverable accepted_email');
  expect(connections(virtual, 'mx.slow.example')).toBe(1);
});
