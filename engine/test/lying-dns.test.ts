// Name servers that lie. Promise: nothing confident is said on the word of one; everything is as soon as it is honest.
import { expect, test } from 'vitest';
import { startWorld } from '../../world/src/index.ts';
import type { DnsLie, DnsLieKind, WorldSpec } from '../../world/src/spec.ts';
import { createChecker, DEFAULT_SENTINELS, type Finding, type LogEvent } from '../src/index.ts';
import { type VirtualRig, verdictOf, virtualChecker } from './virtual-checker.ts';

const DOMAINS: WorldSpec['domains'] = {
  // First, so that it is where lies lead to: it refuses strangers plainly.
  'decoy.com': { host: {}, mailboxes: ['anna'] },
  'good.com': { host: {}, mailboxes: ['anna'] },
  'gut.de': { host: {}, mailboxes: ['anna'] },
  'plain.org': { implicit: {}, mailboxes: ['anna'] },
  'null.org': { mx: null },
};
const TRUTH: Readonly<Record<string, string>> = {
  'anna@good.com': 'deliverable accepted_email',
  'ghost@good.com': 'undeliverable rejected_email',
  'anna@gut.de': 'deliverable accepted_email',
  'anna@plain.org': 'deliverable accepted_email',
  'anna@no-such.com': 'undeliverable invalid_domain',
  'anna@no-such.de': 'undeliverable invalid_domain',
  'anna@no-such.example': 'undeliverable invalid_domain',
  'anna@null.org': 'undeliverable invalid_domain',
  'anna@gmail.com': 'unknown no_connect',
  'no at sign': 'undeliverable invalid_email',
};
const UNKNOWN = 'unknown dns_error';
const HONEST_AFTER_LISTS = 4;

function scene(lie: DnsLie | undefined): VirtualRig {
  return virtualChecker({ domains: DOMAINS, dns: { latencyMs: 5, ...(lie === undefined ? {} : { lie }) } });
}

async function verdicts(virtual: VirtualRig): Promise<Record<string, string>> {
  const found = await virtual.checkAll(Object.keys(TRUTH));
  return Object.fromEntries([...found].map(([email, finding]) => [email, verdictOf(finding)]));
}

/** What a liar cannot hide, or does not lie about. */
const STILL_TRUE: Readonly<Record<DnsLieKind, readonly string[]>> = {
  nxdomain: [],
  servfail: [],
  silent: [],
  no_mx: [],
  one_address: [],
  one_host: ['anna@null.org'],
  one_mx: [],
  rewrites: ['anna@good.com', 'ghost@good.com', 'anna@gut.de', 'anna@null.org', 'anna@gmail.com'],
  no_de: [
    ...['anna@good.com', 'ghost@good.com', 'anna@plain.org', 'anna@no-such.com', 'anna@no-such.example'],
    ...['anna@null.org', 'anna@gmail.com'],
  ],
};
const KINDS = Object.keys(STILL_TRUE) as DnsLieKind[];

test('an honest server: everything is told as it is, and nothing is logged', async () => {
  const virtual = scene(undefined);
  expect(await verdicts(virtual)).toEqual(TRUTH);
  expect(virtual.log).toEqual([]);
  expect(virtual.checker.dnsTrusted).toBe(true);
});

test.each(KINDS)('a server that lies so: %s', async (kind) => {
  const virtual = scene({ kind });
  const expected = Object.keys(TRUTH).map((email) => {
    const isTold = email === 'no at sign' || STILL_TRUE[kind].includes(email);
    return [email, isTold ? TRUTH[email] : UNKNOWN];
  });
  expect(await verdicts(virtual)).toEqual(Object.fromEntries(expected));
});

test.each(KINDS)('honest at first, then a liar: %s', async (kind) => {
  for (let from = 1; from < 60; from += 1) {
    const found = await verdicts(scene({ kind, from }));
    for (const [email, verdict] of Object.entries(found))
      if (!verdict.startsWith('unknown'))
        expect(`${from} ${email} ${verdict}`).toBe(`${from} ${email} ${TRUTH[email]}`);
  }
});

