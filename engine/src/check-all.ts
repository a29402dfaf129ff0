// Many addresses in, findings out in the order of completion. Promise: never more than a window of addresses between
// the source and the consumer, so that a slow reader slows the reading; greylisted ones wait in memory, outside the window's
// queue (check/retry-timers.ts); leaving the loop early hands everything back, closing the checker ends it; neither leaves
// a timer.
//
//   source ─▶ window ─▶ round ─▶ checker ─┬─ final ─▶ ready ─▶ the reader, which makes room in the window
//                         ▲               └─ later ─┐
//                         └── retry timer ◀─────────┘
import { setImmediate } from 'node:timers/promises';
import { ReadAheadWindow } from './check/read-ahead-window.ts';
import { RetryTimers } from './check/retry-timers.ts';
import type { AskOptions, Clock, Finding, Outcome, Question, WaitingGroup } from './types.ts';

const NOT_ASKED = { why: 'queued', host: null, provider: null, attempt: 1, nextAttemptAtMs: null } as const;

const ROUND_MAX = 4_000;
/** Short, so that the first lookups run while the rest is read. */
const FIRST_ROUND_MAX = 500;
/** How long a slow source may take before what it has yielded so far is asked about. */
const TRICKLE_MS = 50;

export interface CheckAllOptions {
  readonly ask: (
    questions: readonly Question[],
    last: boolean,
    signal: AbortSignal,
    onOutcome: AskOptions['onOutcome'],
  ) => Promise<void>;
  readonly clock: Clock;
  readonly patienceMs: number;
  readonly lot: number;
  /** No mail host was reached so far, and then a failure to connect is final. */
  readonly isUnreached: () => boolean;
  /** Those that have begun and are not over, so that closing the checker ends them. */
  readonly running: Set<CheckAllRun>;
}

export type Emails = Iterable<string> | AsyncIterable<string>;

/** Begins with the first `next`. A reader that leaves while it waits for a finding hears the end at once. */
export function checkAll(emails: Emails, options: CheckAllOptions): AsyncIterableIterator<Finding> {
  const list = new CheckAllRun(options);
  const rounds = list.rounds(emails);
  async function afterRound(): Promise<IteratorResult<Finding, undefined>> {
    for (;;) {
      const { done } = await rounds.next();
      const finding = list.handOut();
      if (finding !== undefined) return { value: finding, done: false };
      if (done === true) return { value: undefined, done: true };
    }
  }
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    // Bypasses the generator while findings are ready: resuming it for each costs as much as reading a reply.
    next() {
      const finding = list.handOut();
      return finding === undefined ? afterRound() : Promise.resolve({ value: finding, done: false });
    },
    async return() {
      // A generator takes no `return` while it waits.
      list.leave();
      await rounds.return();
      return { value: undefined, done: true };
    },
  };
}

export class CheckAllRun {
  readonly #options: CheckAllOptions;
  readonly #stop = new AbortController();
  readonly #window = new ReadAheadWindow();
  readonly #retries: RetryTimers;
  /** Read and not yet asked. */
  #questions: Question[] = [];
  #roundMax = FIRST_ROUND_MAX;
  /** Sends what has come from a slow source; null: nothing waits to be sent. */
  #trickle: unknown = null;
  #ready: Finding[] = [];
  /** The rest of an earlier `#ready`, in reverse order. */
  #left: Finding[] = [];
  #isRead = false;
  #hasLeft = false;
  #failure: { readonly why: unknown } | null = null;
  #wake: () => void = () => {};

