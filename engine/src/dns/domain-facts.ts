// What DNS says about a domain's mail. Promise: every domain ends as `ok` with at least one address to connect to,
// as `cannot_receive` because DNS said so, or as `error` because DNS said nothing usable; never a guess between.
//
//   mx ─ records ─ null MX ───────────────────────────────▶ cannot_receive
//      │          └ addresses of the exchangers ─ some ───▶ ok
//      │                                        ├ none ───▶ cannot_receive (an empty host is never 127.0.0.1)
//      │                                        └ failed ─▶ error
//      ├ nodata ─ the domain's own addresses ─────────────▶ as above, with the domain as its exchanger
//      ├ nxdomain ────────────────────────────────────────▶ cannot_receive
//      └ servfail, refused, timeout ──────────────────────▶ error
import { isIP } from 'node:net';
import type { DnsFailure, MxRecord } from '../ports.ts';
import { isPublicAddress } from '../smtp/public-address.ts';
import type { DnsCache, Kept } from './dns-cache.ts';

/** More than any honest domain names; the least preferred are left out. */
const EXCHANGERS_MAX = 12;
const ADDRESSES_PER_EXCHANGER_MAX = 8;
const WORDS_MAX_CHARS = 240;

export interface MailTarget {
  /** Exchanger's name, lower case. */
  readonly host: string;
  readonly ip: string;
  /** 0 is asked first; equal ranks share the load. */
  readonly rank: number;
}

export interface DomainFacts {
  readonly kind: 'ok' | 'cannot_receive' | 'error';
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
}

export interface DomainFactsOptions {
  readonly dns: DnsCache;
  readonly allowPrivateTargets: boolean;
  /** 0 ≤ random() < 1: spreads equal preferences. */
  readonly random: () => number;
}

/** `isWhole`: with IPv6 in any case. */
export async function domainFacts(
  domain: string,
  options: DomainFactsOptions,
  isWhole: boolean,
): Promise<DomainFacts> {
  const mx = await options.dns.mx(domain);
  if (mx.answer.kind === 'nodata') return await implicitExchanger(domain, mx.untilMs, options, isWhole);
  if (mx.answer.kind === 'nxdomain') return nothing('cannot_receive', null, 'nxdomain', mx.untilMs);
  if (mx.answer.kind !== 'records') return nothing('error', null, mx.answer.kind, mx.untilMs);
  const named = mx.answer.records.filter((row) => row.exchange !== '' && isIP(row.exchange) === 0);
  if (named.length === 0) {
    const words = mx.answer.records.some((row) => row.exchange === '') ? 'null mx' : 'mx names no host';
    return nothing('cannot_receive', null, words, mx.untilMs);
  }
  const ordered = [...named].sort((a, b) => a.preference - b.preference || compare(a.exchange, b.exchange));
  return await exchangers(ordered.slice(0, EXCHANGERS_MAX), mx.untilMs, options, isWhole);
}

async function exchangers(
  records: readonly MxRecord[],
  untilMs: number,
  options: DomainFactsOptions,
  isWhole: boolean,
): Promise<DomainFacts> {
  // Every address of a better exchanger comes before the next one.
  const hasOrder = records[0]?.preference !== records.at(-1)?.preference;
  // All asked before the first is waited for. None of them fails: the cache answers whatever happens.
  const asked = records.map((row) => addressesOf(row.exchange, options, isWhole || hasOrder));
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
  return conclude(mx, targets, words, found, untilMs, options);
}

async function implicitExchanger(
  domain: string,
  untilMs: number,
  options: DomainFactsOptions,
  isWhole: boolean,
): Promise<DomainFacts> {
  const found = await addressesOf(domain, options, isWhole);
  const targets = found.ips.map((ip) => ({ host: domain, ip, rank: 0 }));
  const none = found.ips.length === 0 && !found.hadPrivate;
  const words = `no mx, ${none ? 'no address' : 'the domain itself'}`;
  return conclude(none ? null : domain, targets, words, [found], untilMs, options);
}

interface Addresses {
  readonly ips: readonly string[];
  readonly hadPrivate: boolean;
  readonly failure: DnsFailure | null;
  readonly untilMs: number;
  readonly isWhole: boolean;
}

async function addressesOf(
  host: string,
  { dns, allowPrivateTargets }: DomainFactsOptions,
  isWhole: boolean,
): Promise<Addresses> {
  const isAllowed = (ip: string) => allowPrivateTargets || isPublicAddress(ip);
  const atOnce = isWhole ? dns.aaaa(host) : null;
  const four = await dns.a(host);
  const isEnough = !isWhole && rows(four).some(isAllowed);
  const six = isEnough ? null : await (atOnce ?? dns.aaaa(host));
  const all = six === null ? rows(four) : [...rows(four), ...rows(six)];
  const ips = all.filter(isAllowed);
  return {
    ips: ips.length === 1 ? ips : [...new Set(ips)].slice(0, ADDRESSES_PER_EXCHANGER_MAX),
    hadPrivate: all.length > ips.length,
    failure: failureOf(four) ?? (six === null ? null : failureOf(six)),
    untilMs: Math.min(four.untilMs, six?.untilMs ?? Number.POSITIVE_INFINITY),
    isWhole: six !== null,
  };
}

function conclude(
  mx: string | null,
  targets: MailTarget[],
  words: string,
  found: readonly Addresses[],
  mxUntilMs: number,
  options: DomainFactsOptions,
): DomainFacts {
  const untilMs = found.reduce((least, one) => Math.min(least, one.untilMs), mxUntilMs);
  if (targets.length > 0) {
    const isWhole = found.every((one) => one.isWhole);
    const shuffled = spread(targets, options.random);
    return {
      kind: 'ok',
      mx,
      targets: shuffled,
      group: groupOf(targets),
      words: clip(words),
      untilMs,
      isWhole,
    };
  }
  const failure = found.find((one) => one.failure !== null)?.failure;
  if (failure !== undefined) return nothing('error', mx, `${words}; addresses: ${failure}`, untilMs);
  const why = found.some((one) => one.hadPrivate) ? 'only private addresses' : 'without an address';
  return nothing('cannot_receive', mx, mx === null ? words : `${words}; ${why}`, untilMs);
}

function nothing(
  kind: 'cannot_receive' | 'error',
  mx: string | null,
  words: string,
  untilMs: number,
): DomainFacts {
  return { kind, mx, targets: [], group: '', words: clip(words), untilMs, isWhole: true };
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

function clip(words: string): string {
  return words.length <= WORDS_MAX_CHARS ? words : `${words.slice(0, WORDS_MAX_CHARS - 1)}…`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