test.each(KINDS)('a liar at first, then honest: %s', async (kind) => {
  for (let until = 1; until < 60; until += 1) {
    const virtual = scene({ kind, until });
    const found = await verdicts(virtual);
    for (const [email, verdict] of Object.entries(found))
      if (!verdict.startsWith('unknown'))
        expect(`${until} ${email} ${verdict}`).toBe(`${until} ${email} ${TRUTH[email]}`);
    // What is asked until it is honest uses up the questions it lies about.
    let last: Record<string, string> = {};
    for (let i = 0; i < HONEST_AFTER_LISTS; i += 1) {
      await virtual.sleep(60_000);
      last = await verdicts(virtual);
    }
    expect(last).toEqual(TRUTH);
  }
});

test('it is said once, in a sentence that names the server, what is wrong and what to do, and when it is over', async () => {
  const virtual = scene({ kind: 'nxdomain', until: 200 });
  await verdicts(virtual);
  await virtual.check('anna@another.com');
  expect(virtual.checker.dnsTrusted).toBe(false);
  expect(virtual.checker.reachable).toBe(true);
  expect(virtual.log.map(({ event }) => event)).toEqual(['dns_untrusted']);
  expect(virtual.log[0]?.text).toMatch(/the DNS resolver.*nxdomain.*Configure a working DNS server/);
  expect(virtual.log[0]?.text).not.toContain('\n');
  // The engine is a library: it knows nothing of the server's environment.
  expect(virtual.log[0]?.text).not.toContain('MXPROOF_');
  for (let i = 0; i < 200 && !virtual.checker.dnsTrusted; i += 1) {
    await virtual.check(`anna@another${i}.com`);
    await virtual.check(`anna@another${i}.org`);
    await virtual.check(`anna@another${i}.de`);
    await virtual.check(`anna@another${i}.example`);
  }
  expect(virtual.checker.dnsTrusted).toBe(true);
  expect(virtual.log.map(({ event }) => event)).toEqual(['dns_untrusted', 'dns_trusted']);
});

test('a thousand dead domains cost one question about sentinels a second, and none when no caller waits', async () => {
  const virtual = scene(undefined);
  const questions = () => {
    let count = 0;
    for (const [question, times] of virtual.world.seen.questions)
      if (DEFAULT_SENTINELS.some((name) => question === `mx ${name}`)) count += times;
    return count;
  };
  await virtual.check('anna@good.com');
  expect(questions()).toBe(0);
  const startMs = virtual.world.clock.now();
  const emails = Array.from({ length: 1_000 }, (_, i) => `anna@no-such-${i}.com`);
  const found = await virtual.checkAll(emails);
  expect([...found.values()].every(({ reason }) => reason === 'invalid_domain')).toBe(true);
  const seconds = (virtual.world.clock.now() - startMs) / 1_000;
  expect(questions()).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
  expect(seconds).toBeLessThan(4);
});

test("a large provider's absence is proof against the server by itself", async () => {
  const virtual = virtualChecker({ domains: { ...DOMAINS, 'outlook.com': { dns: 'nxdomain' } } });
  expect(verdictOf(await virtual.check('anna@outlook.com'))).toBe(UNKNOWN);
  expect(virtual.log.map(({ event }) => event)).toEqual(['dns_untrusted']);
  // Others are still told what the sentinels have proven.
  expect(verdictOf(await virtual.check('anna@no-such.de'))).toBe('undeliverable invalid_domain');
});

test('names of the operator replace ours everywhere; without any, every server is believed', async () => {
  const own = virtualChecker(
    { domains: { ...DOMAINS, 'gmail.com': { dns: 'nxdomain' } } },
    { dnsSentinels: ['Good.com'] },
  );
  expect(verdictOf(await own.check('anna@gmail.com'))).toBe('undeliverable invalid_domain');
  const missing = virtualChecker({ domains: DOMAINS }, { dnsSentinels: ['not-here.com'] });
  expect(verdictOf(await missing.check('anna@no-such.com'))).toBe(UNKNOWN);
  const none = virtualChecker({ domains: DOMAINS, dns: { lie: { kind: 'nxdomain' } } }, { dnsSentinels: [] });
  expect(verdictOf(await none.check('anna@good.com'))).toBe('undeliverable invalid_domain');
  expect(none.checker.dnsTrusted).toBe(true);
  expect(() => createChecker({ dnsSentinels: ['localhost'] })).toThrow('localhost');
});

