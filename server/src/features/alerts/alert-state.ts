// When the operator is told of a condition. Decides, no side effects.
// Promise: told when it begins, at most once an hour while it holds, and once when it is over; a condition that comes and goes
// is told of at most once an hour, too, and taken back at most as often.
//
//   (none) ──holds──▶ told ──an hour──▶ told again
//     ▲                │ ▲
//     │                │ └─holds, an hour after it was last told
//     └─forgotten──── resolved ◀─has not held for five minutes

const HOUR_MS = 3_600_000;
/** Shorter than this it has not ended, only paused. */
const OVER_AFTER_MS = 5 * 60_000;

export interface AlertState {
  readonly sinceMs: number;
  /** Null: never. */
  readonly toldMs: number | null;
  /** And not told since that it is over. */
  readonly isTold: boolean;
  /** Null: it holds. */
  readonly clearSinceMs: number | null;
  readonly resolvedMs: number | null;
}

export type AlertEvent = 'began' | 'continues' | 'resolved';

export interface AlertStep {
  /** Null: there is nothing to remember. */
  readonly state: AlertState | null;
  /** Null: nothing is told. */
  readonly event: AlertEvent | null;
}

export function advanceAlert(before: AlertState | null, holds: boolean, nowMs: number): AlertStep {
  if (holds) return advanceHolding(before, nowMs);
  if (before === null || before.resolvedMs !== null) return { state: before, event: null };
  // Of the future: from before the clock was stepped back.
  const clearSinceMs = Math.min(before.clearSinceMs ?? nowMs, nowMs);
  if (nowMs - clearSinceMs < OVER_AFTER_MS) return { state: { ...before, clearSinceMs }, event: null };
  const state = { ...before, clearSinceMs, resolvedMs: nowMs, isTold: false };
  return { state, event: before.isTold ? 'resolved' : null };
}

function advanceHolding(before: AlertState | null, nowMs: number): AlertStep {
  const isNew = before === null || before.resolvedMs !== null;
  const held = {
    sinceMs: isNew ? nowMs : before.sinceMs,
    toldMs: before?.toldMs ?? null,
    isTold: before?.isTold ?? false,
    clearSinceMs: null,
    resolvedMs: null,
  };
  const isDue = held.toldMs === null || Math.abs(nowMs - held.toldMs) >= HOUR_MS;
  if (!isDue) return { state: held, event: null };
  return { state: { ...held, toldMs: nowMs, isTold: true }, event: held.isTold ? 'continues' : 'began' };
}

/** As it was last read: for what is not read every time. */
export function stillHolds(before: AlertState | null): boolean {
  return before !== null && before.clearSinceMs === null && before.resolvedMs === null;
}
