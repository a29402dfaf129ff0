// What DNS says about a domain's mail. Promise: every domain ends as `ok` with at least one address to connect to, as
// `cannot_receive` because a trusted server said so, or as `error` because DNS said nothing usable; never as a guess. A
// denial is trusted only with proof (dns-guard.ts).
//
//   mx ─ records ─ null MX ───────────────────────────────▶ cannot_receive
//      │          └ addresses of the exchangers ─ some ───▶ ok
//      │                                        ├ none ───▶ cannot_receive (an empty host is never 127.0.0.1)
//      │                                        └ failed ─▶ error
//      ├ nodata ─ the domain's own addresses ─────────────▶ as above, with the domain as its exchanger
//      ├ nxdomain ────────────────────────────────────────▶ cannot_receive
//      └ servfail, refused, timeout ──────────────────────▶ error
//
//   cannot_receive (null MX aside), the domain as its exchanger ─ proven ─▶ as it is
//                                                               └ not ────▶ ask the next server; none left: error
import { detached } from '../detach-string.ts';
import type { DnsFailure, MxRecord } from '../ports.ts';
import type { Detail } from '../types.ts';
import type { Askers } from './askers.ts';
import type { DnsCache, Kept } from './dns-cache.ts';
import type { DnsGuard } from './dns-guard.ts';
import { isPublicAddress } from './public-address.ts';

const ADDRESSES_PER_EXCHANGER_MAX = 8;
const WORDS_MAX_CHARS = 240;

export interface MailTarget {
  /** Exchanger's name, lower case. */
  readonly host: string;
  readonly ip: string;
  /** 0 is asked first; equal ranks share the load. */
  readonly rank: number;
}

/** Why no mail host of a domain can be asked. */
type DomainDetail = Extract<
  Detail,
  'no_such_domain' | 'no_mx' | 'null_mx' | 'private_address' | 'dns_failed' | 'dns_untrusted'
>;

/** What each of them leads to. */
const KINDS: Readonly<Record<DomainDetail, 'cannot_receive' | 'error'>> = {
  no_such_domain: 'cannot_receive',
  no_mx: 'cannot_receive',
  null_mx: 'cannot_receive',
  private_address: 'cannot_receive',
  dns_failed: 'error',
  dns_untrusted: 'error',
};

export interface DomainFacts {
  readonly kind: 'ok' | 'cannot_receive' | 'error';
  /** null: of `ok`. */
  readonly detail: DomainDetail | null;
  /** Most preferred exchanger (of equal ones the first by name), the domain itself for an implicit MX, or null. */
  readonly mx: string | null;
  readonly targets: readonly MailTarget[];
  /** The same for domains that have the same targets. */
  readonly group: string;
  /** For the evidence: `mx 10 mx1.example.com, 20 mx2.example.com`. */
  readonly words: string;
  readonly untilMs: number;
  /** False: IPv6 was not asked for, since every exchanger has an IPv4 address and none comes before another. */
  readonly isWhole: boolean;
  /** Of `ok`: servers that said so. */
  readonly saidBy: readonly number[];
  /** No MX: the domain itself is the host. Of a server that makes addresses up, that is worth nothing. */
  readonly isAddressOnly: boolean;
  /** Of an error: no server has said anything. */
  readonly isSilent: boolean;
}

export interface DomainFactsOptions {
  readonly dns: DnsCache;
  readonly guard: DnsGuard;
  readonly allowPrivateTargets: boolean;
  /** 0 ≤ random() < 1: spreads equal preferences. */
  readonly random: () => number;
}

/** One domain's, on behalf of whoever asks. */
export interface Lookup extends DomainFactsOptions {
  readonly askers: Askers;
  /** Waits for something that is no question of this lookup's, so that others may begin meanwhile. */
  readonly aside: <T>(waits: Promise<T>) => Promise<T>;
}

/** Somebody said that a name has no exchanger (and perhaps does not exist), or no address. */
interface Denial {
  readonly server: number;
  readonly name: string;
  readonly of: 'mx' | 'address';
}

/** What a lookup found, and what has to be proven before it is believed. */
interface Found {
  readonly facts: DomainFacts;
  readonly denials: readonly Denial[];
}

/** `isWhole`: with IPv6 in any case. */
export async function domainFacts(domain: string, lookup: Lookup, isWhole: boolean): Promise<DomainFacts> {
  const { guard, aside } = lookup;
  for (let tries = 0; tries < guard.triesMax; tries += 1) {
    const { facts, denials } = await lookUp(domain, lookup, isWhole, false);
    if (denials.length === 0 || !guard.isOn) return facts;
    if (!(await aside(hold(denials, guard)))) continue;
    // It may have begun to tell the truth only after it said so: it does right now, and is asked once more.
    const again = await lookUp(domain, lookup, isWhole, true);
    if (again.denials.length === 0 || again.facts.kind === facts.kind) return again.facts;
  }
  return nothing('dns_untrusted', null, 'no answer from a trusted DNS server', lookup.dns.failureUntilMs);
}

