// Where we speak from: source addresses, each with its HELO name. Promise: a domain's source depends on its name alone,
// so that greylisting recognizes us, and a host that refuses one source is not asked from another (ADR 0026).
import type { KeptRests, PermitStore, RestStore } from '../../ports.ts';
import type { Clock, LogEvent } from '../../types.ts';
import { SourceBreaker } from './source-breaker.ts';
import { SourcePermits } from './source-permits.ts';

export interface Source {
  /** Local address; null leaves it to the system. */
  readonly ip: string | null;
  readonly heloName: string;
}

/** Each needs a PTR record and a reputation of its own. */
export const SOURCES_MAX = 30;

export interface EgressOptions {
  readonly sources: readonly Source[];
  readonly log: (event: LogEvent) => void;
  readonly clock: Clock;
  readonly permits: PermitStore;
  /** Null: this process keeps its own. */
  readonly rests?: RestStore | null;
}

export class Egress {
  readonly #breakers: readonly SourceBreaker[];

  constructor({ sources, log, clock, permits: store, rests = null }: EgressOptions) {
    this.#breakers = sources
      .slice(0, SOURCES_MAX)
      .map(
        (source) =>
          new SourceBreaker(source, log, new SourcePermits(source.ip, { store, clock, log }), rests),
      );
    if (this.#breakers.length === 0) throw new Error('an engine needs a source to speak from');
  }

  get sources(): readonly Source[] {
    return this.#breakers.map(({ source }) => source);
  }

  /** Nothing is asked from them any more: gives back what they were allowed to ask and did not. */
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

  /** Where there is no choice. */
  get only(): SourceBreaker | null {
    return this.#breakers.length === 1 ? (this.#breakers[0] ?? null) : null;
  }

  /** `boundTo`: the source of an earlier attempt, which is kept as long as it is still ours. */
  sourceFor(domain: string, boundTo: string | null): SourceBreaker {
    const bound = boundTo === null ? undefined : this.#breakers.find(({ source }) => source.ip === boundTo);
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
