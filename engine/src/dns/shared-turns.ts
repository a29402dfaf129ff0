// Turns at something of which there is a bounded number, for work that several accounts may want. Promise: begun once,
// as soon as any of them may (common/src/fair-share.ts), charged to that one until it ends; an account that joins pulls it
// forward.
//
//   idle ──ask──▶ waiting ──a turn of any of its accounts──▶ begun ──end──▶ idle (and may ask again)
//     └───────────────────a turn is free────────────────────▲
import { FairShare, type Holder } from '@mxproof/common/fair-share';

export interface SharedTurn {
  /** The accounts that want it; at least one, and rarely more. */
  readonly holders: Holder[];
  state: 'idle' | 'waiting' | 'begun';
  /** The account charged, once it has begun. */
  paidBy: Holder;
  begin(): void;
}

export class SharedTurns<One extends SharedTurn> {
  readonly #share: FairShare<One>;

  constructor(capacity: number) {
    this.#share = new FairShare(capacity);
  }

  /** May change at any time; what is begun beyond it goes on. */
  set capacity(capacity: number) {
    this.#share.capacity = capacity;
  }

  /** How many have begun and not ended. */
  get taken(): number {
    return this.#share.taken;
  }

  get isWaitedFor(): boolean {
    return this.#share.isCrowded;
  }

  /** It has begun already, whether or not there was a turn. */
  charge(one: One, holder: Holder): void {
    this.#share.take(holder);
    one.paidBy = holder;
    one.state = 'begun';
  }

  ask(one: One): void {
    for (const holder of one.holders)
      if (this.#share.mayTake(holder)) {
        this.#begin(one, holder);
        return;
      }
    one.state = 'waiting';
    for (const holder of one.holders) this.#share.wait(holder, one);
  }

  join(one: One, holder: Holder): void {
    if (one.holders.includes(holder)) return;
    one.holders.push(holder);
    if (one.state !== 'waiting') return;
    this.#share.wait(holder, one);
    this.#beginSome();
  }

  /** It waits no longer. */
  leave(one: One): void {
    one.state = 'idle';
    for (const holder of one.holders) this.#share.forget(holder, one);
  }

  end(one: One): void {
    one.state = 'idle';
    this.#share.release(one.paidBy);
    this.#beginSome();
  }

  #beginSome(): void {
    for (let next = this.#share.next(); next !== undefined; next = this.#share.next()) {
      const { holder, waiter } = next;
      for (const other of waiter.holders) this.#share.forget(other, waiter);
      this.#begin(waiter, holder);
    }
  }

  #begin(one: One, holder: Holder): void {
    this.charge(one, holder);
    one.begin();
  }
}
