// A cache in front of a Resolver. Promise: one query per name in flight, at most 200 in total (a tenth more where
// accounts share them), each sent as soon as any account that wants it has a turn; answers are cached for their TTL if it
// is known, otherwise for a configured time, "no such name" for less, failures for seconds, within a budget of bytes.
import type { Holder } from '@mxproof/common/fair-share';
import type { DnsAnswer, MxRecord, PassedOver, Resolver } from '../ports.ts';
import { keepAddresses, keepMxHosts, keepPolicies, keptBytes } from './keep-answer.ts';
import type { Lookup } from './lookup-turns.ts';
import { type SharedTurn, SharedTurns } from './shared-turns.ts';
import { SizedMap } from './sized-map.ts';

/** While the event loop stalls, answers wait in the socket's buffer; beyond about 200 of them, some are lost (ADR 0009). */
const IN_FLIGHT_MAX = 200;
/** About 120,000 ordinary answers. */
const BUDGET_BYTES = 32 * 1024 * 1024;
/** Five MX hosts take 700. */
const LARGE_FROM_BYTES = 1_024;
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
  readonly budgetBytes?: number | undefined;
  readonly belief?: Belief | undefined;
}

/** What is known of the servers' honesty. */
export interface Belief {
  /** Servers that are not asked. */
  readonly passedOver: PassedOver;
  /** What was asked before this number last changed is asked again. */
  readonly era: number;
}

export interface KeptAnswer<Row> {
  readonly answer: DnsAnswer<Row>;
  readonly untilMs: number;
}

type Row = MxRecord | string;
type Question = (passedOver: PassedOver, lookup: Lookup) => Promise<DnsAnswer<Row>>;

interface Entry extends KeptAnswer<Row> {
  /** When it was asked for. */
  readonly era: number;
  bytes: number;
}

const UNCHANGING: Belief = { passedOver: null, era: 0 };

export class DnsCache {
  readonly #options: DnsCacheOptions;
  readonly #belief: Belief;
  readonly #entries: SizedMap<Entry>;
  /** Waiting for a turn or an answer. */
  readonly #asking = new Map<string, PendingQuestion>();
  readonly #turns = new SharedTurns<PendingQuestion>(IN_FLIGHT_MAX);

  constructor(options: DnsCacheOptions) {
    this.#options = options;
    this.#belief = options.belief ?? UNCHANGING;
    const budgetBytes = options.budgetBytes ?? BUDGET_BYTES;
    this.#entries = new SizedMap({ budgetBytes, largeFromBytes: LARGE_FROM_BYTES });
  }

