// What is asked about a domain: its MX hosts, and the addresses of those. Promise: a name of another's zone is asked about
// when that zone has room for one more that is not there (zone-turns.ts), and the lookup's turn is another's meanwhile;
// where the first four MX hosts do not exist, the others are asked about one at a time; what there was no time to ask
// about counts as a failure, never as missing.
import { isPublicAddress } from '@mxproof/common/public-address';
import type { DnsFailure, MxRecord } from '../ports.ts';
import type { DnsCache, Kept } from './dns-cache.ts';
import { type Addresses, concludeByAddresses, concludeByMx, type Found, serverOf } from './domain-facts.ts';
import type { Lookup } from './lookup-turns.ts';
import type { Visit, ZoneTurns } from './zone-turns.ts';

const ADDRESSES_PER_MX_HOST_MAX = 8;
const MX_HOSTS_AT_ONCE = 4;

export interface AskDnsOptions {
  readonly dns: DnsCache;
  readonly zones: ZoneTurns;
  readonly allowPrivateTargets: boolean;
  /** 0 ≤ random() < 1: spreads equal preferences. */
  readonly random: () => number;
}

/** What is looked up, and with what. */
interface Subject extends AskDnsOptions {
  readonly name: string;
  readonly lookup: Lookup;
  /** With IPv6 in any case. */
  readonly isWhole: boolean;
}

/** `isAfresh`: nothing that was asked for before counts. */
export async function askDns(subject: Subject, isAfresh: boolean): Promise<Found> {
  const { name } = subject;
  const mx = await askMx(subject, isAfresh);
  return concludeByMx(name, mx) ?? (await askAddresses(subject, mx, isAfresh));
}

/** The domain may be an alias, of a name in another's zone. */
async function askMx(subject: Subject, isAfresh: boolean): Promise<Kept<MxRecord>> {
  const { name, dns, lookup } = subject;
  if (!dns.asksForMx(name, isAfresh)) return dns.mx(name, lookup, isAfresh);
  const visit = subject.zones.enter(name, name, lookup);
  const turn = turnOf(visit, subject);
  if (turn !== null && !(await turn)) return { answer: { kind: 'servfail' }, untilMs: dns.failureUntilMs };
  const mx = await dns.mx(name, lookup, isAfresh);
  leave(visit, name, mx.answer.kind === 'records', aboutOf(mx), subject);
  return mx;
}

/** Of every MX host, or for the domain itself where there is no MX. */
async function askAddresses(subject: Subject, mx: Kept<MxRecord>, isAfresh: boolean): Promise<Found> {
  const { name, random } = subject;
  const records = mx.answer.kind === 'records' ? mx.answer.records : null;
  const hosts = records?.map(({ exchange }) => exchange) ?? [name];
  // Every address of a better MX host comes before the next one.
  const hasOrder = records?.[0]?.preference !== records?.at(-1)?.preference;
  const how = { isWhole: subject.isWhole || hasOrder, isAfresh };
  const found = await addressesOfAll(hosts.slice(0, MX_HOSTS_AT_ONCE), subject, how);
  const rest = hosts.slice(MX_HOSTS_AT_ONCE);
  const together = found.every(isMissing) ? 1 : rest.length;
  for (let at = 0; at < rest.length; at += together)
    found.push(...(await addressesOfAll(rest.slice(at, at + together), subject, how)));
  return concludeByAddresses(name, mx, found, random);
}

interface How {
  /** With IPv6 in any case. */
  readonly isWhole: boolean;
  readonly isAfresh: boolean;
}

/** Of all these hosts at once, as soon as their zones have room. */
async function addressesOfAll(hosts: readonly string[], subject: Subject, how: How): Promise<Addresses[]> {
  const { name, dns, zones, lookup } = subject;
  // All asked before the first is waited for. None of them fails: the cache answers whatever happens.
  const asked: (Addresses | Promise<Addresses>)[] = [];
  for (const host of hosts) {
    if (!dns.asksForAddresses(host, how.isAfresh)) {
      asked.push(addressesOf(host, subject, how));
      continue;
    }
    const visit = zones.enter(host, name, lookup);
    const turn = turnOf(visit, subject);
    const mayAsk = turn === null || (await turn);
    asked.push(mayAsk ? visited(visit, host, subject, how) : notAsked(dns));
  }
  const found: Addresses[] = [];
  for (const one of asked) found.push(await one);
  return found;
}

/** Another lookup has its turn while it waits for a zone; null: it need not, else whether it may ask at last. */
function turnOf(visit: Visit | null, { zones, lookup }: Subject): Promise<boolean> | null {
  return visit?.state === 'waiting' ? lookup.stepAside(zones.wait(visit, lookup)) : null;
}

async function visited(visit: Visit | null, host: string, subject: Subject, how: How): Promise<Addresses> {
  const found = await addressesOf(host, subject, how);
  leave(visit, host, found.ips.length > 0 || found.hadPrivate, found.about, subject);
  return found;
}

function leave(
  visit: Visit | null,
  name: string,
  isThere: boolean,
  about: string | null,
  { zones, lookup, name: domain }: Subject,
): void {
  zones.left(visit, { name, domain, holder: lookup.paidBy, isThere, about });
}

function notAsked({ failureUntilMs }: DnsCache): Addresses {
  return {
    ips: [],
    hadPrivate: false,
    failure: 'not_asked',
    about: null,
    untilMs: failureUntilMs,
    isWhole: true,
    saidBy: [],
  };
}

async function addressesOf(
  host: string,
  { dns, lookup, allowPrivateTargets }: Subject,
  { isWhole, isAfresh }: How,
): Promise<Addresses> {
  const isAllowed = (ip: string) => allowPrivateTargets || isPublicAddress(ip);
  const atOnce = isWhole ? dns.aaaa(host, lookup, isAfresh) : null;
  const four = await dns.a(host, lookup, isAfresh);
  const isEnough = !isWhole && rows(four).some(isAllowed);
  const six = isEnough ? null : await (atOnce ?? dns.aaaa(host, lookup, isAfresh));
  const all = six === null ? rows(four) : [...rows(four), ...rows(six)];
  const ips = all.filter(isAllowed);
  return {
    ips: ips.length === 1 ? ips : [...new Set(ips)].slice(0, ADDRESSES_PER_MX_HOST_MAX),
    hadPrivate: all.length > ips.length,
    failure: failureOf(four) ?? (six === null ? null : failureOf(six)),
    about: aboutOf(four) ?? (six === null ? null : aboutOf(six)),
    untilMs: Math.min(four.untilMs, six?.untilMs ?? Number.POSITIVE_INFINITY),
    isWhole: six !== null,
    saidBy: six === null ? [serverOf(four)] : [serverOf(four), serverOf(six)],
  };
}

/** A server said that it is not there. */
function isMissing({ ips, hadPrivate, failure }: Addresses): boolean {
  return ips.length === 0 && !hadPrivate && failure === null;
}

function aboutOf({ answer }: Kept<unknown>): string | null {
  return answer.kind === 'records' ? null : (answer.about ?? null);
}

function rows(kept: Kept<string>): readonly string[] {
  return kept.answer.kind === 'records' ? kept.answer.records : [];
}

function failureOf(kept: Kept<string>): DnsFailure | null {
  const { kind } = kept.answer;
  return kind === 'servfail' || kind === 'refused' || kind === 'timeout' ? kind : null;
}
