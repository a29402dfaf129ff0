// A rolling 60-second window as a short log of slots: how much was taken in which fifth of a second.
// Promise: in no 60 seconds is more granted than the limit; what is asked too early learns when to come back.

export const WINDOW_MS = 60_000;
/** What is taken within one slot leaves the window together, at the slot's end: at most this much late. */
const SLOT_MS = 200;

export interface Window {
  /** Ascending slot numbers (time / SLOT_MS) and what was taken in each. */
  readonly slots: readonly number[];
  readonly counts: readonly number[];
}

export interface Taken {
  readonly window: Window;
  /** How many of the asks, in their order, were granted. */
  readonly granted: readonly boolean[];
  readonly remaining: number;
  /** Until the window gives something back; 0 when nothing is taken. */
  readonly resetMs: number;
  /** Until the largest refused ask would fit, were nobody else to ask; 0 when none was refused. */
  readonly retryAfterMs: number;
}

/** Asks may be negative: giving back what was taken for a request that turned out not to cost it. */
export function takeFromWindow(window: Window, nowMs: number, limit: number, asks: readonly number[]): Taken {
  const nowSlot = Math.floor(nowMs / SLOT_MS);
  const oldest = nowSlot - WINDOW_MS / SLOT_MS;
  const slots: number[] = [];
  const counts: number[] = [];
  let sum = 0;
  for (const [index, slot] of window.slots.entries()) {
    if (slot < oldest) continue;
    const count = window.counts[index]!;
    slots.push(slot);
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
      // A clock that steps back must not break the order: the newest slot takes it.
      if (slots.length > 0 && slots.at(-1)! >= nowSlot) counts[counts.length - 1]! += ask;
      else {
        slots.push(nowSlot);
        counts.push(ask);
      }
      sum += ask;
    }
    return true;
  });
  const leavesInMs = (slot: number) => (slot + 1) * SLOT_MS + WINDOW_MS - nowMs;
  let retryAfterMs = 0;
  if (largestRefused > 0) {
    let free = limit - sum;
    for (let index = 0; index < slots.length && free < largestRefused; index++) {
      free += counts[index]!;
      retryAfterMs = leavesInMs(slots[index]!);
    }
    // More than the whole window: it never fits, and a full window is the honest thing to say.
    if (free < largestRefused) retryAfterMs = WINDOW_MS;
  }
  const first = counts.findIndex((count) => count > 0);
  return {
    window: { slots, counts },
    granted,
    remaining: Math.max(0, limit - sum),
    // A window of 60 seconds says at most 60; who was refused is told the whole truth.
    resetMs: first < 0 ? 0 : Math.min(WINDOW_MS, leavesInMs(slots[first]!)),
    retryAfterMs,
  };
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
