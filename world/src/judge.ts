// Holds a run against the world it ran in: verdicts against the truth, manners against the limits. Pure.
// Promise: every complaint is a sentence that can be understood without the run.
import type { Finding } from '@mxproof/engine';
import type { HostSpec, WorldSpec } from './spec.ts';
import { POSTFIX_LIMITS } from './spec.ts';
import type { Counters, Traffic } from './traffic.ts';
import { isVague, type Truth } from './truth.ts';

export interface JudgedRun {
  readonly spec: WorldSpec;
  readonly emails: readonly string[];
  readonly findings: ReadonlyMap<string, Finding>;
  readonly seen: Traffic;
  /** The sender that is tried first. */
  readonly mailFrom: string;
  truth(email: string): Truth;
}

/** Attempts of the schedule, times connections that may drop under one. */
const ASKS_PER_ADDRESS_MAX = 25;
/** Catch-all probes and postmaster together, whatever happens to them. */
const PROBES_PER_DOMAIN_MAX = 12;
/** At a host with vague refusals: the engine's bound for comparisons, 60 looks a domain and host in six hours. */
const COMPARED_PER_DOMAIN_MAX = 60 * 8;
const GIVEN_421_MAX = 25;
/** The engine's rule: fewer refused recipients than this do not show that the host refuses all. */
const SAME_REFUSALS = 3;

export function complaints(run: JudgedRun): readonly string[] {
  return [
    ...verdictComplaints(run),
    ...mannersComplaints(run),
    ...probeComplaints(run),
    ...sourceComplaints(run),
    ...sharedHostComplaints(run),
  ];
}

/** Verdicts only, for worlds whose hosts misbehave themselves. */
export function* verdictComplaints({
  emails,
  findings,
  seen,
  truth,
}: Omit<JudgedRun, 'spec' | 'mailFrom'>): Generator<string> {
  for (const email of emails) {
    const finding = findings.get(email);
    const expected = truth(email);
    if (finding === undefined) {
      yield `${email}: no finding`;
      continue;
    }
    if (
      [expected, ...(expected.others ?? [])].some((one) =>
        agrees(finding, one, () => refusedBeside(email, emails, seen)),
      )
    ) {
      yield* detailComplaint(finding, expected);
      continue;
    }
    yield `${email}: found ${words(finding)}, true is ${words(expected)} (${finding.evidence.rule})`;
  }
}

/** Where the host is unsteady, the word may be another attempt's. */
function* detailComplaint(finding: Finding, truth: Truth): Generator<string> {
  const alike = [truth, ...(truth.others ?? [])].filter(({ reason }) => reason === finding.reason);
  const isHeld = !truth.mayBeUnknown && alike.length > 0 && alike.every(({ detail }) => detail !== undefined);
  if (isHeld && !alike.some(({ detail }) => detail === finding.detail))
    yield `${finding.email}: the detail is ${finding.detail}, true is ${truth.detail} (${finding.evidence.rule})`;
}

/** `refused`: how many of its domain were. */
function agrees(finding: Finding, truth: Truth, refused: () => number): boolean {
  const unknown = finding.state === 'unknown';
  if (finding.state === truth.state && finding.reason === truth.reason)
    return unknown || finding.acceptAll === truth.acceptAll || (truth.mayBeUnknown && !finding.acceptAll);
  if (unknown && (truth.mayBeUnknown || (truth.state === 'unknown' && truth.anyReason === true))) return true;
  if (unknown && finding.evidence.source !== null && truth.refusedSources?.includes(finding.evidence.source))
    return true;
  // Catch-all may stay open where the host is unsteady: risky without the flag, never deliverable.
  if (truth.mayBeUnknown && finding.reason === 'low_deliverability') return truth.state !== 'undeliverable';
  if (truth.refusesAll === undefined || finding.reason !== 'rejected_email') return false;
  return truth.refusesAll === 'hidden' || refused() < SAME_REFUSALS;
}

function* mannersComplaints({ spec, seen }: JudgedRun): Generator<string> {
  if (seen.total.data > 0) yield 'DATA was given';
  for (const [name, counters] of Object.entries(seen.hosts)) {
    const host = hostSpec(spec, name);
    const limits = { ...POSTFIX_LIMITS, ...host.limits };
    // A client that gets a reply twice takes the next command for answered, and sends the one after it too early.
    const leadsAstray = Object.values(host.at ?? {}).some((fault) => fault.mangle !== undefined);
    if (counters.outOfPlace > 0 && !leadsAstray)
      yield `${name}: ${counters.outOfPlace} commands out of place`;
    if (counters.open > 0) yield `${name}: ${counters.open} connections left open`;
    if (counters.delays > 0 && !leadsAstray) yield `${name}: drew ${counters.delays} delays`;
    if (host.limits === undefined && counters.peakPerSource > limits.connectionsPerSource)
      yield `${name}: ${counters.peakPerSource} connections at once`;
    yield* given421(name, host, counters);
  }
}

