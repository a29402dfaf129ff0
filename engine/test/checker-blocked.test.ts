// Hosts that refuse us: which are left alone, for how long, and that none is asked from another of our addresses.
import { expect, test } from 'vitest';
import type { Fault, HostSpec, WorldSpec } from '../../world/src/spec.ts';
import { createVirtualWorld } from '../../world/src/virtual.ts';
import { createChecker } from '../src/index.ts';
import type { Finding, LogEvent } from '../src/types.ts';
import { ask, resumed, verdictOf, virtualChecker } from './virtual-checker.ts';

const MINUTE_MS = 60_000;
const SOURCES = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].map((ip) => ({ ip, heloName: 'probe.example.org' }));
const LISTED = '554 5.7.1 Service unavailable; client host [127.0.0.2] blocked using zen.example';
const UNKNOWN = 'unknown unavailable_smtp';

/** A checker with three sources that keeps which source was connected to which address, in order. */
function watched(spec: WorldSpec) {
  const world = createVirtualWorld(spec, { seed: 1 });
  const connects: { readonly source: string | null; readonly ip: string; readonly atMs: number }[] = [];
  const log: LogEvent[] = [];
  const checker = createChecker({
    clock: world.clock,
    resolver: world.resolver,
    connect: (target, events) => {
      connects.push({ source: target.source, ip: target.ip, atMs: world.clock.now() });
      return world.connect(target, events);
    },
    allowPrivateTargets: true,
    sources: SOURCES,
    log: (event) => log.push(event),
  });
  const checkAll = (emails: readonly string[]) =>
    world.run(
      (async () => {
        const found = new Map<string, Finding>();
        for await (const finding of checker.checkAll(emails)) found.set(finding.email, finding);
        return found;
      })(),
    );
  const sleep = (ms: number) =>
    world.run(new Promise<void>((resolve) => world.clock.setTimeout(resolve, ms)));
  const said = (event: string) => log.filter((one) => one.event === event).map(({ text }) => text);
  return { world, connects, checkAll, sleep, said };
}

const forty = <T>(make: (i: number) => T): T[] => Array.from({ length: 40 }, (_, i) => make(i));
const annas = (i: number) => [`anna@d${i}.example`, `ben@d${i}.example`, `role${i}@d${i}.example`];

function sourcesByHost(connects: readonly { readonly source: string | null; readonly ip: string }[]) {
  const byHost = new Map<string, Set<string | null>>();
  for (const { source, ip } of connects) byHost.set(ip, (byHost.get(ip) ?? new Set()).add(source));
  return byHost;
}

test.each([
  'banner',
  'ehlo',
  'mail',
  'rcpt',
] as const)('each of forty hosts that block us at %s is asked from one of three sources only', async (stage) => {
  const host: HostSpec = { at: { [stage]: { reply: LISTED } } };
  const domains = Object.fromEntries(forty((i) => [`d${i}.example`, { host, mailboxes: ['anna'] }]));
  const { world, connects, checkAll } = watched({ domains });
  const found = await checkAll(forty(annas).flat());
  expect(new Set([...found.values()].map(verdictOf))).toEqual(new Set([UNKNOWN]));
  const byHost = sourcesByHost(connects);
  expect(byHost.size).toBe(40);
  expect([...byHost.values()].filter((sources) => sources.size > 1)).toEqual([]);
  expect(new Set(connects.map(({ source }) => source)).size).toBe(3);
  for (const asks of world.seen.asks.values()) expect(new Set(asks.map(({ source }) => source)).size).toBe(1);
});

const AT_PROVIDER = Array.from({ length: 120 }, (_, i) => i);

/** Domains at one provider, each with a host of its own, all of which refuse the first source. */
function atMicrosoft(fault: Fault): WorldSpec {
  const nameOf = (i: number) => `d${i}-example.mail.protection.outlook.com`;
  const at = { banner: { ...fault, sources: ['127.0.0.2'] } };
  return {
    hosts: Object.fromEntries(AT_PROVIDER.map((i) => [nameOf(i), { at }])),
    domains: Object.fromEntries(
      AT_PROVIDER.map((i) => [`d${i}.example`, { mx: [nameOf(i)], mailboxes: ['anna'] }]),
    ),
  };
}

