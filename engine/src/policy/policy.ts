// The limits for each mail host, as data. Promise: one set of limits for every MX host, the most specific row first
// (host suffix, then provider, then everyone), and a list of domains that are never asked.
import type { Limits } from '../pace/pace.ts';

export interface PolicyRow {
  readonly provider?: string;
  /** `.example.com` or `example.com`: that name and all below it. */
  readonly hostSuffix?: string;
  readonly limits: Partial<Limits>;
  readonly reason: string;
}

export interface Policy {
  readonly everyone: { readonly limits: Limits; readonly reason: string };
  readonly rows: readonly PolicyRow[];
  /** Questions a minute to one zone about names outside the domain that is looked up which turn out not to exist. */
  readonly missingQuestionsPerMinute: number;
  /** Names of domains and MX hosts, lower case ASCII; those below them included. */
  readonly never: ReadonlySet<string>;
}

export interface ChosenLimits extends Limits {
  readonly reason: string;
  /** A row names the host or its provider. */
  readonly isNamed: boolean;
}

export function limitsFor(policy: Policy, host: string, provider: string): ChosenLimits {
  const row =
    policy.rows.find((one) => one.hostSuffix !== undefined && isBelow(host, one.hostSuffix)) ??
    policy.rows.find((one) => one.provider !== undefined && one.provider === provider);
  if (row === undefined) return { ...policy.everyone.limits, reason: policy.everyone.reason, isNamed: false };
  return { ...policy.everyone.limits, ...row.limits, reason: row.reason, isNamed: true };
}

/** For a host that is known by two names. */
export function stricter(a: ChosenLimits, b: ChosenLimits): ChosenLimits {
  return {
    ...a,
    connections: Math.min(a.connections, b.connections),
    connectionsPerProvider: Math.min(a.connectionsPerProvider, b.connectionsPerProvider),
    recipientsPerTransaction: Math.min(a.recipientsPerTransaction, b.recipientsPerTransaction),
    recipientsPerConnection: Math.min(a.recipientsPerConnection, b.recipientsPerConnection),
    refusalsPerConnection: Math.min(a.refusalsPerConnection, b.refusalsPerConnection),
    recipientsPerMinute: lower(a.recipientsPerMinute, b.recipientsPerMinute),
    refusalsInARow: lower(a.refusalsInARow, b.refusalsInARow),
    refusingRecipientsPerMinute: Math.min(a.refusingRecipientsPerMinute, b.refusingRecipientsPerMinute),
    refusingConnectionsPerMinute: Math.min(a.refusingConnectionsPerMinute, b.refusingConnectionsPerMinute),
    isNamed: true,
  };
}

/** null: no limit. */
function lower(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** A domain or an MX host that is not to be connected to. */
export function isNeverAsked(policy: Policy, domainOrHost: string): boolean {
  let name = domainOrHost;
  for (;;) {
    if (policy.never.has(name)) return true;
    const dot = name.indexOf('.');
    if (dot < 0) return false;
    name = name.slice(dot + 1);
  }
}

function isBelow(host: string, suffix: string): boolean {
  const name = suffix.startsWith('.') ? suffix.slice(1) : suffix;
  return host === name || host.endsWith(`.${name}`);
}
