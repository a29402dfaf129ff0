// Many addresses, findings in the order of completion. Promise: never more than a window of addresses between the
// source and the consumer, so that a slow reader slows the reading; greylisted ones wait in memory, not in line;
// leaving the loop early hands everything back, closing the checker ends it; neither leaves a timer.
import { setImmediate } from 'node:timers/promises';
import type { AskOptions, Clock, Finding, Outcome, Question } from './types.ts';
import { wallNow } from './wall-now.ts';

const WINDOW = 50_000;
/** Reading goes on when so many are left: addresses that come in a trickle open sessions for a handful each. */
const REFILL_BELOW = 25_000;
const ROUND_MAX = 4_000;
/** A short one, so that the first lookups are on their way while the rest is read. */
const FIRST_ROUND_MAX = 500;
/** Whoever writes addresses one by one need not write hundreds, or the last, to hear of the first. */
const TRICKLE_MS = 50;
/** Beyond the schedule, for hosts that ask for pauses and a world that cannot be reached. */
const EXTRA_PATIENCE_MS = 1_800_000;

export interface CheckAllOptions {
  readonly ask: (
    questions: readonly Question[],
    last: boolean,
    signal: AbortSignal,
    onOutcome: AskOptions['onOutcome'],
  ) => Promise<void>;
  readonly clock: Clock;
  readonly patienceMs: number;
  /** Those that have begun and are not over, for whoever closes. */
  readonly running: Set<CheckAll>;
}

type Later = Extract<Outcome, { kind: 'later' }>;
type Next = IteratorResult<Finding, undefined>;
const OVER: Next = { done: true, value: undefined };

/** Begins with the first `next`. By hand: an async generator's promises for each finding cost as much as asking. */
export class CheckAll implements AsyncIterableIterator<Finding, undefined> {
  readonly #emails: Iterable<string> | AsyncIterable<string>;
  readonly #options: CheckAllOptions;
  readonly #stop = new AbortController();
  readonly #timers = new Set<unknown>();
  /** Found and not yet asked for, from `#next` on; or asked for and not yet found. One of the two is empty. */
  #ready: Finding[] = [];
  #next = 0;
  #asked: { resolve: (next: Next) => void; reject: (why: unknown) => void }[] = [];
  /** Read and neither handed out nor given up. */
  #outstanding = 0;
  #questions: Question[] = [];
  /** Sends what has come from a slow source; null: nothing waits to be sent. */
  #trickle: unknown = null;
  #roundMax = FIRST_ROUND_MAX;
  #phase: 'new' | 'reading' | 'read' | 'over' = 'new';
  #failure: { readonly why: unknown } | null = null;
  #room: () => void = () => {};

  constructor(emails: Iterable<string> | AsyncIterable<string>, options: CheckAllOptions) {
    this.#emails = emails;
    this.#options = options;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Next> {
    if (this.#phase === 'new') this.#begin();
    const finding = this.#ready[this.#next];
    if (finding !== undefined) {
      this.#next += 1;
      if (this.#next === this.#ready.length) {
        this.#ready = [];
        this.#next = 0;
      }
      this.#handedOut();
      return Promise.resolve({ done: false, value: finding });
    }
    return new Promise((resolve, reject) => {
      this.#asked.push({ resolve, reject });
      this.#endIfOver();
    });
  }

  async return(): Promise<Next> {
    this.#end();
    this.#endIfOver();
    return OVER;
  }

  /** What was found is still handed out; nothing more is read, asked or waited for. */
  close(): void {
    this.#outstanding -= this.#timers.size + this.#questions.length;
    this.#questions = [];
    this.#clearTimers();
    this.#stop.abort();
    if (this.#phase === 'reading') this.#phase = 'read';
    this.#room();
    this.#endIfOver();
  }

  #begin(): void {
    this.#phase = 'reading';
    this.#options.running.add(this);
    this.#read().then(
      () => {
        if (this.#phase === 'reading') this.#phase = 'read';
        this.#endIfOver();
      },
      (why) => this.#fail(why),
    );
  }

  async #read(): Promise<void> {
    const emails = this.#emails;
    const { signal } = this.#stop;
    // A promise for each address of an array would cost as much as asking about it.
    if (Symbol.iterator in emails) {
      for (const email of emails) {
        const pause = this.#take(email);
        if (pause !== null) await pause;
        if (signal.aborted) return;
      }
    } else {
      for await (const email of emails) {
        if (signal.aborted) return;
        this.#trickle ??= this.#options.clock.setTimeout(() => this.#send(), TRICKLE_MS);
        await this.#take(email);
        if (signal.aborted) return;
      }
    }
    this.#send();
  }

