// What DNS says about a domain's mail. Decides, asks nothing (look-up-domain.ts asks). Promise: every domain ends as `ok`
// with at least one address to connect to, as `cannot_receive` because a server said so, or as `error` because DNS said
// nothing usable; never as a guess. What was denied is named, so that it can be proven.
//
//   mx ─ records ─ null MX ───────────────────────────────▶ cannot_receive
//      │          └ addresses of the MX hosts ─── some ───▶ ok
//      │                                        ├ none ───▶ cannot_receive (an empty host is never 127.0.0.1)
//      │                                        └ failed ─▶ error
//      ├ nodata ─ the domain's own addresses ─────────────▶ as above, with the domain as its MX host
//      ├ nxdomain ────────────────────────────────────────▶ cannot_receive
//      └ servfail, refused, timeout ──────────────────────▶ error
import { detached } from '../detach-string.ts';
import type { DnsFailure, MxRecord } from '../ports.ts';
import type { Detail } from '../types.ts';
import type { KeptAnswer } from './dns-cache.ts';

const WORDS_MAX_CHARS = 240;
const NOT_ASKED_WORDS = 'addresses: not asked, since too many names of that zone do not exist';

export interface MailTarget {
  /** MX host's name, lower case. */
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
  /** Most preferred MX host (of equal ones the first by name), the domain itself for an implicit MX, or null. */
  readonly mx: string | null;
  readonly targets: readonly MailTarget[];
  /** The same for domains that have the same targets. */
  readonly group: string;
  /** For the evidence: `mx 10 mx1.example.com, 20 mx2.example.com`. */
  readonly words: string;
  readonly untilMs: number;
  /** False: IPv6 was not asked for, since every MX host has an IPv4 address and none comes before another. */
  readonly isWhole: boolean;
  /** Of `ok`: servers that said so. */
  readonly saidBy: readonly number[];
  /** No MX: the domain itself is the host. Worthless from a server that invents addresses. */
  readonly isAddressOnly: boolean;
  /** Of an error: no server has said anything. */
  readonly isSilent: boolean;
  /** Sentinels have shown that our own DNS servers answer about nothing. */
  readonly isOutage: boolean;
}

/** A server said that a name has no MX host (and perhaps does not exist), or no address. */
export interface Denial {
  readonly server: number;
  readonly name: string;
  readonly of: 'mx' | 'address';
}

/** What a lookup found, and what has to be proven before it is believed. */
export interface LookupConclusion {
  readonly facts: DomainFacts;
  readonly denials: readonly Denial[];
}

/** What the answer about MX decides by itself; null: it depends on the addresses of its hosts. */
export function concludeByMx(domain: string, mx: KeptAnswer<MxRecord>): LookupConclusion | null {
  if (mx.answer.kind === 'nodata') return null;
  if (mx.answer.kind === 'nxdomain') {
    const facts = nothing('no_such_domain', null, 'nxdomain', mx.untilMs);
    return { facts, denials: [{ server: serverOf(mx), name: domain, of: 'mx' }] };
  }
  if (mx.answer.kind !== 'records') return sure(failed(null, mx.answer.kind, mx.answer.kind, mx.untilMs));
  const { records } = mx.answer;
  if (records.length === 0) return sure(nothing('no_mx', null, 'mx without a host name', mx.untilMs));
  if (records[0]?.exchange === '') return sure(nothing('null_mx', null, 'null mx', mx.untilMs));
  return null;
}

/** With the addresses of its hosts, in the order of the records; without MX, those of the domain itself. */
export function concludeByAddresses(
  domain: string,
  mx: KeptAnswer<MxRecord>,
  found: readonly Addresses[],
  random: () => number,
): LookupConclusion {
  return mx.answer.kind === 'records'
    ? mxHosts(mx.answer.records, mx, found, random)
    : implicitMxHost(domain, mx, found, random);
}

function sure(facts: DomainFacts): LookupConclusion {
  return { facts, denials: [] };
}

function mxHosts(
  records: readonly MxRecord[],
  said: KeptAnswer<MxRecord>,
  found: readonly Addresses[],
  random: () => number,
): LookupConclusion {
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
  const facts = conclude(mx, targets, words, found, said, random);
  if (facts.kind !== 'cannot_receive') return sure(facts);
  const denials = records.flatMap(({ exchange }, at) => denialsOf(exchange, found[at]));
  return { facts, denials };
}