test('a provider that refuses one source is left alone by it; who is asked from the others is answered', async () => {
  const { connects, checkAll, said } = watched(atMicrosoft({ reply: LISTED }));
  const found = await checkAll(AT_PROVIDER.map((i) => `anna@d${i}.example`));
  const findings = [...found.values()];
  const refused = findings.filter(({ evidence }) => evidence.source === '127.0.0.2');
  const others = findings.filter(({ evidence }) => evidence.source !== '127.0.0.2');
  expect(refused.length).toBeGreaterThan(30);
  expect(new Set(refused.map(verdictOf))).toEqual(new Set([UNKNOWN]));
  expect(new Set(others.map(verdictOf))).toEqual(new Set(['deliverable accepted_email']));
  expect([...sourcesByHost(connects).values()].filter((sources) => sources.size > 1)).toEqual([]);
  // Those that were under way when the third host refused; then one tries after each rest.
  const tries = connects.filter(({ source }) => source === '127.0.0.2');
  const firstMs = tries[0]?.atMs ?? 0;
  expect(tries.filter(({ atMs }) => atMs < firstMs + 15 * MINUTE_MS).length).toBeLessThanOrEqual(10);
  expect(tries.filter(({ atMs }) => atMs >= firstMs + 15 * MINUTE_MS)).toHaveLength(2);
  const unasked = refused.filter(({ evidence }) => evidence.rule.includes('resting at microsoft'));
  expect(unasked.length).toBeGreaterThanOrEqual(refused.length - tries.length);
  const lines = said('source_blocked');
  expect(lines.filter((text) => text.startsWith('microsoft has blocked 127.0.0.2 '))).toHaveLength(1);
  expect(lines).toHaveLength(3);
  expect(lines.join()).not.toContain('@');
});

const CONSUMER = 'olc.protection.outlook.com';
const TENANTS = 'mail.protection.outlook.com';

/** Thirty domains at consumer Outlook and thirty at Microsoft 365, each with a host of its own; the hosts of one refuse us. */
function beside(blocking: typeof CONSUMER | typeof TENANTS): WorldSpec {
  const hosts: Record<string, HostSpec> = {};
  const domains: Record<string, WorldSpec['domains'][string]> = {};
  for (const below of [CONSUMER, TENANTS])
    for (let i = 0; i < 30; i += 1) {
      const host = `d${i}-example.${below}`;
      hosts[host] = below === blocking ? { at: { banner: { reply: LISTED } } } : {};
      domains[`d${i}.${below === CONSUMER ? 'consumer' : 'tenant'}.example`] = {
        mx: [host],
        mailboxes: ['anna'],
      };
    }
  return { hosts, domains };
}

test.each([
  ['consumer Outlook', 'outlook', CONSUMER, 'consumer', 'tenant'],
  ['Microsoft 365', 'microsoft', TENANTS, 'tenant', 'consumer'],
] as const)('a block by %s rests nothing at the other, and no answer of the other ends it', async (_who, word, below, blocked, open) => {
  const virtual = virtualChecker(beside(below));
  const at = (which: string) => Array.from({ length: 30 }, (_, i) => `anna@d${i}.${which}.example`);
  // By turns: each answer of the open one comes between two refusals of the other.
  const turns = at(blocked).flatMap((email, i) => [email, at(open)[i] ?? '']);
  const outcomes = await ask(
    virtual,
    turns.map((email) => ({ email })),
  );
  const answered = outcomes.filter((one) => one.kind === 'final' && one.finding.state === 'deliverable');
  expect(answered).toHaveLength(30);
  const [log] = virtual.log.filter(({ text }) => text.startsWith(`${word} has blocked`));
  expect(log?.event).toBe('source_blocked');
  const before = virtual.world.seen.total.connections;
  await ask(
    virtual,
    at(blocked).map((email) => ({ email })),
  );
  expect(virtual.world.seen.total.connections).toBe(before);
});

test('who comes while a source rests is not asked, and answered when the host lets us in again', async () => {
  const host: HostSpec = { at: { banner: { reply: LISTED, times: 1 } } };
  const domains = { 'a.example': { host, mailboxes: { share: 1 } } };
  const { connects, checkAll, said, sleep, world } = watched({ domains });
  const refused = await checkAll(['anna@a.example']);
  expect(verdictOf(refused.get('anna@a.example'))).toBe(UNKNOWN);
  const startMs = world.clock.now();
  await sleep(MINUTE_MS);
  const found = await checkAll(Array.from({ length: 30 }, (_, i) => `p${i}@a.example`));
  expect(new Set([...found.values()].map(verdictOf))).toEqual(new Set(['deliverable accepted_email']));
  const [, trial] = connects;
  expect(trial?.atMs).toBeGreaterThanOrEqual(startMs + 15 * MINUTE_MS - 1_000);
  expect(connects.filter(({ atMs }) => atMs === trial?.atMs)).toHaveLength(1);
  expect([said('source_blocked').length, said('source_unblocked').length]).toEqual([1, 1]);
});

test('beside three recipients refused as blocked the others are asked later, and told so at the end', async () => {
  const host: HostSpec = { at: { rcpt: { reply: LISTED } }, pipelining: 'none' };
  const virtual = virtualChecker({ domains: { 'a.example': { host } } });
  const questions = Array.from({ length: 300 }, (_, i) => ({ email: `p${i}@a.example` }));
  const outcomes = await ask(virtual, questions);
  const later = outcomes.filter(({ kind }) => kind === 'later');
  expect(later.length).toBeGreaterThan(200);
  const before = virtual.world.seen.total.connections;
  // A minute later, as the schedule has it: not one connection.
  await virtual.sleep(MINUTE_MS);
  const again = await ask(
    virtual,
    resumed(questions, outcomes).filter(({ resume }) => resume !== undefined),
  );
  expect(again.every(({ kind }) => kind === 'later')).toBe(true);
  expect(virtual.world.seen.total.connections).toBe(before);
  const [first] = again;
  if (first?.kind !== 'later') throw new Error('it is asked later');
  expect(first.why).toMatch(
    /^source: this source is resting at mx\.a\.example after being refused \d+ times$/,
  );
  expect(first.resume.attempt).toBe(2);
});

