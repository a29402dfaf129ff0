// A cache in front of a Resolver. Promise: one question per name in flight, at most 200 in all, answers kept for
// their TTL where it is known and a configured time where not, "no such name" for less, failures for seconds,
// and never more than a fixed number of names.
import type { DnsAnswer, MxRecord, Resolver } from '../ports.ts';

/** c-ares ran three times slower with 1,000 questions in flight and lost a third of 10,000. */
const IN_FLIGHT_MAX = 200;
const NAMES_MAX = 100_000;
const TTL_MIN_MS = 10_000;
const TTL_MAX_MS = 3_600_000;
const UNKNOWN_TTL_MS = 300_000;
const ABSENT_MS = 60_000;
const FAILED_MS = 5_000;

export interface DnsCacheOptions {
  readonly resolver: Resolver;
  readonly now: () => number;
  /** For answers whose TTL the resolver hides. */
  readonly unknownTtlMs?: number | undefined;
  readonly namesMax?: number | undefined;
}

export interface Kept<Row> {
  readonly answer: DnsAnswer<Row>;
  readonly untilMs: number;
}

type Row = MxRecord | string;

export class DnsCache {
  readonly #options: DnsCacheOptions;
  readonly #kept = new Map<string, Kept<Row>>();
  readonly #asking = new Map<string, Promise<Kept<Row>>>();
  readonly #waiting: (() => void)[] = [];
  #inFlight = 0;

  constructor(options: DnsCacheOptions) {
    this.#options = options;
  }

  mx(name: string): Promise<Kept<MxRecord>> {
    return this.#ask(`mx ${name}`, () => this.#options.resolver.mx(name)) as Promise<Kept<MxRecord>>;
  }

  a(name: string): Promise<Kept<string>> {
    return this.#ask(`a ${name}`, () => this.#options.resolver.a(name)) as Promise<Kept<string>>;
  }

  aaaa(name: string): Promise<Kept<string>> {
    return this.#ask(`aaaa ${name}`, () => this.#options.resolver.aaaa(name)) as Promise<Kept<string>>;
  }

  /** For a name without any other address: asked with more trouble. */
  onlyAaaa(name: string): Promise<Kept<string>> {
    const question = () => this.#options.resolver.aaaa(name, true);
    return this.#ask(`only aaaa ${name}`, question) as Promise<Kept<string>>;
  }

  #ask(key: string, question: () => Promise<DnsAnswer<Row>>): Promise<Kept<Row>> {
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.untilMs > this.#options.now()) return Promise.resolve(kept);
    const asking = this.#asking.get(key);
    if (asking !== undefined) return asking;
    const promise = this.#slot(question).then((answer) => {
      const entry = { answer, untilMs: this.#options.now() + this.#keepMs(answer) };
      this.#asking.delete(key);
      this.#kept.delete(key);
      this.#kept.set(key, entry);
      // The oldest goes first: Map keeps the order of insertion.
      if (this.#kept.size > (this.#options.namesMax ?? NAMES_MAX)) {
        const oldest = this.#kept.keys().next().value;
        if (oldest !== undefined) this.#kept.delete(oldest);
      }
      return entry;
    });
    this.#asking.set(key, promise);
    return promise;
  }

  async #slot(question: () => Promise<DnsAnswer<Row>>): Promise<DnsAnswer<Row>> {
    if (this.#inFlight >= IN_FLIGHT_MAX) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#inFlight += 1;
    try {
      return await question();
    } catch {
      return { kind: 'servfail' };
    } finally {
      // The slot passes straight to the next in line, so that the cap holds at every moment.
      const next = this.#waiting.shift();
      if (next === undefined) this.#inFlight -= 1;
      else next();
    }
  }

  #keepMs(answer: DnsAnswer<Row>): number {
    switch (answer.kind) {
      case 'records':
        if (answer.ttlSeconds === null) return this.#options.unknownTtlMs ?? UNKNOWN_TTL_MS;
        return Math.min(TTL_MAX_MS, Math.max(TTL_MIN_MS, answer.ttlSeconds * 1000));
      case 'nxdomain':
      case 'nodata':
        return ABSENT_MS;
      case 'servfail':
      case 'refused':
      case 'timeout':
        return FAILED_MS;
      default:
        return answer satisfies never;
    }
  }
}