async function hold(denials: readonly Denial[], guard: DnsGuard): Promise<boolean> {
  const all = await Promise.all(denials.map(({ server, name, of }) => guard.denialHolds(server, name, of)));
  return !all.includes(false);
}

/** `isAfresh`: nothing that was asked for before counts. */
async function lookUp(domain: string, lookup: Lookup, isWhole: boolean, isAfresh: boolean): Promise<Found> {
  const mx = await lookup.dns.mx(domain, lookup.askers, isAfresh);
  if (mx.answer.kind === 'nodata') return await implicitExchanger(domain, mx, lookup, isWhole, isAfresh);
  if (mx.answer.kind === 'nxdomain') {
    const facts = nothing('no_such_domain', null, 'nxdomain', mx.untilMs);
    return { facts, denials: [{ server: serverOf(mx), name: domain, of: 'mx' }] };
  }
  if (mx.answer.kind !== 'records') return sure(failed(null, mx.answer.kind, mx.answer.kind, mx.untilMs));
  const { records } = mx.answer;
  if (records.length === 0) return sure(nothing('no_mx', null, 'mx without a host name', mx.untilMs));
  if (records[0]?.exchange === '') return sure(nothing('null_mx', null, 'null mx', mx.untilMs));
  return await exchangers(records, mx, lookup, isWhole, isAfresh);
}

function sure(facts: DomainFacts): Found {
  return { facts, denials: [] };
}

async function exchangers(
  records: readonly MxRecord[],
  said: Kept<MxRecord>,
  lookup: Lookup,
  isWhole: boolean,
  isAfresh: boolean,
): Promise<Found> {
  // Every address of a better exchanger comes before the next one.
  const hasOrder = records[0]?.preference !== records.at(-1)?.preference;
  // All asked before the first is waited for. None of them fails: the cache answers whatever happens.
  const asked = records.map((row) => addressesOf(row.exchange, lookup, isWhole || hasOrder, isAfresh));
  const found: Addresses[] = [];
  for (const one of asked) found.push(await one);
  const mx = records[0]?.exchange ?? null;
  const words = `mx ${records.map((row) => `${row.preference} ${row.exchange}`).join(', ')}`;
  const targets: MailTarget[] = [];
  let rank = -1;
  let preference = -1;
  for (const [at, row] of records.entries()) {
    if (row.preference !== preference) rank += 1;
    preference = row.preference;
    for (const ip of found[at]?.ips ?? []) targets.push({ host: row.exchange, ip, rank });
  }
  const facts = conclude(mx, targets, words, found, said, lookup);
  if (facts.kind !== 'cannot_receive') return sure(facts);
  const denials = records.flatMap(({ exchange }, at) => denialsOf(exchange, found[at]));
  return { facts, denials };
}

async function implicitExchanger(
  domain: string,
  said: Kept<MxRecord>,
  lookup: Lookup,
  isWhole: boolean,
  isAfresh: boolean,
): Promise<Found> {
  const found = await addressesOf(domain, lookup, isWhole, isAfresh);
  const targets = found.ips.map((ip) => ({ host: domain, ip, rank: 0 }));
  const none = found.ips.length === 0 && !found.hadPrivate;
  const words = `no mx, ${none ? 'no address' : 'the domain itself'}`;
  const facts = conclude(none ? null : domain, targets, words, [found], said, lookup);
  if (facts.kind === 'error') return sure(facts);
  const noMx: Denial = { server: serverOf(said), name: domain, of: 'mx' };
  const denials = facts.kind === 'ok' ? [noMx] : [noMx, ...denialsOf(domain, found)];
  return { facts: { ...facts, isAddressOnly: true }, denials };
}

interface Addresses {
  readonly ips: readonly string[];
  readonly hadPrivate: boolean;
  readonly failure: DnsFailure | null;
  readonly untilMs: number;
  readonly isWhole: boolean;
  readonly saidBy: readonly number[];
}

