// What a patient, careful verifier must find, read from the spec alone. Promise: never asks the hosts; `mayBeUnknown`
// says where the world is so unkind that giving up is also right.
import { domainToASCII } from 'node:url';
import type { Detail, Reason, State } from '@mxproof/engine';
import type { CompiledDomain, CompiledWorld } from './compile-world.ts';
import type { Host } from './host.ts';
import type { DnsFault, Fault, HostSpec } from './spec.ts';
import { VAGUE_WORDINGS } from './wording.ts';

export interface Truth {
  readonly state: State;
  readonly reason: Reason;
  /** What acceptAll must be when the verdict is the true one. */
  readonly acceptAll: boolean;
  /** What the detail must be when the verdict is the true one; unset: it is not held against anything. */
  readonly detail?: Detail;
  /** An `unknown` is no error either: the host drops, stalls or blocks part of the time. */
  readonly mayBeUnknown: boolean;
  /** Sources that a host refuses: asked from one of them, `unknown` is right. */
  readonly refusedSources?: readonly string[];
  /** Unknown for whichever reason: did a host that sent bytes but no SMTP speak, or did none connect? */
  readonly anyReason?: boolean;
  /**
   * The host refuses every recipient. `hidden`: it also defers or cuts short a session that asks about the catch-all
   * probe, so that a verifier may not get to see it.
   */
  readonly refusesAll?: 'plain' | 'hidden';
  /** What other MX hosts that may rightly be asked would say, where they differ. */
  readonly others?: readonly Truth[];
}

/** Role names the specs of tests use; the engine's own list is larger. */
const ROLES: ReadonlySet<string> = new Set([
  'abuse',
  'admin',
  'billing',
  'contact',
  'info',
  'postmaster',
  'sales',
  'support',
  'webmaster',
  'hostmaster',
]);

const ALIAS_HOPS_MAX = 10;
/** What the engine gives a banner at first. */
const FIRST_TRY_MS = 60_000;
const FEW_ERRORS = 5;
/** Dot-atoms, SMTPUTF8 included; specs use no quoted local parts. */
const PLAIN_LOCAL = /^[^\s@"(),:;<>[\\\]\p{Cc}.]+(?:\.[^\s@"(),:;<>[\\\]\p{Cc}.]+)*$/u;

export function truthOf(world: CompiledWorld, email: string): Truth {
  const truth = trueIfHeard(world, email);
  // Where answers of DNS are lost, or a server lies, no name is sure.
  const { lossShare = 0, lie } = world.spec.dns ?? {};
  const isUnsure = (lossShare > 0 || lie !== undefined) && truth.reason !== 'invalid_email';
  return isUnsure ? { ...truth, mayBeUnknown: true } : truth;
}

function trueIfHeard(world: CompiledWorld, email: string): Truth {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at).toLowerCase();
  const name = domainToASCII(email.slice(at + 1));
  if (at < 1 || name === '' || !PLAIN_LOCAL.test(local)) return sure('undeliverable', 'invalid_email');
  let domain = world.domains.get(name);
  for (
    let hop = 0;
    hop < ALIAS_HOPS_MAX && domain?.spec.cname !== undefined && usable(domain.spec.dns);
    hop += 1
  )
    domain = world.domains.get(domain.spec.cname);
  if (domain === undefined || domain.spec.dns === 'nxdomain') return sure('undeliverable', 'invalid_domain');
  if (domain.spec.dns === 'nodata') return sure('undeliverable', 'invalid_domain');
  if (!usable(domain.spec.dns)) return sure('unknown', 'dns_error');
  const flaky = typeof domain.spec.dns === 'object';
  const hosts = domain.mxHosts.map((mxHost) => world.hosts.get(mxHost));
  const named = hosts.filter(
    (host) => host !== undefined && host.addresses.length > 0 && !missing(host.host.spec.dns),
  );
  if (named.length === 0) return sure('undeliverable', 'invalid_domain');
  const resolved = named.filter((host) => usable(host!.host.spec.dns));
  if (domain.spec.disposable === true) return sure('risky', 'disposable');
  if (resolved.length === 0) return sure('unknown', 'dns_error');
  const up = resolved.filter((host) => (host!.host.spec.down ?? false) === false);
  if (up.length === 0) return sure('unknown', 'no_connect');
  const answers = up.map((host) => hostTruth(world.domains.get(name) ?? domain!, local, host!.host, email));
  const first = answers.find((answer) => answer.state !== 'unknown') ?? answers[0]!;
  const mayBeUnknown = flaky || answers.some((answer) => answer.mayBeUnknown || answer.state === 'unknown');
  const others = answers.filter(
    ({ reason, acceptAll, refusesAll }) =>
      reason !== first.reason || acceptAll !== first.acceptAll || refusesAll !== first.refusesAll,
  );
  const refusedSources = up.flatMap((host) => refusedSourcesOf(host!.host.spec));
  const truth = { ...first, mayBeUnknown, ...(refusedSources.length === 0 ? {} : { refusedSources }) };
  return others.length === 0 ? truth : { ...truth, others };
}