  /** `isAfresh`: asked now, whatever is known. */
  mx(name: string, lookup: Lookup, isAfresh = false): Promise<KeptAnswer<MxRecord>> {
    const question: Question = async (passedOver, budget) =>
      keepMxHosts(await this.#options.resolver.mx(name, passedOver, budget));
    return this.#ask(`mx ${name}`, question, lookup, isAfresh) as Promise<KeptAnswer<MxRecord>>;
  }

  a(name: string, lookup: Lookup, isAfresh = false): Promise<KeptAnswer<string>> {
    const question: Question = async (passedOver, budget) =>
      keepAddresses(await this.#options.resolver.a(name, passedOver, budget));
    return this.#ask(`a ${name}`, question, lookup, isAfresh) as Promise<KeptAnswer<string>>;
  }

  aaaa(name: string, lookup: Lookup, isAfresh = false): Promise<KeptAnswer<string>> {
    const question: Question = async (passedOver, budget) =>
      keepAddresses(await this.#options.resolver.aaaa(name, passedOver, budget));
    return this.#ask(`aaaa ${name}`, question, lookup, isAfresh) as Promise<KeptAnswer<string>>;
  }

  /** Its SPF and DMARC policies. */
  policies(name: string, lookup: Lookup): Promise<KeptAnswer<string>> {
    const question: Question = async (passedOver, budget) => {
      const { resolver } = this.#options;
      return keepPolicies(
        resolver.txt === undefined ? { kind: 'servfail' } : await resolver.txt(name, passedOver, budget),
      );
    };
    return this.#ask(`txt ${name}`, question, lookup, false) as Promise<KeptAnswer<string>>;
  }

  asksForPolicies(name: string): boolean {
    return this.#asks(`txt ${name}`, false);
  }

  /** Asking for its MX hosts puts a question to a server. */
  asksForMx(name: string, isAfresh: boolean): boolean {
    return this.#asks(`mx ${name}`, isAfresh);
  }

  /** The same for its addresses; false also where it is known to have some, so that no server is asked in vain. */
  asksForAddresses(name: string, isAfresh: boolean): boolean {
    const isThere = [`a ${name}`, `aaaa ${name}`].some((key) => this.#known(key)?.answer.kind === 'records');
    return !isThere && this.#asks(`a ${name}`, isAfresh);
  }

  #asks(key: string, isAfresh: boolean): boolean {
    return isAfresh || (this.#known(key) === undefined && this.#asking.get(key)?.era !== this.#belief.era);
  }

  #known(key: string): Entry | undefined {
    const known = this.#entries.get(key);
    return known?.era === this.#belief.era && known.untilMs > this.#options.now() ? known : undefined;
  }

  /** What is kept takes so much memory, about. */
  get bytes(): number {
    return this.#entries.bytes;
  }

  /** How long it is remembered that nothing could be learnt. */
  get failureUntilMs(): number {
    return this.#options.now() + FAILED_MS;
  }

  #ask(key: string, question: Question, lookup: Lookup, isAfresh: boolean): Promise<KeptAnswer<Row>> {
    const { era } = this.#belief;
    if (!isAfresh) {
      const known = this.#known(key);
      if (known !== undefined) return Promise.resolve(known);
      const asking = this.#asking.get(key);
      if (asking !== undefined && asking.era === era) {
        lookup.questions.push(asking);
        for (const holder of lookup.holders) asking.join(holder);
        return asking.answer;
      }
    }
    // Not kept: another lookup may ask it.
    if (lookup.questionsLeft <= 0)
      return Promise.resolve({ answer: { kind: 'servfail' }, untilMs: this.failureUntilMs });
    lookup.questionsLeft -= 1;
    const one = new PendingQuestion(this.#turns, lookup, era, () => this.#start(key, one, question, lookup));
    this.#asking.set(key, one);
    lookup.questions.push(one);
    this.#turns.ask(one);
    return one.answer;
  }

  #start(key: string, one: PendingQuestion, question: Question, lookup: Lookup): void {
    const answered = (answer: DnsAnswer<Row>) => this.#answered(key, one, answer);
    // A resolver that throws is a failure.
    question(this.#belief.passedOver, lookup).then(answered, () => answered({ kind: 'servfail' }));
  }

  #answered(key: string, one: PendingQuestion, answer: DnsAnswer<Row>): void {
    const untilMs = this.#options.now() + this.#keepMs(answer);
    // Else it was asked afresh meanwhile, and that answer is the one to keep.
    if (this.#asking.get(key) === one) {
      this.#asking.delete(key);
      this.#entries.set(key, { answer, untilMs, era: one.era, bytes: keptBytes(key, answer) });
    }
    this.#turns.end(one);
    one.done({ answer, untilMs });
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

/** A question that waits for its turn, or for its answer. */
class PendingQuestion implements SharedTurn {
  readonly era: number;
  readonly holders: Holder[];
  readonly answer: Promise<KeptAnswer<Row>>;
  readonly begin: () => void;
  state: SharedTurn['state'] = 'idle';
  paidBy: Holder = '';
  done!: (kept: KeptAnswer<Row>) => void;
  readonly #turns: SharedTurns<PendingQuestion>;

  constructor(turns: SharedTurns<PendingQuestion>, lookup: Lookup, era: number, begin: () => void) {
    this.#turns = turns;
    this.holders = [...lookup.holders];
    this.era = era;
    this.begin = begin;
    this.answer = new Promise((done) => {
      this.done = done;
    });
  }

  join(holder: Holder): void {
    this.#turns.join(this, holder);
  }
}