async function addressesOf(
  host: string,
  { dns, askers, allowPrivateTargets }: Lookup,
  isWhole: boolean,
  isAfresh: boolean,
): Promise<Addresses> {
  const isAllowed = (ip: string) => allowPrivateTargets || isPublicAddress(ip);
  const atOnce = isWhole ? dns.aaaa(host, askers, isAfresh) : null;
  const four = await dns.a(host, askers, isAfresh);
  const isEnough = !isWhole && rows(four).some(isAllowed);
  const six = isEnough ? null : await (atOnce ?? dns.aaaa(host, askers, isAfresh));
  const all = six === null ? rows(four) : [...rows(four), ...rows(six)];
  const ips = all.filter(isAllowed);
  return {
    ips: ips.length === 1 ? ips : [...new Set(ips)].slice(0, ADDRESSES_PER_EXCHANGER_MAX),
    hadPrivate: all.length > ips.length,
    failure: failureOf(four) ?? (six === null ? null : failureOf(six)),
    untilMs: Math.min(four.untilMs, six?.untilMs ?? Number.POSITIVE_INFINITY),
    isWhole: six !== null,
    saidBy: six === null ? [serverOf(four)] : [serverOf(four), serverOf(six)],
  };
}

function conclude(
  mx: string | null,
  targets: MailTarget[],
  words: string,
  found: readonly Addresses[],
  said: Kept<MxRecord>,
  lookup: Lookup,
): DomainFacts {
  const untilMs = found.reduce((least, one) => Math.min(least, one.untilMs), said.untilMs);
  const saidBy = serversOf(said, found);
  if (targets.length > 0) {
    const isWhole = found.every((one) => one.isWhole);
    const shuffled = spread(targets, lookup.random);
    return {
      kind: 'ok',
      detail: null,
      mx,
      targets: shuffled,
      group: groupOf(targets),
      words: clip(words),
      untilMs,
      isWhole,
      saidBy,
      isAddressOnly: false,
      isSilent: false,
    };
  }
  const failure = found.find((one) => one.failure !== null)?.failure;
  if (failure) return failed(mx, failure, `${words}; addresses: ${failure}`, untilMs);
  const isPrivate = found.some((one) => one.hadPrivate);
  const why = isPrivate ? 'only private addresses' : 'no address';
  const detail = isPrivate ? 'private_address' : 'no_mx';
  return nothing(detail, mx, mx === null ? words : `${words}; ${why}`, untilMs);
}

/** Nearly always the first, and no other. */
const FIRST_SERVER: readonly number[] = [0];

function serversOf(said: Kept<MxRecord>, found: readonly Addresses[]): readonly number[] {
  const all = new Set([serverOf(said)]);
  for (const one of found) for (const server of one.saidBy) all.add(server);
  return all.size === 1 && all.has(0) ? FIRST_SERVER : [...all];
}

function serverOf(kept: Kept<unknown>): number {
  return kept.answer.server ?? 0;
}

/** Each server once. */
function denialsOf(name: string, addresses: Addresses | undefined): Denial[] {
  return [...new Set(addresses?.saidBy)].map((server) => ({ server, name, of: 'address' }));
}

/** A server that makes answers up gave these, or an address of them: nothing is known of the domain. */
export function disbelieved(facts: DomainFacts): DomainFacts {
  return nothing('dns_untrusted', facts.mx, `${facts.words}; the DNS server invents answers`, facts.untilMs);
}

function failed(mx: string | null, failure: DnsFailure, words: string, untilMs: number): DomainFacts {
  return { ...nothing('dns_failed', mx, words, untilMs), isSilent: failure === 'timeout' };
}

function nothing(detail: DomainDetail, mx: string | null, words: string, untilMs: number): DomainFacts {
  return {
    kind: KINDS[detail],
    detail,
    mx,
    targets: [],
    group: '',
    words: clip(words),
    untilMs,
    isWhole: true,
    saidBy: FIRST_SERVER,
    isAddressOnly: false,
    isSilent: false,
  };
}

/** Shuffles within each rank, so that equal exchangers share the load. */
function spread(targets: MailTarget[], random: () => number): MailTarget[] {
  if (targets.length === 1) return targets;
  const keyed = targets.map((target) => ({ target, key: random() }));
  keyed.sort((a, b) => a.target.rank - b.target.rank || a.key - b.key);
  return keyed.map((one) => one.target);
}

export function groupOf(targets: readonly MailTarget[]): string {
  return targets
    .map(({ rank, ip }) => `${rank} ${ip}`)
    .sort()
    .join(',');
}

function rows(kept: Kept<string>): readonly string[] {
  return kept.answer.kind === 'records' ? kept.answer.records : [];
}

function failureOf(kept: Kept<string>): DnsFailure | null {
  const { kind } = kept.answer;
  return kind === 'servfail' || kind === 'refused' || kind === 'timeout' ? kind : null;
}

/** Without the rest, which would be kept for as long as what was cut from it. */
function clip(words: string): string {
  return words.length <= WORDS_MAX_CHARS ? words : detached(`${words.slice(0, WORDS_MAX_CHARS - 1)}…`);
}
