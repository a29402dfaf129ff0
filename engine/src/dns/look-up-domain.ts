// One lookup of a domain, from its turn to what is known about its mail. Promise: a denial (no such name, no MX, no address)
// counts only if the server that gave it proves itself afterwards and then denies once more; an affirmation counts once
// the server has not invented an answer afterwards, which is found out while mail hosts are asked already (ADR 0015).
//
//   1 wait for a turn (lookup-turns.ts)
//   2 ask MX ─────────────── decides by itself ──────┐
//     └ 3 ask addresses of its hosts ────────────────┤
//                                                    ▼
//   ┌──────────────────── something denied ── what was said (domain-facts.ts) ── nothing denied ──┐
//   ▼ its turn is another's meanwhile                                                             │
//   4 prove the denials ─ proven ──▶ 2 and 3 once more ─ denied again, or nothing denied ─────────┤
//     └ not ─▶ 2 and 3 anew, now from the next server ◀─ something else denied ┘                  │
//               └ no server left: error ──────────────────────────────────────────────────────────┤
//                                                                                                 ▼
//   6 verify that nothing was invented ◀── 5 whether silence was the domain's or the servers' ◀── end the turn
//     (not waited for)

import { isPublicAddress } from '@mxproof/common/public-address';
import type { DnsFailure, MxRecord } from '../ports.ts';
import type { DnsCache, KeptAnswer } from './dns-cache.ts';
import type { DnsGuard } from './dns-guard.ts';
import {
  type Addresses,
  concludeByAddresses,
  concludeByMx,
  type Denial,
  type DomainFacts,
  type LookupConclusion,
  serverOf,
  unproven,
} from './domain-facts.ts';
import type { Lookup } from './lookup-turns.ts';

const ADDRESSES_PER_MX_HOST_MAX = 8;

export interface LookUpOptions {
  readonly dns: DnsCache;
  readonly guard: DnsGuard;
  readonly allowPrivateTargets: boolean;
  /** 0 ≤ random() < 1: spreads equal preferences. */
  readonly random: () => number;
}

export interface LookupResult {
  readonly facts: DomainFacts;
  /** Known later: whether the facts may have been invented. Null: there is nothing to verify. */
  readonly mayBeInvented: Promise<boolean> | null;
}

/** What is looked up, and with what. */
interface Subject extends LookUpOptions {
  readonly name: string;
  readonly lookup: Lookup;
  /** With IPv6 in any case. */
  readonly isWhole: boolean;
}

export async function lookUpDomain(
  name: string,
  isWhole: boolean,
  lookup: Lookup,
  options: LookUpOptions,
): Promise<LookupResult> {
  const { guard } = options;
  await lookup.turn();
  const inventionsBefore = guard.watchForInventions();
  const said = await askUntilProven({ ...options, name, isWhole, lookup });
  lookup.end();
  const facts = said.isSilent ? await blameSilence(name, said, guard) : said;
  return { facts, mayBeInvented: verify(facts, inventionsBefore, guard) };
}

/** Phases 2 to 4, from one server after the other until what was said needs no proof or has it. */
async function askUntilProven(subject: Subject): Promise<DomainFacts> {
  const { guard, lookup, dns } = subject;
  for (let tries = 0; tries < guard.triesMax; tries += 1) {
    const { facts, denials } = await ask(subject, false);
    if (denials.length === 0 || !guard.isOn) return facts;
    if (!(await lookup.stepAside(prove(denials, guard)))) continue;
    // The server may have begun to tell the truth only after the denial: it does now, so it is asked once more.
    const again = await ask(subject, true);
    if (again.denials.length === 0 || again.facts.kind === facts.kind) return again.facts;
  }
  return unproven(dns.failureUntilMs);
}

/** Phases 2 and 3. `isAfresh`: nothing that was asked for before counts. */
async function ask(subject: Subject, isAfresh: boolean): Promise<LookupConclusion> {
  const { name, dns, lookup } = subject;
  const mx = await dns.mx(name, lookup, isAfresh);
  return concludeByMx(name, mx) ?? (await askAddresses(subject, mx, isAfresh));
}

/** Phase 3, for every MX host, or for the domain itself where there is no MX. */
async function askAddresses(
  subject: Subject,
  mx: KeptAnswer<MxRecord>,
  isAfresh: boolean,
): Promise<LookupConclusion> {
  const { name, isWhole, random } = subject;
  const records = mx.answer.kind === 'records' ? mx.answer.records : null;
  const hosts = records?.map(({ exchange }) => exchange) ?? [name];
  // Every address of a better MX host comes before the next one.
  const hasOrder = records?.[0]?.preference !== records?.at(-1)?.preference;
  // All asked before the first is waited for. None of them fails: the cache answers whatever happens.
  const asked = hosts.map((host) => addressesOf(host, subject, isWhole || hasOrder, isAfresh));
  const found: Addresses[] = [];
  for (const one of asked) found.push(await one);
  return concludeByAddresses(name, mx, found, random);
}

async function addressesOf(
  host: string,
  { dns, lookup, allowPrivateTargets }: Subject,
  isWhole: boolean,
  isAfresh: boolean,
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
    untilMs: Math.min(four.untilMs, six?.untilMs ?? Number.POSITIVE_INFINITY),
    isWhole: six !== null,
    saidBy: six === null ? [serverOf(four)] : [serverOf(four), serverOf(six)],
  };
}

function rows(kept: KeptAnswer<string>): readonly string[] {
  return kept.answer.kind === 'records' ? kept.answer.records : [];
}

function failureOf(kept: KeptAnswer<string>): DnsFailure | null {
  const { kind } = kept.answer;
  return kind === 'servfail' || kind === 'refused' || kind === 'timeout' ? kind : null;
}

/** Phase 4. */
async function prove(denials: readonly Denial[], guard: DnsGuard): Promise<boolean> {
  const all = await Promise.all(denials.map(({ server, name, of }) => guard.denialHolds(server, name, of)));
  return !all.includes(false);
}

/** Phase 5: a domain with unresponsive name servers says nothing about ours; that is for a sentinel to show. */
async function blameSilence(name: string, facts: DomainFacts, guard: DnsGuard): Promise<DomainFacts> {
  if (!guard.isOn || !(await guard.anyAnswers(name))) return facts;
  return { ...facts, isSilent: false };
}

/** Phase 6. */
function verify(facts: DomainFacts, inventionsBefore: number, guard: DnsGuard): Promise<boolean> | null {
  return facts.kind === 'ok' && guard.isOn ? guard.mayBeInvented(facts, inventionsBefore) : null;
}
