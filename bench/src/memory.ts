// `node bench/src/memory.ts [domains]`: what DNS answers, domains and MX hosts take in memory, measured on V8's heap beside what the
// engine's budgets take them for, and how far a hostile zone of 100,000 domains gets. Promise: every text is made as the
// wire reader makes it, so that nothing is shared that would not be.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DomainCache, type DomainState } from '../../engine/src/check/domain-cache.ts';
import { DnsCache } from '../../engine/src/dns/dns-cache.ts';
import { DnsGuard } from '../../engine/src/dns/dns-guard.ts';
import { LookupTurns } from '../../engine/src/dns/lookup-turns.ts';
import { ZoneTurns } from '../../engine/src/dns/zone-turns.ts';
import { DEFAULT_POLICY } from '../../engine/src/policy/default-policy.ts';
import { limitsFor } from '../../engine/src/policy/policy.ts';
import type { DnsAnswer, MxRecord, Resolver } from '../../engine/src/ports.ts';
import { createMxHost } from '../../engine/src/smtp/hosts/mx-host.ts';
import { DEFAULT_TIMEOUTS } from '../../engine/src/smtp/session/session-plan.ts';
import type { Answer } from '../../engine/src/state/answer.ts';
import type { Clock } from '../../engine/src/types.ts';

const SAMPLE = 2_000;
const HOSTILE_SAMPLE = 50;
const FLOOD = 100_000;
const AT_ONCE = 500;
const UNBOUNDED = Number.POSITIVE_INFINITY;
const MEGABYTE = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

interface Zone {
  readonly mx: (name: string) => readonly MxRecord[];
  readonly a: (host: string) => readonly string[];
  readonly aaaa: (host: string) => readonly string[];
}

let count = 0;
const wireText = (words: string) => Buffer.from(words, 'latin1').toString('latin1');
const ipv4 = () => {
  count += 1;
  return wireText(`${(count >> 24) + 11}.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`);
};
const ipv6 = () => {
  count += 1;
  return wireText(
    `2606:4700:1111:2222:3333:4444:${(count >> 16).toString(16)}:${(count & 0xffff).toString(16)}`,
  );
};
const many = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at));

/** One MX host of its own, one IPv4 address. */
const TYPICAL: Zone = {
  mx: (name) => [{ preference: 10, exchange: wireText(`mail.${name}`) }],
  a: () => [ipv4()],
  aaaa: () => [],
};
/** As much as an answer of 64 KiB holds, names as long as they may be. */
const LABELS = `${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}`;
const HOSTILE: Zone = {
  mx: (name) => many(230, (at) => ({ preference: at, exchange: wireText(`h${at}.${LABELS}.${name}`) })),
  a: () => many(4_000, ipv4),
  aaaa: () => many(2_000, ipv6),
};

function resolverOf(zone: Zone): Resolver {
  const answer = <Row>(records: readonly Row[]): Promise<DnsAnswer<Row>> =>
    Promise.resolve(
      records.length === 0 ? { kind: 'nodata' } : { kind: 'records', records, ttlSeconds: 3_600 },
    );
  return {
    mx: (name) => answer(zone.mx(name)),
    a: (name) => answer(zone.a(name)),
    aaaa: (name) => answer(zone.aaaa(name)),
  };
}

const NO_CLOCK: Clock = { now: () => 0, setTimeout: () => null, clearTimeout: () => {} };

function engine(zone: Zone, dnsBytes: number | undefined, bookBytes: number | undefined) {
  const resolver = resolverOf(zone);
  const guard = new DnsGuard({
    resolver,
    sentinels: [],
    clock: NO_CLOCK,
    random: Math.random,
    log: () => {},
  });
  const dns = new DnsCache({
    resolver,
    now: () => 0,
    ...(dnsBytes === undefined ? {} : { budgetBytes: dnsBytes }),
  });
  const zones = new ZoneTurns({ clock: NO_CLOCK, nodes: { count: 1 }, questionsPerMinute: 600 });
  const options = { dns, guard, zones, allowPrivateTargets: false, random: Math.random, speaksIpv6: true };
  const cache = new DomainCache(
    { ...options, ...(bookBytes === undefined ? {} : { budgetBytes: bookBytes }) },
    () => 0,
  );
  return { dns, cache };
}

const settled = (): number => {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
};

async function lookUp(cache: DomainCache, domains: number): Promise<DomainState[]> {
  const states: DomainState[] = [];
  for (let at = 0; at < domains; at += AT_ONCE) {
    const names = many(Math.min(AT_ONCE, domains - at), (i) => wireText(`d${at + i}.example`));
    const some = await Promise.all(names.map((name) => cache.get(name, 'bench')));
    if (domains <= SAMPLE) states.push(...some);
  }
  return states;
}

