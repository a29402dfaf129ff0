// A semaphore shared by accounts. Promise: no request waits while a place is free; when there is a queue, the account that
// has the fewest places is next (FairShare); an account's own requests come in their order.
import { FairShare, type Holder } from '@mxproof/common/fair-share';

export interface Turns {
  /** Resolves with what ends the turn, or with null where the signal came first. */
  take(holder: Holder, signal?: AbortSignal): Promise<(() => void) | null>;
  waitingOf(holder: Holder): number;
}

export function createTurns(atOnce: number): Turns {
  const share = new FairShare<() => void>(atOnce);

  function serve(): void {
    for (let next = share.next(); next; next = share.next()) {
      share.take(next.holder);
      next.waiter();
    }
  }

  return {
    waitingOf: (holder) => share.waitingOf(holder),
    take(holder, signal) {
      if (signal?.aborted) return Promise.resolve(null);
      return new Promise((resolve) => {
        let isOver = false;
        const end = () => {
          if (isOver) return;
          isOver = true;
          share.release(holder);
          serve();
        };
        const begin = () => {
          signal?.removeEventListener('abort', leave);
          resolve(end);
        };
        const leave = () => {
          share.forget(holder, begin);
          resolve(null);
        };
        signal?.addEventListener('abort', leave, { once: true });
        share.wait(holder, begin);
        serve();
      });
    },
  };
}
