// Hosts that say nothing, by source address: twice in a row is believed, once a third connection shows that our line
// stands. Pure: time as an argument. Promise: nothing here outlives its hour; an answer or a failed connect ends it;
// sessions that were silent side by side are one silence, and silence about one recipient, however often, is that
// recipient's and not the host's.
//
//   heard ──silent──▶ once ──again, in a second try──▶ twice ──a connection, still silent──▶ mute for an hour ──▶ heard
//     ▲                │                                 │                                    │
//     └────────────────┴─── an answer about a recipient, or no connection at all: our line? ──┘

export interface Silence {
  /** When the last one that counted ended. */
  readonly atMs: number;
  /** The recipient it was silent about; null: it did not come so far. */
  readonly about: string | null;
  readonly times: number;
}

/** As long as what else a host shows of its hour (ADR 0014). */
export const SILENCE_MS = 3_600_000;
/** So often it is believed. */
export const MUTE_TIMES = 3;
/** What a host that was silent twice has after it was connected to: for the line, which a cut would not bring up. */
const PROOF_MS = 5_000;

export interface Fell {
  readonly startedAtMs: number;
  readonly nowMs: number;
  readonly about: string | null;
  /** It answers about others: these recipients are what it is silent about. */
  readonly answersOthers: boolean;
}

type Silences = Map<string | null, Silence>;

/** A session that began at `startedAtMs` has ended in silence. `isAgain`: after another one, and not about the same recipient. */
export function fellSilent(
  silences: Silences,
  source: string | null,
  { startedAtMs, nowMs, about, answersOthers }: Fell,
): { readonly times: number; readonly isAgain: boolean } {
  const before = wasSilent(silences, source, nowMs);
  const isAgain = before !== null && before.atMs <= startedAtMs && (about === null || about !== before.about);
  // Those side by side leave it as it is: each of them would put off what the next one counts from.
  if (before !== null && !isAgain) return { times: before.times, isAgain };
  const times = Math.min(MUTE_TIMES, (before?.times ?? 0) + (answersOthers ? 0 : 1));
  silences.set(source, { atMs: nowMs, about, times: Math.max(1, times) });
  return { times: Math.max(1, times), isAgain };
}

/** How its last session ended in silence, if it did and that was within the hour. */
export function wasSilent(silences: Silences, source: string | null, nowMs: number): Silence | null {
  if (silences.size === 0) return null;
  const silence = silences.get(source);
  return silence === undefined || nowMs - silence.atMs >= SILENCE_MS ? null : silence;
}

/** All that the next session gives it until it answers about a recipient; null: each reply has its own time. */
export function nextTryMs(silence: Silence | null, isLate: boolean, secondTryMs: number): number | null {
  if (silence === null) return isLate ? secondTryMs : null;
  return silence.times === 1 ? secondTryMs : PROOF_MS;
}
