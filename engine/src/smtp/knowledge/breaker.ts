// Whether one source address is left out at one host or provider that refuses it. Pure: time as an argument. Promise:
// each rest has an end; after it one session tries, and only an answer about a recipient ends the matter.
//
//   closed ──refused often enough──▶ resting ──its time is over, a session begins──▶ tried
//     ▲                                 ▲                                            │   │
//     │                                 └──refused: twice as long, up to a bound─────┘   │
//     └──answered about a recipient (whoever keeps it forgets it)────────────────────────┘

const REST_MIN_MS = 15 * 60_000;
const REST_MAX_MS = 4 * 3_600_000;
/** A session that has not been answered by then is no longer waited for: another may try. */
const TRIAL_MAX_MS = 2 * 60_000;

export class Breaker {
  /** In a row, since the last answer about a recipient. */
  refusals = 0;
  /** The operator was told, and is told the end as well. */
  isSaid = false;
  #restMs = 0;
  #untilMs = 0;
  #isTried = false;

  /** When the rest or the trial ends; 0: there was none. */
  get untilMs(): number {
    return this.#untilMs;
  }

  get hasRested(): boolean {
    return this.#restMs > 0;
  }

  /** Whoever is inside leaves. */
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
    this.#restMs = this.hasRested ? Math.min(REST_MAX_MS, this.#restMs * 2) : REST_MIN_MS;
    this.#untilMs = nowMs + this.#restMs;
    this.#isTried = false;
    return true;
  }
}
