// Every mail host address that is or was asked, with what is known of it. Promise: one entry per address, whatever zone points
// at it, under the name of its provider or of a policy row once a domain has used that name, with the stricter limits
// where two such names meet; a bounded number of them, of which those with something to remember (a
// pause, a refusal, a limit) and those in use go last.
import type { MailTarget } from '../../dns/domain-facts.ts';
import { hasOwnMachines, paceGroupOf, providerOf } from '../../domain/provider.ts';
import { createPace } from '../../pace/pace.ts';
import type { LiveNodes } from '../../policy/live-nodes.ts';
import type { Payers } from '../../policy/payers.ts';
import { type ChosenLimits, limitsFor, type Policy, stricter } from '../../policy/policy.ts';
import { createMxHost, isRemembered, type MxHost, type ProviderPace, rename } from '../hosts/mx-host.ts';
import { ConnectionQueue } from '../hosts/parts/connection-queue.ts';
import { StrainedHosts } from '../hosts/parts/strained-hosts.ts';
import type { SessionTimeouts } from '../session/session-plan.ts';

/** What they take in memory: ADR 0023. */
const MX_HOSTS_MAX = 50_000;
/** What is left of them after a scan where nearly all have something to remember: room until the next scan. */
const FULL_AFTER = 0.9;

export interface MxHostCacheOptions {
  readonly policy: Policy;
  readonly timeouts: SessionTimeouts;
  readonly nodes: LiveNodes;
  readonly payers: Payers;
  readonly mxHostsMax?: number;
}

export class MxHostCache {
  readonly #options: MxHostCacheOptions;
  readonly #max: number;
  readonly #mxHosts = new Map<string, MxHost>();
  /** By provider, or region of one. */
  readonly #groups = new Map<string, ProviderPace>();
  /** The policy's, as hosts are known by; another object: it was replaced. */
  #everyone: Policy['everyone'];
  /** Hosts with limits of the policy before. */
  #outdated = new Set<MxHost>();

  constructor(options: MxHostCacheOptions) {
    this.#options = options;
    this.#max = options.mxHostsMax ?? MX_HOSTS_MAX;
    this.#everyone = options.policy.everyone;
  }

  get size(): number {
    return this.#mxHosts.size;
  }

  get(ip: string): MxHost | undefined {
    return this.#mxHosts.get(ip);
  }

  /** By an address and the name under which it was found. */
  of({ ip, host }: MailTarget, nowMs: number): MxHost {
    const { policy, timeouts, nodes, payers } = this.#options;
    const provider = providerOf(host);
    const limits = limitsFor(policy, host, provider, ip);
    const known = this.#mxHosts.get(ip);
    if (known !== undefined) {
      this.#renew(known, limits);
      this.#name(known, host, provider, limits);
      return known;
    }
    if (this.#mxHosts.size >= this.#max) this.#forget(nowMs);
    const shared = this.#paceOf(host, provider, limits);
    const mxHost = createMxHost(ip, provider, limits, shared, timeouts, nodes, payers);
    this.#mxHosts.set(ip, mxHost);
    return mxHost;
  }

  /** Limits of a policy that was replaced; what the host has shown still holds. */
  #renew(known: MxHost, limits: ChosenLimits): void {
    const { everyone } = this.#options.policy;
    if (everyone !== this.#everyone) {
      this.#everyone = everyone;
      this.#outdated = new Set(this.#mxHosts.values());
    }
    if (this.#outdated.delete(known))
      rename(known, known.provider, limits, known.shared, this.#options.timeouts);
  }

  #name(known: MxHost, host: string, provider: string, limits: ChosenLimits): void {
    if (isUnknownProvider(provider) && !limits.isNamed) return;
    const isKnown = !isUnknownProvider(known.provider);
    if (known.limits.reason === limits.reason && (isKnown || known.provider === provider)) return;
    const isFirstName = !isKnown && !known.limits.isNamed;
    const name = isKnown ? known.provider : provider;
    const both = isFirstName ? limits : stricter(known.limits, limits);
    const shared = known.shared ?? this.#paceOf(host, name, limits);
    rename(known, name, both, shared, this.#options.timeouts);
  }

  #paceOf(host: string, provider: string, limits: ChosenLimits): ProviderPace | null {
    if (!hasOwnMachines(provider)) return null;
    const group = paceGroupOf(host, provider);
    let shared = this.#groups.get(group);
    if (shared === undefined) {
      shared = {
        pace: createPace(limits, 'provider'),
        connections: new ConnectionQueue(),
        strained: new StrainedHosts(this.#options.payers),
      };
      this.#groups.set(group, shared);
    }
    return shared;
  }

  /** The oldest first: half of them, or all without something to remember; of those with, a tenth if need be. */
  #forget(nowMs: number): void {
    for (const isAll of [false, true])
      for (const [ip, mxHost] of this.#mxHosts) {
        const isEnough = this.#mxHosts.size <= (isAll ? this.#max * FULL_AFTER : this.#max / 2);
        if (isEnough) return;
        const isInUse = mxHost.pace.open > 0 || mxHost.connections.isWaitedFor;
        if (isInUse || (!isAll && isRemembered(mxHost, nowMs))) continue;
        this.#mxHosts.delete(ip);
        this.#outdated.delete(mxHost);
      }
  }
}

function isUnknownProvider(provider: string): boolean {
  return provider === 'other' || provider === '';
}
