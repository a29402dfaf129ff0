// The one rule for everything that accounts share: sessions, lookups, body bytes, callbacks, threads, chunks.
// Decides, touches nothing. Promise: while something is free, any holder may take it, all of it if need be; when
// there is a queue, the holder with the least is next; and a tenth beyond the capacity is open only to holders below an
// equal share, so that a newcomer never waits for the slow hosts of another account.
//
//   taken ≤ capacity                 any holder
//   taken ≤ capacity + a tenth       only a holder below its equal share
//   freed                            to the waiting holder with the least, each holder's own in the order they came

import { invariant } from './invariant.ts';
import { QueueSet } from './queue-set.ts';

/** Who is charged: an account's lists are one holder and its single checks another, which is what keeps a place for them. */
export type Holder = string;

export function holderOf(account: number | string, single: boolean): Holder {
  return single ? `${account} single` : `${account}`;
}

/** Of its lists and its single checks alike. */
export function payerOf(holder: Holder): string {
  const space = holder.indexOf(' ');
  return space < 0 ? holder : holder.slice(0, space);
}

const RESERVED_PART = 10;

/** The capacity that, with its reserve, comes to `all`. */
export function withReserve(all: number): number {
  return Math.floor((all * RESERVED_PART) / (RESERVED_PART + 1));
}

export class FairShare<Waiter = never> {
  /** May change at any time; what is held beyond it is not taken back. */
  capacity: number;
  taken = 0;
  readonly #held = new Map<Holder, number>();
  /** By holder, in the order in which their turn comes among equals. */
  readonly #waiting = new Map<Holder, QueueSet<Waiter>>();

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  heldBy(holder: Holder): number {
    return this.#held.get(holder) ?? 0;
  }

  waitingOf(holder: Holder): number {
    return this.#waiting.get(holder)?.size ?? 0;
  }

  get holdings(): Iterable<readonly [Holder, number]> {
    return this.#held;
  }

  /** At least one waiter is queued: idle units should be given back. */
  get isCrowded(): boolean {
    return this.#waiting.size > 0;
  }

  /** The capacity divided by the number of holders that use it or wait for it, `holder` included. */
  equalShare(holder: Holder): number {
    let holders = this.#held.size;
    for (const waiting of this.#waiting.keys()) if (!this.#held.has(waiting)) holders += 1;
    if (!this.#held.has(holder) && !this.#waiting.has(holder)) holders += 1;
    return Math.max(1, Math.floor(this.capacity / holders));
  }

  mayTake(holder: Holder, units = 1): boolean {
    const after = this.taken + units;
    if (after <= this.capacity) return true;
    if (after > this.capacity + Math.ceil(this.capacity / RESERVED_PART)) return false;
    return this.heldBy(holder) + units <= this.equalShare(holder);
  }

  take(holder: Holder, units = 1): void {
    this.taken += units;
    this.#held.set(holder, this.heldBy(holder) + units);
  }

  release(holder: Holder, units = 1): void {
    this.taken -= units;
    const left = this.heldBy(holder) - units;
    invariant(left >= 0 && this.taken >= 0, 'an account gives back more of a share than it has taken');
    if (left > 0) this.#held.set(holder, left);
    else this.#held.delete(holder);
  }

  /** Queues the waiter until `next` returns it. It may wait for several holders; `next` returns it once for each. */
  wait(holder: Holder, waiter: Waiter): void {
    const same = this.#waiting.get(holder);
    if (same === undefined) this.#waiting.set(holder, new QueueSet([waiter]));
    else same.add(waiter);
  }

  forget(holder: Holder, waiter: Waiter): void {
    const same = this.#waiting.get(holder);
    if (same?.delete(waiter) === true && same.size === 0) this.#waiting.delete(holder);
  }

  /** Dequeues the next waiter; undefined where no waiting holder may take one more unit. Call it until then. */
  next(): { readonly holder: Holder; readonly waiter: Waiter } | undefined {
    let least: Holder | undefined;
    for (const holder of this.#waiting.keys())
      if (least === undefined || this.heldBy(holder) < this.heldBy(least)) least = holder;
    if (least === undefined || !this.mayTake(least)) return undefined;
    const same = this.#waiting.get(least);
    const waiter = same?.shift();
    if (same === undefined || waiter === undefined) return undefined;
    // To the end, so that holders with equal shares take turns.
    this.#waiting.delete(least);
    if (same.size > 0) this.#waiting.set(least, same);
    return { holder: least, waiter };
  }
}