test('zones that fail are their own trouble: the server that says so is alive', async () => {
  const lame = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`lame${i}.com`, { dns: 'servfail' as const }]),
  );
  const unresponsive = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`mute${i}.com`, { dns: 'timeout' as const }]),
  );
  const virtual = virtualChecker({ domains: { ...DOMAINS, ...lame, ...unresponsive } });
  const emails = [...Object.keys(lame), ...Object.keys(unresponsive)].map((domain) => `anna@${domain}`);
  const found = await virtual.checkAll(emails);
  expect([...found.values()].every((finding) => verdictOf(finding) === UNKNOWN)).toBe(true);
  expect(virtual.log).toEqual([]);
  expect(virtual.checker.reachable).toBe(true);
});

test('a server that says nothing at all is not reachable: lists wait until it does', async () => {
  const virtual = virtualChecker({ domains: DOMAINS, dns: { lie: { kind: 'silent', until: 150 } } });
  const emails = Array.from({ length: 30 }, (_, i) => `anna@no-such-${i}.com`);
  const found = await virtual.checkAll([...emails, 'anna@good.com']);
  expect(virtual.log.map(({ event }) => event)).toEqual(['dns_unreachable', 'dns_reachable']);
  expect(verdictOf(found.get('anna@good.com'))).toBe('deliverable accepted_email');
});

test.each<[string, DnsLieKind]>([
  ['nothing exists', 'nxdomain'],
  ['every name has one address', 'one_address'],
  ['no MX ever', 'no_mx'],
  ['made-up addresses', 'rewrites'],
])('of two servers the one that lies is passed over: %s', async (_what, kind) => {
  const honest = await startWorld({ domains: DOMAINS });
  const liar = await startWorld({ domains: DOMAINS, dns: { lie: { kind } } });
  const log: LogEvent[] = [];
  const checker = createChecker({
    dnsServers: [liar.dnsServer, honest.dnsServer],
    smtpPort: honest.smtpPort,
    allowPrivateTargets: true,
    heloName: 'probe.example.org',
    retrySeconds: [0],
    log: (event) => log.push(event),
  });
  try {
    const emails = ['anna@good.com', 'ghost@good.com', 'anna@no-such.com', 'anna@no-such-either.com'];
    const found = new Map<string, Finding>();
    for await (const finding of checker.checkAll(emails)) found.set(finding.email, finding);
    for (const email of emails)
      expect(verdictOf(found.get(email))).toBe(TRUTH[email] ?? 'undeliverable invalid_domain');
    expect(log.map(({ event }) => event)).toEqual(['dns_untrusted']);
    expect(log[0]?.text).toContain(liar.dnsServer);
    expect(checker.dnsTrusted).toBe(true);
  } finally {
    await checker.close();
    await Promise.all([honest.close(), liar.close()]);
  }
});

test('what a server could not answer is retried as usual, without waiting to see whether the network is down', async () => {
  const virtual = virtualChecker({ domains: { 'lame.com': { dns: 'servfail' } } }, { retrySeconds: [1] });
  const startMs = virtual.world.clock.now();
  expect(verdictOf((await virtual.checkAll(['anna@lame.com'])).get('anna@lame.com'))).toBe(UNKNOWN);
  expect(virtual.world.clock.now() - startMs).toBeLessThan(9_000);
});

test('a server that never answers for what it does not know holds up a verdict for seconds, not for its time-outs', async () => {
  const virtual = virtualChecker({ domains: DOMAINS });
  const { clock, resolver, connect } = virtual.world;
  const silent = new Promise<never>(() => {});
  const known = (name: string) => name.endsWith('good.com');
  const checker = createChecker({
    clock,
    connect,
    allowPrivateTargets: true,
    heloName: 'probe.example.org',
    resolver: {
      mx: (name) => (known(name) ? resolver.mx(name) : silent),
      a: (name) => (known(name) ? resolver.a(name) : silent),
      aaaa: (name) => (known(name) ? resolver.aaaa(name) : silent),
    },
  });
  const startMs = clock.now();
  expect(verdictOf(await virtual.world.run(checker.check('anna@good.com')))).toBe(
    'deliverable accepted_email',
  );
  expect(clock.now() - startMs).toBeLessThan(7_000);
});
