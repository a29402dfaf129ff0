// The accounts that hold connections to one mail host or provider, and the lanes that wait for one. Promise: lanes are
// woken in fair order (common/src/fair-share.ts), and no more of them than there is room for.
import { FairShare, type Holder } from '@mxproof/common/fair-share';

/** A lane that waits for a connection. */
export interface Waiter {
  pump(): void;
}

export class ConnectionQueue {
  /** Exists only while there is a connection or a waiting lane: of tens of thousands of hosts, few are asked at a time. */
  #share: FairShare<Waiter> | null = null;
  /** Lanes that wait again while others are woken: no lane is woken twice in one pass. */
  #again: { readonly holder: Holder; readonly waiter: Waiter }[] | null = null;

  get isWaitedFor(): boolean {
    return this.#share?.isCrowded === true || (this.#again?.length ?? 0) > 0;
  }

  took(holder: Holder): void {
    this.#ofNow().take(holder);
  }

  left(holder: Holder): void {
    this.#share?.release(holder);
    this.#tidy();
  }

  wait(holders: readonly Holder[], waiter: Waiter): void {
    const share = this.#ofNow();
    for (const holder of holders)
      if (this.#again === null) share.wait(holder, waiter);
      else this.#again.push({ holder, waiter });
  }

  /** For as long as `hasRoom`: one that cannot use it leaves it to the next. */
  wake(hasRoom: () => boolean): void {
    const share = this.#share;
    if (share?.isCrowded !== true || this.#again !== null) return;
    const again: { readonly holder: Holder; readonly waiter: Waiter }[] = [];
    this.#again = again;
    while (hasRoom()) {
      const next = share.next();
      if (next === undefined) break;
      next.waiter.pump();
    }
    this.#again = null;
    for (const { holder, waiter } of again) share.wait(holder, waiter);
    this.#tidy();
  }

  /** Its connections count as another's as well. */
  copyTo(other: ConnectionQueue): void {
    for (const [holder, units] of this.#share?.holdings ?? []) other.#ofNow().take(holder, units);
  }

  /** The pace bounds them; this decides the order. */
  #ofNow(): FairShare<Waiter> {
    this.#share ??= new FairShare(Number.POSITIVE_INFINITY);
    return this.#share;
  }

  #tidy(): void {
    if (this.#share?.taken === 0 && !this.isWaitedFor && this.#again === null) this.#share = null;
  }
}