  /** What to wait for before the next one is read, if anything. */
  #take(email: string): Promise<unknown> | null {
    this.#outstanding += 1;
    this.#questions.push({ email });
    const isFull = this.#outstanding >= WINDOW;
    if (!isFull && this.#questions.length < this.#roundMax) return null;
    this.#send();
    this.#roundMax = ROUND_MAX;
    // Others have a turn: a long list read in one go would hold up every session.
    return isFull ? this.#roomAgain() : setImmediate();
  }

  async #roomAgain(): Promise<void> {
    while (this.#outstanding >= REFILL_BELOW && !this.#stop.signal.aborted)
      await new Promise<void>((resume) => {
        this.#room = resume;
      });
  }

  #send(): void {
    const questions = this.#questions;
    this.#questions = [];
    if (this.#trickle !== null) this.#options.clock.clearTimeout(this.#trickle);
    this.#trickle = null;
    if (questions.length > 0) this.#round(questions, false, null);
  }

  /** `lateMs`: when the patience with one that was asked before ends. */
  #round(questions: readonly Question[], last: boolean, lateMs: number | null): void {
    const told = (index: number, outcome: Outcome) => this.#told(questions[index], outcome, lateMs);
    this.#options.ask(questions, last, this.#stop.signal, told).catch((why) => this.#fail(why));
  }

  #told(question: Question | undefined, outcome: Outcome, lateMs: number | null): void {
    // What was on the wire when the reader left: nobody waits for it, nor for its next attempt.
    if (this.#phase === 'over') return;
    if (outcome.kind === 'later' && question !== undefined) {
      const { clock, patienceMs } = this.#options;
      this.#again(question.email, outcome, lateMs ?? clock.now() + patienceMs + EXTRA_PATIENCE_MS);
      return;
    }
    if (outcome.kind !== 'final') {
      this.#handedOut();
      this.#endIfOver();
      return;
    }
    const asked = this.#asked.shift();
    if (asked === undefined) {
      this.#ready.push(outcome.finding);
      return;
    }
    this.#handedOut();
    asked.resolve({ done: false, value: outcome.finding });
    this.#endIfOver();
  }

  #again(email: string, { resume, notBeforeMs }: Later, lateMs: number): void {
    const { clock } = this.#options;
    const timer = clock.setTimeout(
      () => {
        this.#timers.delete(timer);
        this.#round([{ email, resume }], clock.now() >= lateMs, lateMs);
      },
      Math.max(0, notBeforeMs - wallNow(clock)),
    );
    this.#timers.add(timer);
  }

  #handedOut(): void {
    this.#outstanding -= 1;
    // Nothing is left to close, also where nobody asks for the end.
    if (this.#phase === 'read' && this.#outstanding === 0) this.#options.running.delete(this);
    this.#room();
  }

  #fail(why: unknown): void {
    this.#failure ??= { why };
    this.#endIfOver();
  }

  /** For those who wait: what was found comes before what went wrong. */
  #endIfOver(): void {
    const isDone = this.#phase === 'read' && this.#outstanding === 0;
    if (this.#asked.length > 0 && (isDone || this.#failure !== null)) this.#end();
    if (this.#phase !== 'over') return;
    for (const { resolve, reject } of this.#asked.splice(0)) {
      if (this.#failure === null) resolve(OVER);
      else reject(this.#failure.why);
    }
  }

  #end(): void {
    this.#phase = 'over';
    this.#ready = [];
    this.#next = 0;
    this.#options.running.delete(this);
    this.#stop.abort();
    this.#room();
    this.#clearTimers();
  }

  #clearTimers(): void {
    if (this.#trickle !== null) this.#options.clock.clearTimeout(this.#trickle);
    this.#trickle = null;
    for (const timer of this.#timers) this.#options.clock.clearTimeout(timer);
    this.#timers.clear();
  }
}
