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
//   6 verify that nothing was invented ◀── 5 whether a failure was the domain's or the servers' ◀── end the turn
//     (not waited for)

import { type AskDnsOptions, askDns } from './ask-dns.ts';
import type { DnsGuard } from './dns-guard.ts';
import { type Denial, type DomainFacts, unproven } from './domain-facts.ts';
import type { Lookup } from './lookup-turns.ts';

export interface LookUpOptions extends AskDnsOptions {
  readonly guard: DnsGuard;
}

export interface LookupResult {
  readonly facts: DomainFacts;
  /** Known later: whether the facts may have been invented. Null: there is nothing to verify. */
  readonly mayBeInvented: Promise<boolean> | null;
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
  const said = await askUntilProven(name, isWhole, lookup, options);
  lookup.end();
  const facts = said.kind === 'error' ? await blameFailure(name, said, guard) : said;
  return { facts, mayBeInvented: verify(facts, inventionsBefore, guard) };
}

/** Phases 2 to 4, from one server after the other until what was said needs no proof or has it. */
async function askUntilProven(
  name: string,
  isWhole: boolean,
  lookup: Lookup,
  options: LookUpOptions,
): Promise<DomainFacts> {
  const { guard, dns } = options;
  const subject = { ...options, name, isWhole, lookup };
  for (let tries = 0; tries < guard.triesMax; tries += 1) {
    const { facts, denials } = await askDns(subject, false);
    if (denials.length === 0 || !guard.isOn) return facts;
    if (!(await lookup.stepAside(prove(denials, guard)))) continue;
    // The server may have begun to tell the truth only after the denial: it does now, so it is asked once more.
    const again = await askDns(subject, true);
    if (again.denials.length === 0 || again.facts.kind === facts.kind) return again.facts;
  }
  return unproven(dns.failureUntilMs);
}

/** Phase 4. */
async function prove(denials: readonly Denial[], guard: DnsGuard): Promise<boolean> {
  const all = await Promise.all(denials.map(({ server, name, of }) => guard.denialHolds(server, name, of)));
  return !all.includes(false);
}

/** Phase 5: a domain whose name servers fail says nothing about ours; that is for a sentinel to show. */
async function blameFailure(name: string, facts: DomainFacts, guard: DnsGuard): Promise<DomainFacts> {
  if (!guard.isOn || facts.detail !== 'dns_failed') return facts;
  if (facts.isSilent) {
    if (await guard.anyAnswers(name)) return { ...facts, isSilent: false };
    return { ...facts, isOutage: await guard.isDead(name) };
  }
  if (!(await guard.failsAltogether(name))) return facts;
  return { ...facts, detail: 'dns_untrusted', isOutage: await guard.isDead(name) };
}

/** Phase 6. */
function verify(facts: DomainFacts, inventionsBefore: number, guard: DnsGuard): Promise<boolean> | null {
  return facts.kind === 'ok' && guard.isOn ? guard.mayBeInvented(facts, inventionsBefore) : null;
}