function hostTruth(
  domain: CompiledDomain,
  local: string,
  { name, spec: host }: Pick<Host, 'name' | 'spec'>,
  email: string,
): Truth {
  const silent = unavailable(host);
  if (silent !== null) return silent;
  // Where an unknown mailbox, or any mailbox at a whim, gets a vague sentence, much stays open; but a mailbox that exists
  // is never rejected.
  const unsteady =
    Object.values(host.at ?? {}).some(passing) || rated(host) || isVague(host) || isShortAndRude(host);
  const found = (state: State, reason: Reason, acceptAll = false): Truth => ({
    state,
    reason,
    acceptAll,
    mayBeUnknown: unsteady,
  });
  if (!/^[\x20-\x7e]*$/.test(email.slice(0, email.lastIndexOf('@'))) && host.smtpUtf8 === false)
    return found('unknown', 'unavailable_smtp');
  if (domain.rule.lapsed) return { ...found('unknown', 'unavailable_smtp'), detail: 'tenant_lapsed' };
  // A host that refuses every recipient, the catch-all probe included, says nothing about any of them.
  if (host.everyRcpt === 'refuse' || (domain.rule.refuseAll && host.everyRcpt === undefined))
    return { ...found('unknown', 'unavailable_smtp'), refusesAll: hides(host) ? 'hidden' : 'plain' };
  const catchAll = host.everyRcpt === 'accept' || domain.rule.catchAll;
  const kind = host.everyRcpt === 'accept' ? 'accepted' : domain.rule.kind(local);
  switch (kind) {
    case 'unknown':
    case 'disabled':
      return found('undeliverable', 'rejected_email');
    case 'overQuota':
    case 'fullForNow':
      return { ...found('risky', 'low_deliverability', catchAll), detail: 'mailbox_full' };
    case 'tempfail':
      return found('unknown', 'unavailable_smtp', catchAll);
    case 'busy':
    case 'accepted':
      if (ROLES.has(local)) return found('risky', 'low_quality', catchAll);
      return catchAll
        ? { ...found('risky', 'low_deliverability', true), detail: acceptsAllAt(name) }
        : found('deliverable', 'accepted_email');
  }
}

/** By the names these worlds use. */
const ACCEPTING_PROVIDERS: readonly (readonly [RegExp, Detail])[] = [
  [/\.yahoodns\.net$/, 'decides_after_data'],
  [/\.mail\.protection\.outlook\.com$/, 'tenant_accepts_all'],
  [/\.(?:pphosted|mimecast|barracudanetworks)\.com$/, 'gateway_accepts_all'],
];

function acceptsAllAt(host: string): Detail {
  return ACCEPTING_PROVIDERS.find(([name]) => name.test(host))?.[1] ?? 'catch_all';
}

function refusedSourcesOf({ at }: HostSpec): readonly string[] {
  return Object.values(at ?? {}).flatMap(({ sources }) => sources ?? []);
}

/** Hosts that never get as far as a mailbox. */
function unavailable(host: HostSpec): Truth | null {
  if (host.speaks !== undefined && host.speaks !== 'smtp')
    return { ...sure('unknown', 'unavailable_smtp'), anyReason: true };
  if (host.everyRcpt === 'blocked' || host.everyRcpt === 'tempfail')
    return sure('unknown', 'unavailable_smtp');
  for (const stage of ['banner', 'ehlo', 'mail', 'rcpt'] as const) {
    const fault = host.at?.[stage];
    if (fault === undefined || passing(fault) || fault.sources !== undefined) continue;
    const silent = fault.next !== undefined && fault.next !== 'go_on';
    if (stage === 'banner' && silent && fault.reply === undefined)
      return { ...sure('unknown', 'no_connect'), anyReason: true };
    if (silent || /^[45]/.test(fault.reply ?? '')) return sure('unknown', 'unavailable_smtp');
  }
  return null;
}

export function isVague({ wording, whims }: HostSpec): boolean {
  return whims !== undefined || VAGUE_WORDINGS.some((vague) => vague === wording);
}

function hides(host: HostSpec): boolean {
  const { recipientsPerConnection, recipientsPerTransaction } = host.limits ?? {};
  const isShort = recipientsPerConnection !== undefined || recipientsPerTransaction !== undefined;
  const isUnsteady = Object.values(host.at ?? {}).some(passing) || rated(host) || host.whims !== undefined;
  return host.greylist !== undefined || isShort || isUnsteady;
}

/**
 * It says no 221, so that more sessions are needed to believe it, and there is little to be had in one: its banner
 * outlasts a first try, or it hangs up after a few errors, under the probes as well.
 */
function isShortAndRude({ at, limits }: HostSpec): boolean {
  if (at?.quit === undefined) return false;
  return (at.banner?.delayMs ?? 0) > FIRST_TRY_MS || (limits?.hardErrors ?? FEW_ERRORS) < FEW_ERRORS;
}

/** Asking slowly enough may take longer than the engine's patience. */
function rated({ limits }: HostSpec): boolean {
  return limits?.recipientsPerMinute !== undefined || limits?.connectionsPerMinute !== undefined;
}

/** Strikes only sometimes, so that another try may go well; or muddles replies, which a verifier may see through. */
function passing(fault: Fault): boolean {
  if (fault.mangle !== undefined || fault.afterAll !== undefined) return true;
  return fault.share !== undefined || fault.times !== undefined || fault.after !== undefined;
}

function usable(fault: DnsFault | undefined): boolean {
  return fault === undefined || fault === 'truncate' || typeof fault === 'object';
}

function missing(fault: DnsFault | undefined): boolean {
  return fault === 'nxdomain' || fault === 'nodata';
}

function sure(state: State, reason: Reason): Truth {
  return { state, reason, acceptAll: false, mayBeUnknown: false };
}