test('sessions inside leave a provider that refuses us elsewhere, and what they were there for is asked later', async () => {
  const nameOf = (letter: string) => `${letter}-example.mail.protection.outlook.com`;
  const refusing: HostSpec = { at: { banner: { reply: LISTED, delayMs: 20_000, times: 1 } } };
  const virtual = virtualChecker({
    hosts: {
      [nameOf('a')]: { at: { rcpt: { delayMs: 1_000 } }, pipelining: 'none' },
      ...Object.fromEntries(['b', 'c', 'd'].map((letter) => [nameOf(letter), refusing])),
    },
    domains: Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((letter) => [
        `${letter}.example`,
        { mx: [nameOf(letter)], mailboxes: { share: 1 } },
      ]),
    ),
  });
  const startMs = virtual.world.clock.now();
  const patients = Array.from({ length: 300 }, (_, i) => `p${i}@a.example`);
  const atOthers = ['b', 'c', 'd'].map((letter) => ({ email: `p0@${letter}.example` }));
  const refused = virtual.checker.ask(atOthers, { onOutcome: () => {} });
  const found = await virtual.checkAll(patients);
  await refused;
  expect(new Set(patients.map((email) => verdictOf(found.get(email))))).toEqual(
    new Set(['deliverable accepted_email']),
  );
  const asked = patients.flatMap((email) => virtual.world.seen.asks.get(email) ?? []);
  const seconds = asked.map(({ atMs }) => (atMs - startMs) / 1_000);
  // Eight at most are on their way in a session when the rest begins, after twenty seconds.
  expect(seconds.filter((second) => second > 30 && second < 15 * 60)).toEqual([]);
  expect(Math.min(...seconds)).toBeLessThan(20);
  expect(Math.max(...seconds)).toBeGreaterThan(15 * 60);
});

test.each([
  ['a role', 'abuse', 1],
  ['a person', 'anna', 0],
])('that a host accepts %s while it refuses others as blocked: does it block us?', async (_who, local, blocked) => {
  const host: HostSpec = { wording: 'access_denied' };
  const virtual = virtualChecker({ domains: { 'a.example': { host, mailboxes: [local] } } });
  await ask(
    virtual,
    [local, 'p0', 'p1'].map((one) => ({ email: `${one}@a.example` })),
  );
  expect(virtual.log.filter(({ event }) => event === 'source_blocked')).toHaveLength(blocked);
});

test.each([
  'banner',
  'ehlo',
  'mail',
  'rcpt',
] as const)('a 421 in words that block us, at %s: the source rests', async (stage) => {
  const name = 'mta5.am0.yahoodns.net';
  const reply = '421 4.7.1 [TS03] All messages from 203.0.113.9 will be permanently deferred';
  const virtual = virtualChecker({
    hosts: { [name]: { at: { [stage]: { reply } } } },
    domains: { 'a.example': { mx: [name] } },
  });
  await ask(
    virtual,
    Array.from({ length: 30 }, (_, i) => ({ email: `p${i}@a.example` })),
  );
  expect(virtual.log.map(({ event }) => event)).toEqual(['source_blocked']);
  expect(virtual.world.seen.total.connections).toBe(3);
});

test('a 421 that says only that the moment is bad does not make the source rest', async () => {
  const host: HostSpec = { at: { mail: { reply: '421 4.3.2 Service not available, closing channel' } } };
  const virtual = virtualChecker({ domains: { 'a.example': { host } } });
  await ask(
    virtual,
    Array.from({ length: 30 }, (_, i) => ({ email: `p${i}@a.example` })),
  );
  expect(virtual.log).toEqual([]);
});

test("recipients' own policy is no block, however many have it: all are asked, each once and with one sender", async () => {
  const reply = '550 5.7.1 Message rejected as this student is not able to send or receive external mail';
  const virtual = virtualChecker(
    { domains: { 'a.example': { host: { at: { rcpt: { reply } } } } } },
    { mailFrom: 'probe@example.org' },
  );
  const emails = Array.from({ length: 30 }, (_, i) => `p${i}@a.example`);
  const found = await virtual.checkAll(emails);
  expect(new Set([...found.values()].map(({ detail }) => detail))).toEqual(new Set(['unclear']));
  expect(virtual.log).toEqual([]);
  for (const email of emails) expect(virtual.world.seen.asks.get(email)).toHaveLength(1);
});