/** A host that hands out 421 by itself, or keeps a limit that no client could know, explains a few; nothing explains many. */
function* given421(name: string, host: HostSpec, counters: Counters): Generator<string> {
  const explained =
    Object.values(host.at ?? {}).some((fault) => fault.reply?.startsWith('421')) || host.limits !== undefined;
  if (counters.given421 > (explained ? GIVEN_421_MAX : 0))
    yield `${name}: drew ${counters.given421} times 421`;
}

function* probeComplaints({ spec, emails, seen }: JudgedRun): Generator<string> {
  const listed = new Set(emails.map((email) => email.toLowerCase()));
  const probes = new Map<string, number>();
  for (const [email, asks] of seen.asks) {
    const domain = email.slice(email.lastIndexOf('@') + 1);
    // Others of the domain are asked again beside a vaguely refused recipient, and so is the catch-all probe.
    const hosts = new Set(asks.map(({ host }) => host));
    const vagueHosts = [...hosts].filter((name) => isVague(hostSpec(spec, name))).length;
    if (listed.has(email)) {
      const most = ASKS_PER_ADDRESS_MAX + vagueHosts * COMPARED_PER_DOMAIN_MAX;
      if (asks.length > most) yield `${email}: asked ${asks.length} times`;
      continue;
    }
    if (vagueHosts > 0) continue;
    probes.set(domain, (probes.get(domain) ?? 0) + asks.length);
  }
  for (const [domain, count] of probes)
    if (count > PROBES_PER_DOMAIN_MAX)
      yield `${domain}: ${count} RCPTs for recipients that are not on the list`;
}

/** A host that refuses one of our source addresses is not asked from another. */
function* sourceComplaints({ emails, seen }: JudgedRun): Generator<string> {
  for (const email of emails) {
    const sources = new Set(seen.asks.get(email.toLowerCase())?.map(({ source }) => source));
    if (sources.size > 1) yield `${email}: asked from ${sources.size} sources`;
  }
}

/** What one domain of a shared host says concerns no other, and what it says of all its recipients is heard once. */
function* sharedHostComplaints({ spec, emails, seen, mailFrom }: JudgedRun): Generator<string> {
  for (const email of emails) {
    const domain = spec.domains[email.slice(email.lastIndexOf('@') + 1)];
    const [shared] = domain?.mx ?? [];
    if (domain === undefined || typeof shared !== 'string') continue;
    const { senders = 'any', lapsed = false } = domain;
    // Where a DNS server lies, other hosts may be asked.
    const asks = (seen.asks.get(email.toLowerCase()) ?? []).filter(({ host }) => host === shared);
    if (senders === 'any' && asks.some(({ sender }) => sender !== mailFrom))
      yield `${email}: asked from another sender, which only a neighbour wants`;
    // What a host said that a lie led to is not believed.
    if (lapsed && asks.length > 1 && spec.dns?.lie === undefined)
      yield `${email}: asked ${asks.length} times about a lapsed tenant`;
  }
}

function hostSpec(spec: WorldSpec, name: string): HostSpec {
  const shared = spec.hosts?.[name];
  if (shared !== undefined) return shared;
  for (const [domain, { host, implicit }] of Object.entries(spec.domains)) {
    if (name === `mx.${domain}` && host !== undefined) return host;
    if (name === domain && implicit !== undefined) return implicit;
  }
  return {};
}

/** Recipients of the same domain that were asked about and refused; those refused before RCPT show nothing. */
function refusedBeside(email: string, emails: readonly string[], seen: Traffic): number {
  const domain = email.slice(email.lastIndexOf('@'));
  const isRefused = (other: string) => seen.asks.get(other.toLowerCase())?.some(({ code }) => code >= 500);
  return emails.filter((other) => other.endsWith(domain) && isRefused(other)).length;
}

function words({ state, reason, acceptAll }: Pick<Finding, 'state' | 'reason' | 'acceptAll'>): string {
  return `${state}/${reason}${acceptAll ? '+accept_all' : ''}`;
}
