// Addresses that are to be asked again later, each with a timer in memory. Promise: each is asked once, at its time;
// after the schedule's patience and half an hour it is asked for the last time; none after `clear`.
import type { Clock, Outcome, Question } from '../types.ts';

/** Beyond the schedule, for hosts that ask for pauses and a network that cannot be reached. */
const EXTRA_PATIENCE_MS = 1_800_000;

type Later = Extract<Outcome, { kind: 'later' }>;

export class RetryTimers {
  readonly #clock: Clock;
  readonly #patienceMs: number;
  readonly #ask: (question: Question, last: boolean) => void;
  readonly #timers = new Set<unknown>();

  /** `patienceMs`: how long the schedule of retries takes. */
  constructor(clock: Clock, patienceMs: number, ask: (question: Question, last: boolean) => void) {
    this.#clock = clock;
    this.#patienceMs = patienceMs + EXTRA_PATIENCE_MS;
    this.#ask = ask;
  }

  add(email: string, { resume, notBeforeMs }: Later): void {
    const clock = this.#clock;
    const lastFromMs = resume.firstAskedAtMs + this.#patienceMs;
    const askAgain = () => {
      this.#timers.delete(timer);
      this.#ask({ email, resume }, clock.now() >= lastFromMs);
    };
    const timer = clock.setTimeout(askAgain, Math.max(0, notBeforeMs - clock.now()));
    this.#timers.add(timer);
  }

  /** How many will not be asked again. */
  clear(): number {
    const { size } = this.#timers;
    for (const timer of this.#timers) this.#clock.clearTimeout(timer);
    this.#timers.clear();
    return size;
  }
}
