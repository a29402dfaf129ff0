// Lanes that wait for a moment: a pause that ends, a connect that should have been answered. Promise: each is pumped at
// every moment it asked for, at most a step late, by one timer for all; none after it was forgotten.
import type { Clock } from '../../types.ts';
import type { Waiter } from '../hosts/parts/connection-queue.ts';

/** Times are rounded up to this, so that one timer serves many. */
const STEP_MS = 100;

export class WakeTimer {
  readonly #clock: Clock;
  /** By moment, rounded up: several lanes a moment, several moments a lane. */
  readonly #due = new Map<number, Set<Waiter>>();
  #timer: unknown = null;
  #timerAtMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  at(atMs: number, lane: Waiter): void {
    const dueMs = Math.ceil(atMs / STEP_MS) * STEP_MS;
    const same = this.#due.get(dueMs);
    if (same !== undefined) {
      same.add(lane);
      return;
    }
    this.#due.set(dueMs, new Set([lane]));
    if (this.#timer === null || dueMs < this.#timerAtMs) this.#set(dueMs);
  }

  forget(lane: Waiter): void {
    for (const lanes of this.#due.values()) lanes.delete(lane);
  }

  stop(): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer);
    this.#timer = null;
  }

  #set(dueMs: number): void {
    this.stop();
    this.#timerAtMs = dueMs;
    this.#timer = this.#clock.setTimeout(() => this.#wake(), Math.max(0, dueMs - this.#clock.now()));
  }

  #wake(): void {
    this.#timer = null;
    const nowMs = this.#clock.now();
    const due = [...this.#due.keys()].filter((dueMs) => dueMs <= nowMs);
    for (const dueMs of due) {
      const lanes = this.#due.get(dueMs);
      this.#due.delete(dueMs);
      // One that is forgotten meanwhile is not visited any more.
      for (const lane of lanes ?? []) lane.pump();
    }
    // A timer may end a moment early; whatever is left is woken in its turn.
    if (this.#due.size > 0) this.#set(Math.min(...this.#due.keys()));
  }
}
