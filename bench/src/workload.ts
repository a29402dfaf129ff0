// The engine's workload: addresses over domains, 60 % on five providers, 77 % known, 20 % unknown, 3 % at catch-all
// domains, against hosts with ordinary limits. Promise: the same numbers give the same list.
import { createRandom } from '../../world/src/random.ts';
import type { DomainSpec, HostSpec, Limits, WorldSpec } from '../../world/src/spec.ts';
import type { Truth } from '../../world/src/truth.ts';
import type { FloorHost } from './floor.ts';

export interface Workload {
  readonly spec: WorldSpec;
  /** In an order as mixed as a customer's list. */
  readonly emails: readonly string[];
  readonly domains: number;
}

export interface WorkloadOptions {
  readonly addresses: number;
  readonly domains: number;
  readonly limits: Partial<Limits>;
  /** How far away the resolver is. */
  readonly dnsReplyMs?: number;
}

const PROVIDERS = 5;
const PROVIDER_SHARE = 0.6;
const CATCH_ALL_SHARE = 0.03;
/** Of the addresses that are not at a catch-all domain. */
const KNOWN_SHARE = 0.77 / 0.97;
export const REPLY_DELAY_MS = 20;

/** Postfix's behaviour with these numbers. */
export const ORDINARY_LIMITS: Partial<Limits> = {
  connectionsPerHost: 10,
  connectionsPerSource: 10,
  recipientsPerTransaction: 100,
  softErrors: 10,
  softErrorDelayMs: 1000,
  hardErrors: 20,
};

/** Hosts whose limits are those of the better policy: 25 refusals, 100 recipients. */
export const BEARING_LIMITS: Partial<Limits> = { ...ORDINARY_LIMITS, softErrors: 26, hardErrors: 26 };

export function createWorkload({ addresses, domains, limits, dnsReplyMs }: WorkloadOptions): Workload {
  const host: HostSpec = { replyDelayMs: REPLY_DELAY_MS, limits };
  const small = domains - PROVIDERS;
  const catchAlls = Math.round((CATCH_ALL_SHARE / (1 - PROVIDER_SHARE)) * small);
  const zones: Record<string, DomainSpec> = {};
  const emails: string[] = [];
  for (let i = 0; i < PROVIDERS; i += 1)
    zones[`provider${i}.example`] = { host, mailboxes: { share: KNOWN_SHARE } };
  for (let i = 0; i < small; i += 1)
    zones[`d${i}.example`] = { host, mailboxes: i < catchAlls ? { catchAll: true } : { share: KNOWN_SHARE } };
  const atProviders = Math.round(addresses * PROVIDER_SHARE);
  for (let i = 0; i < addresses; i += 1) {
    const domain = i < atProviders ? `provider${i % PROVIDERS}` : `d${(i - atProviders) % small}`;
    emails.push(`p${i}@${domain}.example`);
  }
  return {
    spec: { domains: zones, dns: { latencyMs: dnsReplyMs ?? REPLY_DELAY_MS } },
    emails: shuffled(emails),
    domains,
  };
}

/** The ordinary list at hosts that bear more. */
export function bearingWorkload(): Workload {
  return createWorkload({ addresses: 10_000, domains: 200, limits: BEARING_LIMITS });
}

/** Each domain has one MX host of its own here. */
export function floorHosts(workload: Workload, truths: ReadonlyMap<string, Truth>): readonly FloorHost[] {
  const hosts = new Map<string, { addresses: number; refused: number }>();
  for (const email of workload.emails) {
    const domain = email.slice(email.indexOf('@') + 1);
    const host = hosts.get(domain) ?? { addresses: 0, refused: 0 };
    host.addresses += 1;
    if (truths.get(email)?.state === 'undeliverable') host.refused += 1;
    hosts.set(domain, host);
  }
  return [...hosts.values()].map(({ addresses, refused }) => ({
    addresses,
    refusalShare: refused / addresses,
  }));
}

function shuffled(emails: string[]): string[] {
  const random = createRandom(emails.length);
  for (let i = emails.length - 1; i > 0; i -= 1) {
    const other = random.between(0, i);
    [emails[i], emails[other]] = [emails[other]!, emails[i]!];
  }
  return emails;
}
