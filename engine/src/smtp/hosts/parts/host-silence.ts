// When one mail host does not answer, by source address: silent twice in a row, it is unresponsive once a third connection
// shows that our own network works. Pure: time as an argument. Promise: nothing here outlives its hour; an answer or a failed
// connect ends it; sessions that were silent side by side are one silence, and silence about one recipient, however
// often, is that recipient's and not the host's.
//
//   heard ──silent──▶ once ──again, in a second try──▶ twice ──connected, still silent──▶ unresponsive for an hour ──▶ heard
//     ▲                │                                 │                                 │
//     └────────────────┴── an answer about a recipient, or no connection: our network? ───┘

interface Silence {
  /** When the last one that counted ended. */
  readonly atMs: number;
  /** The recipient it was silent about; null: it did not come so far. */
  readonly about: string | null;
  readonly times: number;
}

/** As long as other observations of a host are kept (ADR 0014). */
export const SILENCE_MS = 3_600_000;
/** Silences in a row after which the host counts as unresponsive. */
export const UNRESPONSIVE_TIMES = 3;
/** The time for the third connection: it only has to be established, which a cut network would not allow. */
const PROOF_MS = 5_000;

interface SilentSession {
  readonly startedAtMs: number;
  readonly nowMs: number;
  readonly about: string | null;
  /** It answers about others: these recipients are what it is silent about. */
  readonly answersOthers: boolean;
}

export class HostSilence {
  readonly #bySource = new Map<string | null, Silence>();
  #lateUntilMs = 0;

  /** A session that began at `startedAtMs` has ended in silence. `isAgain`: after another one, and not about the same recipient. */
  fell(
    source: string | null,
    { startedAtMs, nowMs, about, answersOthers }: SilentSession,
  ): { readonly times: number; readonly isAgain: boolean } {
    const before = this.#last(source, nowMs);
    const isAgain =
      before !== null && before.atMs <= startedAtMs && (about === null || about !== before.about);
    // A concurrent session changes nothing: it would move the time from which the next one is counted.
    if (before !== null && !isAgain) return { times: before.times, isAgain };
    const counted = Math.min(UNRESPONSIVE_TIMES, (before?.times ?? 0) + (answersOthers ? 0 : 1));
    const times = Math.max(1, counted);
    this.#bySource.set(source, { atMs: nowMs, about, times });
    return { times, isAgain };
  }

  /** The last session ended in silence, within the hour. */
  isSilent(source: string | null, nowMs: number): boolean {
    return this.#last(source, nowMs) !== null;
  }

  /** It was heard, or could not be reached at all. True if there was a silence to end. */
  ended(source: string | null): boolean {
    return this.#bySource.delete(source);
  }

  /** It has answered, but too late for a first try: for an hour each try has the time of a second. */
  answeredLate(nowMs: number): void {
    this.#lateUntilMs = nowMs + SILENCE_MS;
  }

  /** All that the next session gives it until it answers about a recipient; null: each reply has its own time. */
  nextTryMs(source: string | null, nowMs: number, secondTryMs: number): number | null {
    const silence = this.#last(source, nowMs);
    if (silence === null) return this.#lateUntilMs > nowMs ? secondTryMs : null;
    return silence.times === 1 ? secondTryMs : PROOF_MS;
  }

  #last(source: string | null, nowMs: number): Silence | null {
    if (this.#bySource.size === 0) return null;
    const silence = this.#bySource.get(source);
    return silence === undefined || nowMs - silence.atMs >= SILENCE_MS ? null : silence;
  }
}
