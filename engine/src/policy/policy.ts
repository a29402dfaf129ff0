// The limits for each mail host, as data. Promise: one set of limits for every MX host, the most specific row first
// (host suffix, then provider, then everyone), and a list of domains, hosts and providers that are never asked.
import { providerOf } from '../domain/provider.ts';
import { lowerOf } from '../lower-of.ts';
import type { Limits } from '../pace/pace.ts';
import type { Budget, ProviderWarmUp, WarmUp } from '../ports.ts';

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
  /** Providers none of whose MX hosts is asked. */
  readonly neverProviders: ReadonlySet<string>;
  /** By a source's name: its address, or `host:port` of a proxy. */
  readonly sources: ReadonlyMap<string, SourceSettings>;
}

/**
 * From now on `policy` is as the other one is: for what is never asked at once, for the limits of a host when it is next asked.
 * Its sources stay, whose warm-ups and senders were chosen at the start.
 */
export function replacePolicy(policy: Policy, { sources: _, ...other }: Policy): void {
  Object.assign(policy, other);
}

/** What the policy file says of one source. */
export interface SourceSettings {
  /** Unset: the checker's own. Empty: the null sender. */
  readonly mailFrom?: string;
  /** Unset: that of `*`, if there is one. */
  readonly warmUp?: WarmUpSettings;
}

/** Under this name in `Policy.sources`: every source that does not have a warm-up of its own. */
export const ANY_SOURCE = '*';

export interface WarmUpSettings extends WarmUp {
  /** In the place of the above, at these. */
  readonly providers: ReadonlyMap<string, WarmUp>;
}

export interface ChosenLimits extends Limits {
  readonly reason: string;
  /** A row names the host or its provider. */
  readonly isNamed: boolean;
  /** Empty: no limit per hour or day. Several: of a host that is known by several names. */
  readonly budgets: readonly Budget[];
}

/** Of hosts that are no known provider's, in a warm-up. */
const OTHER_PROVIDER = 'other';

const NO_BUDGETS: readonly Budget[] = [];

/** `ip`: of that host. What `everyone` may be asked in an hour or a day is counted for each address. */
export function limitsFor(policy: Policy, host: string, provider: string, ip = host): ChosenLimits {
  const row =
    policy.rows.find((one) => one.hostSuffix !== undefined && isBelow(host, one.hostSuffix)) ??
    policy.rows.find((one) => one.provider !== undefined && one.provider === provider);
  const { limits: everyones, reason } = policy.everyone;
  if (row === undefined)
    return { ...everyones, reason, isNamed: false, budgets: budgetsOf(everyones, `address ${ip}`) };
  const limits = { ...everyones, ...row.limits };
  const key = row.hostSuffix === undefined ? `provider ${provider}` : `host ${row.hostSuffix}`;
  return { ...limits, reason: row.reason, isNamed: true, budgets: budgetsOf(limits, key) };
}

function budgetsOf({ recipientsPerHour, recipientsPerDay }: Limits, key: string): readonly Budget[] {
  if (recipientsPerHour === null && recipientsPerDay === null) return NO_BUDGETS;
  return [{ key, perHour: recipientsPerHour, perDay: recipientsPerDay }];
}

/** Of one source, by its name; null: that source has none. */
export function warmUpOf({ sources }: Policy, source: string | null): WarmUpSettings | null {
  return (
    (source === null ? undefined : sources.get(source)?.warmUp) ?? sources.get(ANY_SOURCE)?.warmUp ?? null
  );
}

export function hasWarmUp({ sources }: Policy): boolean {
  return [...sources.values()].some(({ warmUp }) => warmUp !== undefined);
}

export function warmUpAt(settings: WarmUpSettings, provider: string): ProviderWarmUp {
  const name = provider === '' ? OTHER_PROVIDER : provider;
  const { perDay, growth, until, unknownPercent } = settings.providers.get(name) ?? settings;
  return { provider: name, perDay, growth, until, unknownPercent };
}

/** What the permits of a warm-up are counted by: hosts of no known provider have nothing in common, and are counted each. */
export const warmUpKey = (provider: string, ip: string) =>
  provider === OTHER_PROVIDER ? `${WARM_UP_OTHER}${ip}` : `warm-up ${provider}`;

/** How those keys begin. */
export const WARM_UP_OTHER = `warm-up ${OTHER_PROVIDER} `;

/** For a host that is known by two names. Null is no limit. */
export function stricter(a: ChosenLimits, b: ChosenLimits): ChosenLimits {
  return {
    ...a,
    connections: Math.min(a.connections, b.connections),
    connectionsPerProvider: Math.min(a.connectionsPerProvider, b.connectionsPerProvider),
    recipientsPerTransaction: Math.min(a.recipientsPerTransaction, b.recipientsPerTransaction),
    recipientsPerConnection: Math.min(a.recipientsPerConnection, b.recipientsPerConnection),
    refusalsPerConnection: Math.min(a.refusalsPerConnection, b.refusalsPerConnection),
    transactionsPerConnection: lowerOf(a.transactionsPerConnection, b.transactionsPerConnection),
    recipientsPerMinute: lowerOf(a.recipientsPerMinute, b.recipientsPerMinute),
    recipientsPerHour: lowerOf(a.recipientsPerHour, b.recipientsPerHour),
    recipientsPerDay: lowerOf(a.recipientsPerDay, b.recipientsPerDay),
    budgets: [...a.budgets, ...b.budgets.filter(({ key }) => !a.budgets.some((one) => one.key === key))],
    refusalsInARow: lowerOf(a.refusalsInARow, b.refusalsInARow),
    refusingRecipientsPerMinute: Math.min(a.refusingRecipientsPerMinute, b.refusingRecipientsPerMinute),
    refusingConnectionsPerMinute: Math.min(a.refusingConnectionsPerMinute, b.refusingConnectionsPerMinute),
    isNamed: true,
  };
}

/** An MX host that is not to be connected to, by its name or its provider. */
export function isHostNeverAsked(policy: Policy, host: string): boolean {
  const { neverProviders } = policy;
  return isNeverAsked(policy, host) || (neverProviders.size > 0 && neverProviders.has(providerOf(host)));
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
