// What is asked about a domain: its MX hosts, and the addresses of those. Promise: a name of another's zone is asked about
// when that zone has room for one more that is not there (zone-turns.ts), and the lookup's turn is another's meanwhile;
// where the first four MX hosts do not exist, the others are asked about one at a time; what there was no time to ask
// about counts as a failure, never as missing.
import { isPublicAddress } from '@mxproof/common/public-address';
import type { DnsFailure, MxRecord } from '../ports.ts';
import type { DnsCache, KeptAnswer } from './dns-cache.ts';
import {
  type Addresses,
  concludeByAddresses,
  concludeByMx,
  type LookupConclusion,
  serverOf,
} from './domain-facts.ts';
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
export interface Subject extends AskDnsOptions {
  readonly name: string;
  readonly lookup: Lookup;
  /** With IPv6 in any case. */
  readonly isWhole: boolean;
}

/** `isAfresh`: nothing that was asked for before counts. */
export async function askDns(subject: Subject, isAfresh: boolean): Promise<LookupConclusion> {
  const { name, dns, lookup } = subject;
  // The domain may be an alias, of a name in another's zone.
  const entry = dns.asksForMx(name, isAfresh) ? enter(name, subject) : null;
  const turn = turnOf(entry, subject);
  const mayAsk = turn === null || (await turn);
  const mx = mayAsk ? await dns.mx(name, lookup, isAfresh) : notAskedFor(dns);
  if (mayAsk) leave(entry, name, mx.answer.kind === 'records', aboutOf(mx), subject);
  return concludeByMx(name, mx) ?? (await askAddresses(subject, mx, isAfresh));
}

/** The policies at `name`: the domain itself, or a name below it. They may be an alias of a name in another's zone. */
export async function askPolicies(name: string, subject: Subject): Promise<KeptAnswer<string>> {
  const { dns, lookup } = subject;
  const entry = dns.asksForPolicies(name) ? enter(name, subject) : null;
  const turn = turnOf(entry, subject);
  if (turn !== null && !(await turn)) return notAskedFor(dns);
  const said = await dns.policies(name, lookup);
  leave(entry, name, said.answer.kind === 'records', aboutOf(said), subject);
  return said;
}

/** Of every MX host, or of the domain itself where there is no MX. */
async function askAddresses(
  subject: Subject,
  mx: KeptAnswer<MxRecord>,
  isAfresh: boolean,
): Promise<LookupConclusion> {
  const { name, random, dns } = subject;
  const records = mx.answer.kind === 'records' ? mx.answer.records : null;
  const hosts = records?.map(({ exchange }) => exchange) ?? [name];
  // Every address of a better MX host comes before the next one.
  const hasOrder = records?.[0]?.preference !== records?.at(-1)?.preference;
  const how = { isWhole: subject.isWhole || hasOrder, isAfresh };
  const found: Addresses[] = [];
  // All asked before the first is waited for. None of them fails: the cache answers whatever happens.
  let asked: (Addresses | Promise<Addresses>)[] = [];
  let together = MX_HOSTS_AT_ONCE;
  for (const [at, host] of hosts.entries()) {
    if (asked.length === together) {
      for (const one of asked) found.push(await one);
      asked = [];
      if (at === MX_HOSTS_AT_ONCE) together = found.every(isMissing) ? 1 : hosts.length;
    }
    const entry = dns.asksForAddresses(host, isAfresh) ? enter(host, subject) : null;
    const turn = turnOf(entry, subject);
    const mayAsk = turn === null || (await turn);
    asked.push(mayAsk ? addressesOf(host, subject, how, entry) : notAsked(dns));
  }
  for (const one of asked) found.push(await one);
  return concludeByAddresses(name, mx, found, random);
}

interface How {
  /** With IPv6 in any case. */
  readonly isWhole: boolean;
  readonly isAfresh: boolean;
}

/** A question that is put to a server; no visit: to none of another's, as far as is known. */
interface Entry {
  readonly visit: Visit | null;
}

function enter(host: string, { zones, name, lookup }: Subject): Entry {
  return { visit: zones.enter(host, name, lookup) };
}

/** Another lookup has its turn while it waits for a zone; null: it need not, else whether it may ask at last. */
function turnOf(entry: Entry | null, { zones, lookup }: Subject): Promise<boolean> | null {
  const visit = entry?.visit;
  return visit?.state === 'waiting' ? lookup.stepAside(zones.wait(visit, lookup)) : null;
}

function leave(
  entry: Entry | null,
  name: string,
  isThere: boolean,
  about: string | null,
  { zones, lookup, name: domain }: Subject,
): void {
  if (entry !== null) zones.left(entry.visit, { name, domain, holder: lookup.paidBy, isThere, about });
}

function notAskedFor({ failureUntilMs }: DnsCache): KeptAnswer<never> {
  return { answer: { kind: 'servfail' }, untilMs: failureUntilMs };
}

function notAsked({ failureUntilMs }: DnsCache): Addresses {
  return {
    ips: [],
    hadPrivate: false,
    failure: 'not_asked',
    untilMs: failureUntilMs,
    isWhole: true,
    saidBy: [],
  };
}

async function addressesOf(
  host: string,
  subject: Subject,
  { isWhole, isAfresh }: How,
  entry: Entry | null,
): Promise<Addresses> {
  const { dns, lookup, allowPrivateTargets } = subject;
  const isAllowed = (ip: string) => allowPrivateTargets || isPublicAddress(ip);
  const atOnce = isWhole ? dns.aaaa(host, lookup, isAfresh) : null;
  const four = await dns.a(host, lookup, isAfresh);
  const isEnough = !isWhole && rows(four).some(isAllowed);
  const six = isEnough ? null : await (atOnce ?? dns.aaaa(host, lookup, isAfresh));
  const all = six === null ? rows(four) : [...rows(four), ...rows(six)];
  const ips = all.filter(isAllowed);
  const about = aboutOf(four) ?? (six === null ? null : aboutOf(six));
  leave(entry, host, all.length > 0, about, subject);
  return {
    ips: ips.length === 1 ? ips : [...new Set(ips)].slice(0, ADDRESSES_PER_MX_HOST_MAX),
    hadPrivate: all.length > ips.length,
    failure: failureOf(four) ?? (six === null ? null : failureOf(six)),
    untilMs: Math.min(four.untilMs, six?.untilMs ?? Number.POSITIVE_INFINITY),
    isWhole: six !== null,
    saidBy: six === null ? [serverOf(four)] : [serverOf(four), serverOf(six)],
  };
}

/** A server said that it is not there. */
function isMissing({ ips, hadPrivate, failure }: Addresses): boolean {
  return ips.length === 0 && !hadPrivate && failure === null;
}

function aboutOf({ answer }: KeptAnswer<unknown>): string | null {
  return answer.kind === 'records' ? null : (answer.about ?? null);
}

function rows(kept: KeptAnswer<string>): readonly string[] {
  return kept.answer.kind === 'records' ? kept.answer.records : [];
}

function failureOf(kept: KeptAnswer<string>): DnsFailure | null {
  const { kind } = kept.answer;
  return kind === 'servfail' || kind === 'refused' || kind === 'timeout' ? kind : null;
}