  constructor(options: CheckAllOptions) {
    this.#options = options;
    const { clock, patienceMs } = options;
    this.#retries = new RetryTimers(clock, patienceMs, (question, last, lastFromMs) =>
      this.#round([question], last, lastFromMs),
    );
  }

  /** Yields whenever findings are ready. */
  async *rounds(emails: Emails): AsyncGenerator<void, void, void> {
    this.#options.running.add(this);
    this.#read(emails).then(
      () => this.#endOfSource(),
      (why) => this.#fail(why),
    );
    try {
      while (!this.#hasLeft) {
        while (this.#left.length > 0 || this.#ready.length > 0) yield;
        // Findings are handed out before the failure.
        if (this.#failure !== null) throw this.#failure.why;
        if (this.#isOver) return;
        await new Promise<void>((wake) => {
          this.#wake = wake;
        });
      }
    } finally {
      this.leave();
    }
  }

  /** What its addresses wait for: those to be asked again, and those read and not asked yet. */
  get waiting(): readonly WaitingGroup[] {
    const { lot } = this.#options;
    const unasked = this.#questions.length;
    const read: WaitingGroup = { lot, ...NOT_ASKED, addresses: unasked };
    return [...(unasked === 0 ? [] : [read]), ...this.#retries.waiting(lot)];
  }

  handOut(): Finding | undefined {
    if (this.#left.length === 0) {
      this.#left = this.#ready.reverse();
      this.#ready = [];
    }
    const finding = this.#left.pop();
    if (finding !== undefined) this.#leaveWindow(1);
    return finding;
  }

  /** The reader has gone: nothing more is handed out. */
  leave(): void {
    this.#hasLeft = true;
    this.close();
    this.#ready = [];
    this.#left = [];
    this.#options.running.delete(this);
  }

  /** What was found is still handed out; nothing more is read, asked or waited for. */
  close(): void {
    this.#stop.abort();
    this.#leaveWindow(this.#questions.length + this.#retries.clear());
    this.#questions = [];
    this.#clearTrickle();
    this.#endOfSource();
  }

  get #isOver(): boolean {
    return this.#isRead && this.#window.size === 0;
  }

  async #read(emails: Emails): Promise<void> {
    const { signal } = this.#stop;
    // Without a promise per address, which would cost as much as asking about it.
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
    this.#window.enter();
    this.#questions.push({ email });
    const { isFull } = this.#window;
    if (!isFull && this.#questions.length < this.#roundMax) return null;
    this.#send();
    this.#roundMax = ROUND_MAX;
    // Yields to the event loop: a long list read in one go would hold up every session.
    return isFull ? this.#window.room() : setImmediate();
  }

  #send(): void {
    const questions = this.#questions;
    this.#questions = [];
    this.#clearTrickle();
    if (questions.length > 0) this.#round(questions, false, null);
  }

  /** `lastFromMs`: when the patience with one that was asked before ends. */
  #round(questions: readonly Question[], last: boolean, lastFromMs: number | null): void {
    const onOutcome = (index: number, outcome: Outcome) => this.#told(questions[index], outcome, lastFromMs);
    this.#options.ask(questions, last, this.#stop.signal, onOutcome).catch((why) => this.#fail(why));
  }

  #told(question: Question | undefined, outcome: Outcome, lastFromMs: number | null): void {
    // On the wire when the reader left: its outcome is dropped.
    if (this.#hasLeft) return;
    if (outcome.kind === 'final') this.#ready.push(outcome.finding);
    else if (outcome.kind === 'later' && question !== undefined && !this.#stop.signal.aborted)
      this.#retries.add(question.email, outcome, lastFromMs);
    else this.#leaveWindow(1);
    this.#endUnreached();
    this.#wake();
  }

  /** Nothing is left but what could not be connected to: in a minute it would be the same. */
  #endUnreached(): void {
    const isOpen = this.#window.size > this.#ready.length + this.#left.length + this.#retries.size;
    if (!this.#isRead || isOpen || !this.#options.isUnreached() || !this.#retries.areUnreached) return;
    this.#retries.askNow();
  }

  #leaveWindow(count: number): void {
    this.#window.leave(count);
    // Nothing is left to close, even if the reader never calls `next` again.
    if (this.#isOver) this.#options.running.delete(this);
  }

  #endOfSource(): void {
    this.#isRead = true;
    this.#window.open();
    this.#endUnreached();
    this.#wake();
  }

  #fail(why: unknown): void {
    this.#failure ??= { why };
    this.#wake();
  }

  #clearTrickle(): void {
    if (this.#trickle !== null) this.#options.clock.clearTimeout(this.#trickle);
    this.#trickle = null;
  }
}