const perEntry = (what: string, bytes: number, estimate: number, of: number) =>
  console.log(`${what}: ${Math.round(bytes / of)} bytes, taken for ${Math.round(estimate / of)}`);

async function measure(what: string, zone: Zone, sample: number): Promise<void> {
  const before = settled();
  const { dns } = engine(zone, UNBOUNDED, 0);
  for (let at = 0; at < sample; at += 1) {
    const lookup = new LookupTurns().first('bench');
    const { answer } = await dns.mx(wireText(`d${at}.example`), lookup);
    if (answer.kind !== 'records') continue;
    for (const { exchange } of answer.records)
      await Promise.all([dns.a(exchange, lookup), dns.aaaa(exchange, lookup)]);
  }
  perEntry(`DNS answers of ${what} domain`, settled() - before, dns.bytes, sample);
  const between = settled();
  const { cache } = engine(zone, 0, UNBOUNDED);
  await lookUp(cache, sample);
  perEntry(`state of ${what} domain`, settled() - between, cache.bytes, sample);
  console.assert(dns.bytes > 0);
}

/** Every host of a domain has refused three recipients with 2 KiB of text: the most that is kept of one. */
async function measureKnowledge(what: string, zone: Zone, sample: number, lineChars: number): Promise<void> {
  const { cache } = engine(zone, 0, UNBOUNDED);
  const states = await lookUp(cache, sample);
  const before = settled();
  const estimate = cache.bytes;
  let hosts = 0;
  for (const { name, knowledge, facts } of states) {
    for (const { ip } of facts.targets) {
      hosts += 1;
      for (let at = 0; at < 3; at += 1) {
        const mailbox = wireText(`recipient${at}@${name}`);
        const address = { local: `recipient${at}`, domain: name, mailbox, needsSmtpUtf8: false };
        const reply = { code: 550, enhanced: '5.1.1', lines: [wireText('x'.repeat(lineChars))] };
        knowledge.begin(1, 1);
        const answer = { ip, reply, meaning: 'no_mailbox', clarity: 'plain' } as unknown as Answer;
        knowledge.learn(address, answer);
        knowledge.standing(address, answer, 1);
        knowledge.left();
      }
    }
  }
  perEntry(`knowledge of a host of ${what} domain`, settled() - before, cache.bytes - estimate, hosts);
}

/** What the dispatcher keeps of an address that it has connected to: 50,000 of them at most. */
function measureMxHosts(): void {
  const limits = limitsFor(DEFAULT_POLICY, 'mail.example', 'other');
  const before = settled();
  const all = new Map<string, unknown>();
  for (let at = 0; at < SAMPLE; at += 1) {
    const ip = ipv4();
    all.set(ip, createMxHost(ip, 'other', limits, null, DEFAULT_TIMEOUTS, { count: 1 }));
  }
  console.log(`an MX host: ${Math.round((settled() - before) / all.size)} bytes`);
}

async function flood(domains: number): Promise<void> {
  const before = settled();
  const { dns, cache } = engine(HOSTILE_FAST, undefined, undefined);
  await lookUp(cache, domains);
  const bytes = settled() - before;
  console.log(
    `${domains} domains of a hostile zone: heap ${(bytes / MEGABYTE).toFixed(1)} MB; taken for: answers ${(dns.bytes / MEGABYTE).toFixed(1)} MB, states ${(cache.bytes / MEGABYTE).toFixed(1)} MB`,
  );
}

/** 12 MX hosts with 8 addresses each: making what is not kept would take hours. */
const HOSTILE_FAST: Zone = {
  mx: (name) => many(12, (at) => ({ preference: at, exchange: wireText(`h${at}.${LABELS}.${name}`) })),
  a: () => many(8, ipv4),
  aaaa: () => [],
};

// Loads what is imported lazily, so that it is not counted as memory of a domain.
await lookUp(engine(TYPICAL, 0, 0).cache, AT_ONCE);
await measure('a typical', TYPICAL, SAMPLE);
await measure('a hostile', HOSTILE, HOSTILE_SAMPLE);
await measureKnowledge('a typical', TYPICAL, SAMPLE, 60);
await measureKnowledge('a hostile', HOSTILE_FAST, HOSTILE_SAMPLE, 2_048);
measureMxHosts();
await flood(Number(process.argv[2] ?? FLOOD));
