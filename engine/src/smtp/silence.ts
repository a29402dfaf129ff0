// Hosts that say nothing, by source address: twice in a row is believed, once a third connection shows that our line
// stands. Pure: time as an argument. Promise: nothing here outlives its hour; an answer or a failed connect ends it;
// sessions that were silent side by side are one silence, and silence about one recipient, however often, is that
// recipient's and not the host's.
//
//   heard ──silent──▶ once ──again, in a second try──▶ twice ──a connection, still silent──▶ mute for an hour ──▶ heard
//     ▲                │                                 │                                    │
//     └────────────────┴─── an answer about a recipient, or no connection at all: our line? ──┘

export interface Silence {
  readonly atMs: number;
  /** The recipient it was silent about; null: it did not come so far. */
  readonly about: string | null;
  /** 0: it has answered since, but late. */
  readonly times: number;
  /** Another than the one before it: neither side by side with it nor about the same recipient. */
  readonly isAgain: boolean;
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

/** A session that began at `startedAtMs` has ended in silence. */
export function fellSilent(silences: Silences, source: string | null, fell: Fell): Silence {
  const { startedAtMs, nowMs, about, answersOthers } = fell;
  const before = wasSilent(silences, source, nowMs);
  const times = before?.times ?? 0;
  const isBefore = before !== null && times > 0 && before.atMs <= startedAtMs;
  const isAgain = isBefore && (about === null || about !== before.about);
  const inARow = isAgain && !answersOthers ? times + 1 : Math.max(1, times);
  const silence = { atMs: nowMs, about, times: Math.min(MUTE_TIMES, inARow), isAgain };
  silences.set(source, silence);
  return silence;
}

/** How its last session ended in silence, if it did and that was within the hour. */
export function wasSilent(silences: Silences, source: string | null, nowMs: number): Silence | null {
  if (silences.size === 0) return null;
  const silence = silences.get(source);
  return silence === undefined || nowMs - silence.atMs >= SILENCE_MS ? null : silence;
}

/** It has spoken; `isLate`: too late for a first try, and has the time of a second from now on. */
export function answered(silences: Silences, source: string | null, nowMs: number, isLate: boolean): void {
  if (isLate) silences.set(source, { atMs: nowMs, about: null, times: 0, isAgain: false });
  else silences.delete(source);
}

/** It turned us away, or could not be connected to, when nobody knows whose silence it was. */
export function endRow(silences: Silences, source: string | null): void {
  const silence = silences.get(source);
  if (silence !== undefined && silence.times > 0) silences.delete(source);
}

/** All that the next session gives it until it answers about a recipient; null: each reply has its own time. */
export function nextTryMs(silence: Silence | null, secondTryMs: number): number | null {
  if (silence === null) return null;
  return silence.times < 2 ? secondTryMs : PROOF_MS;
}
