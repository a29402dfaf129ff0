// The limits for each mail host, as data. Promise: one set of limits for every exchanger, the most specific row first
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
  /** Names of domains and exchangers, lower case ASCII; those below them included. */
  readonly never: ReadonlySet<string>;
}

export interface ChosenLimits extends Limits {
  readonly reason: string;
}

export function limitsFor(policy: Policy, host: string, provider: string): ChosenLimits {
  const row =
    policy.rows.find((one) => one.hostSuffix !== undefined && isBelow(host, one.hostSuffix)) ??
    policy.rows.find((one) => one.provider !== undefined && one.provider === provider);
  if (row === undefined) return { ...policy.everyone.limits, reason: policy.everyone.reason };
  return { ...policy.everyone.limits, ...row.limits, reason: row.reason };
}

/** A domain or an exchanger that is not to be connected to. */
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