function implicitMxHost(
  domain: string,
  said: KeptAnswer<MxRecord>,
  found: readonly Addresses[],
  random: () => number,
): LookupConclusion {
  const [own] = found;
  const targets = (own?.ips ?? []).map((ip) => ({ host: domain, ip, rank: 0 }));
  const none = targets.length === 0 && own?.hadPrivate !== true;
  const words = `no mx, ${none ? 'no address' : 'the domain itself'}`;
  const facts = conclude(none ? null : domain, targets, words, found, said, random);
  if (facts.kind === 'error') return sure(facts);
  const noMx: Denial = { server: serverOf(said), name: domain, of: 'mx' };
  const denials = facts.kind === 'ok' ? [noMx] : [noMx, ...denialsOf(domain, own)];
  return { facts: { ...facts, isAddressOnly: true }, denials };
}

/** What DNS says about the addresses of one host. */
export interface Addresses {
  readonly ips: readonly string[];
  readonly hadPrivate: boolean;
  /** `not_asked`: there was no time to (zone-turns.ts). */
  readonly failure: DnsFailure | 'not_asked' | null;
  readonly untilMs: number;
  readonly isWhole: boolean;
  readonly saidBy: readonly number[];
}

function conclude(
  mx: string | null,
  targets: MailTarget[],
  words: string,
  found: readonly Addresses[],
  said: KeptAnswer<MxRecord>,
  random: () => number,
): DomainFacts {
  const untilMs = found.reduce((least, one) => Math.min(least, one.untilMs), said.untilMs);
  const saidBy = serversOf(said, found);
  if (targets.length > 0) {
    const isWhole = found.every((one) => one.isWhole);
    const shuffled = spread(targets, random);
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
      isOutage: false,
    };
  }
  const failure = found.find((one) => one.failure !== null)?.failure;
  if (failure === 'not_asked') return failed(mx, null, `${words}; ${NOT_ASKED_WORDS}`, untilMs);
  if (failure) return failed(mx, failure, `${words}; addresses: ${failure}`, untilMs);
  const isPrivate = found.some((one) => one.hadPrivate);
  const why = isPrivate ? 'only private addresses' : 'no address';
  const detail = isPrivate ? 'private_address' : 'no_mx';
  return nothing(detail, mx, mx === null ? words : `${words}; ${why}`, untilMs);
}

/** Nearly always the first, and no other. */
const FIRST_SERVER: readonly number[] = [0];

function serversOf(said: KeptAnswer<MxRecord>, found: readonly Addresses[]): readonly number[] {
  const all = new Set([serverOf(said)]);
  for (const one of found) for (const server of one.saidBy) all.add(server);
  return all.size === 1 && all.has(0) ? FIRST_SERVER : [...all];
}

export function serverOf(kept: KeptAnswer<unknown>): number {
  return kept.answer.server ?? 0;
}

/** Each server once. */
function denialsOf(name: string, addresses: Addresses | undefined): Denial[] {
  return [...new Set(addresses?.saidBy)].map((server) => ({ server, name, of: 'address' }));
}

/** A denial that no server could prove. */
export function unproven(untilMs: number): DomainFacts {
  return nothing('dns_untrusted', null, 'no answer from a trusted DNS server', untilMs);
}

/** A server that makes answers up gave these, or an address of them: nothing is known of the domain. */
export function disbelieved(facts: DomainFacts): DomainFacts {
  return nothing('dns_untrusted', facts.mx, `${facts.words}; the DNS server invents answers`, facts.untilMs);
}

function failed(mx: string | null, failure: DnsFailure | null, words: string, untilMs: number): DomainFacts {
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
    isOutage: false,
  };
}

/** Shuffles within each rank, so that equal MX hosts share the load. */
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

/** Without the rest, which would be kept for as long as what was cut from it. */
function clip(words: string): string {
  return words.length <= WORDS_MAX_CHARS ? words : detached(`${words.slice(0, WORDS_MAX_CHARS - 1)}…`);
}
