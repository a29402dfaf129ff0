// A rolling 60-second window as a short log: how much was taken when, with entries close in time merged.
// Promise: no 60 seconds grant more than the limit; a refused request learns when to retry, never more than 60 seconds
// later.

export const WINDOW_MS = 60_000;
/**
 * What is taken within one slot leaves the window together, 60 seconds after the last of it: the others at most this
 * much late, and never later than 60 seconds from now. 200 entries are short enough to stay in their row.
 */
const SLOT_MS = 300;

export interface Window {
  /** Ascending: when the last of each entry was taken, and how much it is. */
  readonly times: readonly number[];
  readonly counts: readonly number[];
}

export interface WindowUpdate {
  readonly window: Window;
  /** How many of the asks, in their order, were granted. */
  readonly granted: readonly boolean[];
  readonly remaining: number;
  /** Until the window gives something back; 0 when nothing is taken. */
  readonly resetMs: number;
  /** Until the largest refused request would fit without further requests; 0 if none was refused. */
  readonly retryAfterMs: number;
}

/** Asks may be negative: giving back what was taken for a request that turned out not to cost it. */
export function takeFromWindow(
  window: Window,
  nowMs: number,
  limit: number,
  asks: readonly number[],
): WindowUpdate {
  const times: number[] = [];
  const counts: number[] = [];
  let sum = 0;
  // By index: the entries of a busy window are read with every request.
  for (let index = 0; index < window.times.length; index++) {
    // Entries in the future, left by a clock that has stepped back, count as taken now.
    const timeMs = Math.min(window.times[index]!, nowMs);
    if (timeMs + WINDOW_MS <= nowMs) continue;
    const count = window.counts[index]!;
    times.push(timeMs);
    counts.push(count);
    sum += count;
  }
  let largestRefused = 0;
  const granted = asks.map((ask) => {
    if (ask > 0 && sum + ask > limit) {
      largestRefused = Math.max(largestRefused, ask);
      return false;
    }
    if (ask < 0) sum -= giveBack(counts, -ask);
    else if (ask > 0) {
      const last = times.length - 1;
      if (last >= 0 && slotOf(times[last]!) === slotOf(nowMs)) {
        times[last] = nowMs;
        counts[last]! += ask;
      } else {
        times.push(nowMs);
        counts.push(ask);
      }
      sum += ask;
    }
    return true;
  });
  const leavesInMs = (timeMs: number) => timeMs + WINDOW_MS - nowMs;
  let retryAfterMs = 0;
  if (largestRefused > 0) {
    let free = limit - sum;
    for (let index = 0; index < times.length && free < largestRefused; index++) {
      free += counts[index]!;
      retryAfterMs = leavesInMs(times[index]!);
    }
    // More than the whole limit: it never fits, so the longest possible wait is returned.
    if (free < largestRefused) retryAfterMs = WINDOW_MS;
  }
  const first = counts.findIndex((count) => count > 0);
  return {
    window: { times, counts },
    granted,
    remaining: Math.max(0, limit - sum),
    resetMs: first < 0 ? 0 : leavesInMs(times[first]!),
    retryAfterMs,
  };
}

function slotOf(timeMs: number): number {
  return Math.floor(timeMs / SLOT_MS);
}

function giveBack(counts: number[], amount: number): number {
  let left = amount;
  for (let index = counts.length - 1; index >= 0 && left > 0; index--) {
    const taken = Math.min(left, counts[index]!);
    counts[index]! -= taken;
    left -= taken;
  }
  return amount - left;
}
