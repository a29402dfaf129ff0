// Addresses that are to be asked again later, each with a timer in memory. Promise: each is asked once, at its time;
// after the schedule's patience and half an hour, or when told to, it is asked for the last time; none after `clear`.
import type { Clock, Detail, Outcome, Question, WaitingGroup } from '../types.ts';
import { wallNow } from '../wall-now.ts';

/** Beyond the schedule, for hosts that ask for pauses and a network that cannot be reached. */
const EXTRA_PATIENCE_MS = 1_800_000;

type LaterOutcome = Extract<Outcome, { kind: 'later' }>;
/** `lastFromMs`: to be handed to `add` should it be asked once more. */
type RetryHandler = (question: Question, last: boolean, lastFromMs: number) => void;

interface Retry {
  readonly later: LaterOutcome;
  readonly ask: (last: boolean) => void;
}

/** Nothing was connected to. */
const UNREACHED: ReadonlySet<Detail | undefined> = new Set([
  'timeout',
  'connection_refused',
  'network_down',
  'dns_failed',
  'dns_untrusted',
]);

export class RetryTimers {
  readonly #clock: Clock;
  readonly #patienceMs: number;
  readonly #ask: RetryHandler;
  readonly #timers = new Map<unknown, Retry>();

  /** `patienceMs`: how long the schedule of retries takes. */
  constructor(clock: Clock, patienceMs: number, ask: RetryHandler) {
    this.#clock = clock;
    this.#patienceMs = patienceMs + EXTRA_PATIENCE_MS;
    this.#ask = ask;
  }

  /** `lastFromMs`: null at the first time. */
  add(email: string, later: LaterOutcome, lastFromMs: number | null): void {
    const { resume, notBeforeMs } = later;
    const clock = this.#clock;
    const fromMs = lastFromMs ?? clock.now() + this.#patienceMs;
    const ask = (last: boolean) => {
      if (this.#timers.delete(timer)) this.#ask({ email, resume }, last, fromMs);
    };
    const dueInMs = Math.max(0, notBeforeMs - wallNow(clock));
    const timer = clock.setTimeout(() => ask(clock.now() >= fromMs), dueInMs);
    this.#timers.set(timer, { later, ask });
  }

  get size(): number {
    return this.#timers.size;
  }

  /** None of them got as far as a connection. */
  get areUnreached(): boolean {
    return this.#timers.values().every(({ later }) => UNREACHED.has(later.resume.detail));
  }

  /** All at once, for the last time. */
  askNow(): void {
    // An outcome that is told meanwhile may lead here again.
    for (const [timer, { ask }] of [...this.#timers]) {
      this.#clock.clearTimeout(timer);
      ask(true);
    }
  }

  waiting(lot: number): readonly WaitingGroup[] {
    return Array.from(this.#timers.values(), ({ later: { resume, notBeforeMs } }) => ({
      lot,
      why: resume.detail ?? 'temporary',
      host: resume.mx ?? null,
      provider: resume.provider || null,
      addresses: 1,
      attempt: resume.attempt + 1,
      nextAttemptAtMs: notBeforeMs,
    }));
  }

  /** How many will not be asked again. */
  clear(): number {
    const { size } = this.#timers;
    for (const timer of this.#timers.keys()) this.#clock.clearTimeout(timer);
    this.#timers.clear();
    return size;
  }
}
