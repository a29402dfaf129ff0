// A cache in front of a Resolver. Promise: one query per name in flight, at most 200 in total; answers are cached for
// their TTL if it is known, otherwise for a configured time, "no such name" for less, failures for seconds; the number
// of names is bounded.
import type { DnsAnswer, MxRecord, PassedOver, Resolver } from '../ports.ts';

/**
 * While the loop stalls, answers wait in the socket's buffer (208 KiB by default): for 40 ms none of 200 was lost, of
 * 500 every second.
 */
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
  readonly belief?: Belief | undefined;
}

/** What is known of the servers' honesty. */
export interface Belief {
  /** Servers that are not asked. */
  readonly passedOver: PassedOver;
  /** What was asked before this number last changed is asked again. */
  readonly era: number;
}

export interface Kept<Row> {
  readonly answer: DnsAnswer<Row>;
  readonly untilMs: number;
}

type Row = MxRecord | string;
type Question = (passedOver: PassedOver) => Promise<DnsAnswer<Row>>;

interface Asking {
  readonly name: Name;
  readonly question: Question;
  readonly done: (kept: Kept<Row>) => void;
}

/** A name that was queried: its answer, or the callers that wait for it. */
interface Name {
  answer: Promise<Kept<Row>> | null;
  /** For ever while it is waited for. */
  untilMs: number;
  /** When it was asked for. */
  readonly era: number;
}

const UNCHANGING: Belief = { passedOver: null, era: 0 };

export class DnsCache {
  readonly #options: DnsCacheOptions;
  readonly #belief: Belief;
  readonly #names = new Map<string, Name>();
  /**
   * One iterator for good, from the first time there are too many: a new one each time would step over all that were
   * deleted before, and one that stands still keeps every table that the map has outgrown.
   */
  #oldest: MapIterator<string> | null = null;
  readonly #waiting: Asking[] = [];
  /** So many of them have had their turn. */
  #served = 0;
  #inFlight = 0;

  constructor(options: DnsCacheOptions) {
    this.#options = options;
    this.#belief = options.belief ?? UNCHANGING;
  }

  /** `isAfresh`: asked now, whatever is known. */
  mx(name: string, isAfresh = false): Promise<Kept<MxRecord>> {
    const question: Question = (passedOver) => this.#options.resolver.mx(name, passedOver);
    return this.#ask(`mx ${name}`, question, isAfresh) as Promise<Kept<MxRecord>>;
  }

  a(name: string, isAfresh = false): Promise<Kept<string>> {
    const question: Question = (passedOver) => this.#options.resolver.a(name, passedOver);
    return this.#ask(`a ${name}`, question, isAfresh) as Promise<Kept<string>>;
  }

  aaaa(name: string, isAfresh = false): Promise<Kept<string>> {
    const question: Question = (passedOver) => this.#options.resolver.aaaa(name, passedOver);
    return this.#ask(`aaaa ${name}`, question, isAfresh) as Promise<Kept<string>>;
  }

  /** How long it is remembered that nothing could be learnt. */
  get failureUntilMs(): number {
    return this.#options.now() + FAILED_MS;
  }

  #ask(key: string, question: Question, isAfresh: boolean): Promise<Kept<Row>> {
    const known = this.#names.get(key);
    const isKnown = !isAfresh && known !== undefined && known.answer !== null && this.#isGood(known);
    if (isKnown) return known.answer!;
    const name: Name = { answer: null, untilMs: Number.POSITIVE_INFINITY, era: this.#belief.era };
    // To the end, also where it was there before: Map keeps the order of insertion.
    if (known !== undefined) this.#names.delete(key);
    this.#names.set(key, name);
    name.answer = new Promise<Kept<Row>>((done) => {
      const one = { name, question, done };
      if (this.#inFlight >= IN_FLIGHT_MAX) this.#waiting.push(one);
      else {
        this.#inFlight += 1;
        this.#start(one);
      }
    });
    return name.answer;
  }

  #isGood({ untilMs, era }: Name): boolean {
    return untilMs > this.#options.now() && era === this.#belief.era;
  }

  #start(one: Asking): void {
    // A resolver that throws, now or later, is a failure.
    const failed = () => this.#answered(one, { kind: 'servfail' });
    try {
      one.question(this.#belief.passedOver).then((answer) => this.#answered(one, answer), failed);
    } catch {
      queueMicrotask(failed);
    }
  }

  #answered({ name, done }: Asking, answer: DnsAnswer<Row>): void {
    name.untilMs = this.#options.now() + this.#keepMs(answer);
    // The oldest goes first: far fewer are in flight than are kept, so that it has its answer.
    if (this.#names.size > (this.#options.namesMax ?? NAMES_MAX)) {
      this.#oldest ??= this.#names.keys();
      const oldest = this.#oldest.next().value;
      if (oldest !== undefined) this.#names.delete(oldest);
    }
    // The slot passes straight to the next in line, so that the cap holds at every moment.
    const next = this.#nextWaiting();
    if (next === undefined) this.#inFlight -= 1;
    else this.#start(next);
    done({ answer, untilMs: name.untilMs });
  }

  /** Not `shift`, which moves all that follow: with 100,000 names at once that alone took 14 seconds. */
  #nextWaiting(): Asking | undefined {
    const next = this.#waiting[this.#served];
    if (next !== undefined) this.#served += 1;
    if (this.#served * 2 > this.#waiting.length) {
      this.#waiting.splice(0, this.#served);
      this.#served = 0;
    }
    return next;
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
