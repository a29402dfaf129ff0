// Where we speak from: source addresses, each with its HELO name, and who has blocked which. Promise: a source that
// a provider blocks is not used there for a while; a domain keeps its source while that is healthy, so that
// greylisting knows us when we come back.
export interface Source {
  /** Local address; null leaves it to the system. */
  readonly ip: string | null;
  readonly heloName: string;
}

/** Tasks remember tried sources as bits of one number. */
export const SOURCES_MAX = 30;
const BLOCKED_MS = 15 * 60_000;
const BLOCKS_MAX = 10_000;

export class Egress {
  readonly sources: readonly Source[];
  readonly #blockedUntilMs = new Map<string, number>();

  constructor(sources: readonly Source[]) {
    this.sources = sources.slice(0, SOURCES_MAX);
  }

  /** The source a later attempt is bound to, as long as it is still ours. */
  bound(ip: string | null): Source | null {
    return this.sources.find((source) => source.ip === ip) ?? null;
  }

  /** A source `whom` has not blocked, the domain's own first; null when all are. `tried`: bits, see `bit`. */
  choose(domain: string, whom: string, tried: number, nowMs: number): Source | null {
    const first = this.sources.length === 1 ? 0 : hash(domain) % this.sources.length;
    for (let i = 0; i < this.sources.length; i += 1) {
      const at = (first + i) % this.sources.length;
      const source = this.sources[at];
      if (source !== undefined && (tried & (1 << at)) === 0 && !this.isBlocked(source, whom, nowMs))
        return source;
    }
    return null;
  }

  bit(source: Source): number {
    return 1 << this.sources.indexOf(source);
  }

  block(source: Source, whom: string, nowMs: number): void {
    if (this.#blockedUntilMs.size >= BLOCKS_MAX) this.#blockedUntilMs.clear();
    this.#blockedUntilMs.set(`${source.ip} ${whom}`, nowMs + BLOCKED_MS);
  }

  isBlocked(source: Source, whom: string, nowMs: number): boolean {
    if (this.#blockedUntilMs.size === 0) return false;
    const untilMs = this.#blockedUntilMs.get(`${source.ip} ${whom}`);
    return untilMs !== undefined && untilMs > nowMs;
  }
}

function hash(text: string): number {
  let sum = 7;
  for (let i = 0; i < text.length; i += 1) sum = (sum * 31 + text.charCodeAt(i)) >>> 0;
  return sum;
}
