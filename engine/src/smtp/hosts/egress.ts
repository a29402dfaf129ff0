// Where we speak from: source addresses and proxies, each with its HELO name. Promise: a domain's source depends on its name
// alone, so that greylisting recognizes us, and a host that refuses one source is not asked from another (ADR 0026).
import type { Holder } from '@mxproof/common/fair-share';
import type { Payers } from '../../policy/payers.ts';
import { type Policy, warmUpOf } from '../../policy/policy.ts';
import type { KeptRests, PermitStore, RestStore, SocksProxy } from '../../ports.ts';
import type { Clock, LogEvent } from '../../types.ts';
import { SourceBreaker } from './source-breaker.ts';
import { sourceName } from './source-name.ts';
import { SourcePermits } from './source-permits.ts';

export interface Source {
  /** Local address; null leaves it to the system, or to the proxy. */
  readonly ip: string | null;
  readonly heloName: string;
  /** Everything of this source goes through it. Unset: directly. */
  readonly proxy?: SocksProxy | undefined;
  /** Unset: the checker's own. Empty: the null sender. */
  readonly mailFrom?: string | undefined;
}

/** Each needs a PTR record and a reputation of its own. */
export const SOURCES_MAX = 30;

export interface EgressOptions {
  readonly sources: readonly Source[];
  readonly log: (event: LogEvent) => void;
  readonly clock: Clock;
  readonly permits: PermitStore;
  readonly policy: Policy;
  /** Null: this process keeps its own. */
  readonly rests?: RestStore | null;
  readonly payers: Payers;
}

export class Egress {
  readonly #breakers: readonly SourceBreaker[];

  constructor({ sources, log, clock, permits: store, policy, rests = null, payers }: EgressOptions) {
    this.#breakers = sources.slice(0, SOURCES_MAX).map((source) => {
      const name = sourceName(source);
      const permits = new SourcePermits(name, { store, clock, log, warmUp: warmUpOf(policy, name), payers });
      return new SourceBreaker(source, log, permits, rests, payers);
    });
    if (this.#breakers.length === 0) throw new Error('an engine needs a source to speak from');
  }

  get names(): readonly (string | null)[] {
    return this.#breakers.map(({ name }) => name);
  }

  /** Nothing is asked from them any more: gives back what they were allowed to ask and did not. */
  /** Something was cancelled: its permits are others' at once. */
  cancelled(holder: Holder): void {
    for (const { permits } of this.#breakers) permits.cancelled(holder);
  }

  async close(): Promise<void> {
    await Promise.all(this.#breakers.map(({ permits }) => permits.close()));
  }

  learnRests({ rests, resumed }: KeptRests, nowMs: number): void {
    for (const breaker of this.#breakers) {
      for (const { source, provider } of resumed) if (source === breaker.name) breaker.resumed(provider);
      breaker.learnRests(
        rests.filter(({ source }) => source === breaker.name),
        nowMs,
      );
    }
  }

  /** Since when one of them rests at a whole provider, the first of several; null: none does. */
  blockedSinceMs(nowMs: number): number | null {
    const all = this.#breakers.flatMap((breaker) => breaker.blockedSinceMs(nowMs) ?? []);
    return all.length === 0 ? null : Math.min(...all);
  }

  /** Since when no source can be used, all of them being proxies that connect to nothing; null: one can. */
  unusableSinceMs(): number | null {
    let sinceMs = 0;
    for (const { proxy } of this.#breakers) {
      const one = proxy?.unusableSinceMs ?? null;
      if (one === null) return null;
      sinceMs = Math.max(sinceMs, one);
    }
    return sinceMs;
  }

  /** Where there is no choice. */
  get only(): SourceBreaker | null {
    return this.#breakers.length === 1 ? (this.#breakers[0] ?? null) : null;
  }

  /** `boundTo`: the source of an earlier attempt, which is kept as long as it is still ours. */
  sourceFor(domain: string, boundTo: string | null): SourceBreaker {
    const bound = boundTo === null ? undefined : this.#breakers.find(({ name }) => name === boundTo);
    if (bound !== undefined) return bound;
    const own = this.#breakers[hash(domain) % this.#breakers.length];
    if (own === undefined) throw new Error('a place among the sources is below their number');
    return own;
  }
}

function hash(text: string): number {
  let sum = 7;
  for (let i = 0; i < text.length; i += 1) sum = (sum * 31 + text.charCodeAt(i)) >>> 0;
  return sum;
}
