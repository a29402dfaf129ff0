// Simulated time: a heap of what is due, and a loop that jumps to the next of it once nothing is left to do now.
// Promise: no real waiting; events of one moment run in the order they were set; the same program gives the same
// order every time.
import type { Clock } from '@mxproof/engine';

interface DueTimer {
  readonly atMs: number;
  readonly order: number;
  callback: (() => void) | null;
}

/** Turns of the real event loop without anything due before the wait is called hopeless. */
const IDLE_TURNS_MAX = 2_000;
const EVENTS_MAX = 50_000_000;

export interface VirtualClock extends Clock {
  /** Runs time until the promise settles. */
  run<T>(promise: Promise<T>): Promise<T>;
  /** Time stands still until the promise settles: what it waits for is real, such as a database. */
  hold<T>(promise: Promise<T>): Promise<T>;
}

export function createVirtualClock(startMs: number): VirtualClock {
  const heap: DueTimer[] = [];
  let nowMs = startMs;
  let order = 0;
  let held = 0;

  const before = (a: DueTimer, b: DueTimer) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

  const push = (due: DueTimer) => {
    let at = heap.length;
    heap.push(due);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(due, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = due;
  };

  const pop = (): DueTimer => {
    const top = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child += 1;
      if (!before(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return top;
  };

  /** All that is due at the next moment. False: nothing is due, ever. */
  const step = (): boolean => {
    while (heap.length > 0 && heap[0]!.callback === null) pop();
    if (heap.length === 0) return false;
    nowMs = Math.max(nowMs, heap[0]!.atMs);
    while (heap.length > 0 && heap[0]!.atMs <= nowMs) pop().callback?.();
    return true;
  };

  return {
    now: () => nowMs,
    setTimeout(callback, ms) {
      // A callback may set another for the same moment; it comes after what is already there.
      const due = { atMs: nowMs + Math.max(0, ms), order: order++, callback };
      push(due);
      return due;
    },
    clearTimeout(handle) {
      if (handle !== null && handle !== undefined) (handle as DueTimer).callback = null;
    },
    async run(promise) {
      let settled = false;
      const done = () => {
        settled = true;
      };
      promise.then(done, done);
      let idle = 0;
      for (let events = 0; !settled; events += 1) {
        // One real turn, so that promises and immediates of this moment are through before time moves.
        await new Promise<void>((resolve) => setImmediate(resolve));
        if (settled) break;
        if (held > 0) continue;
        idle = step() ? 0 : idle + 1;
        if (idle > IDLE_TURNS_MAX)
          throw new Error('virtual clock: still waiting, and nothing is due any more');
        if (events > EVENTS_MAX) throw new Error('virtual clock: too many moments');
      }
      return promise;
    },
    async hold(promise) {
      held += 1;
      try {
        return await promise;
      } finally {
        held -= 1;
      }
    },
  };
}
