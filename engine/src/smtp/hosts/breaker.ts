// Whether one source address is left out at one place. Pure: time as an argument. Promise: each rest that refusals begin has an
// end; after it one session tries.
//
//   closed ──refused often enough──▶ resting ──its time is over, a session begins──▶ tried
//     ▲                                 ▲                                            │   │
//     │                                 └──refused: twice as long, up to a bound─────┘   │
//     └──answered about a recipient (the breaker is removed)─────────────────────────────┘
import type { KeptRest } from '../../ports.ts';

const REST_MIN_MS = 15 * 60_000;
const REST_MAX_MS = 4 * 3_600_000;
/** A session that has not been answered by then is no longer waited for: another may try. */
export const TRIAL_MAX_MS = 2 * 60_000;

export class Breaker {
  /** Refusals since the last answer about a recipient. */
  refusals = 0;
  /** The beginning of the rest was logged, so its end is logged as well. */
  isLogged = false;
  /** When the first of its rests in a row began. */
  sinceMs = 0;
  by: KeptRest['by'] = 'refusals';
  #hasRested = false;
  #restMs = 0;
  #untilMs = 0;
  #isTried = false;
  /** Until then the trial after a rest is this process's, and no other's. */
  #trialClaimedUntilMs = 0;

  /** When the rest or the trial ends; 0: there was none; infinite: when an operator says so. */
  get untilMs(): number {
    return this.#untilMs;
  }

  get restMs(): number {
    return this.#restMs;
  }

  get hasRested(): boolean {
    return this.#hasRested;
  }

  /** Open sessions end. */
  isResting(nowMs: number): boolean {
    return !this.#isTried && this.#untilMs > nowMs;
  }

  /** No other session may begin. */
  keepsOut(nowMs: number): boolean {
    return this.#untilMs > nowMs;
  }

  /** A session begins. */
  began(nowMs: number): void {
    if (!this.hasRested || this.keepsOut(nowMs)) return;
    this.#isTried = true;
    this.#untilMs = nowMs + TRIAL_MAX_MS;
  }

  /** True: a rest begins. `isEnough`: to begin the first; after a rest every refusal is. */
  refused(isEnough: boolean, nowMs: number): boolean {
    this.refusals += 1;
    // What was asked before the rest began is answered in it.
    if (this.isResting(nowMs) || !(isEnough || this.hasRested)) return false;
    if (!this.hasRested) this.sinceMs = nowMs;
    this.#rest(Math.min(REST_MAX_MS, Math.max(REST_MIN_MS, this.#restMs * 2)), nowMs);
    this.by = 'refusals';
    this.#untilMs = nowMs + this.#restMs;
    return true;
  }

  #rest(restMs: number, nowMs: number): void {
    this.#hasRested = true;
    this.#restMs = restMs;
    this.#untilMs = nowMs;
    this.#isTried = false;
    this.#trialClaimedUntilMs = 0;
  }

  /** Takes over a rest that the store has kept. */
  learn({ by, agoMs, leftMs, restMs, refusals, trialLeftMs }: KeptRest, nowMs: number): void {
    this.by = by;
    this.sinceMs = nowMs - agoMs;
    this.refusals = Math.max(this.refusals, refusals);
    if (leftMs === null || leftMs > 0) {
      this.#rest(restMs, nowMs);
      this.#untilMs = leftMs === null ? Number.POSITIVE_INFINITY : nowMs + leftMs;
      return;
    }
    // It is over: this process or another may be trying.
    if (this.isResting(nowMs) || !this.#hasRested) this.#rest(restMs, nowMs);
    if (trialLeftMs > 0 && this.#trialClaimedUntilMs <= nowMs) this.triedElsewhere(trialLeftMs, nowMs);
  }

  /** The rest is over, and the store has not said yet that this process may try. */
  awaitsTrial(nowMs: number): boolean {
    return this.#hasRested && !this.keepsOut(nowMs) && this.#trialClaimedUntilMs <= nowMs;
  }

  mayTry(nowMs: number): void {
    this.#trialClaimedUntilMs = nowMs + TRIAL_MAX_MS;
  }

  triedElsewhere(leftMs: number, nowMs: number): void {
    this.#isTried = true;
    this.#untilMs = nowMs + leftMs;
  }
}
