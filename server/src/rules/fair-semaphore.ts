// A semaphore shared by accounts. Promise: no request waits while a place is free; when there is a queue, the account that
// has the fewest places is next (FairShare); an account's own requests come in their order.
import { FairShare, type Holder } from '@mxproof/common/fair-share';

export interface FairSemaphore {
  /** Resolves with the function that releases the place; with null if the signal came first. */
  acquire(holder: Holder, signal?: AbortSignal): Promise<(() => void) | null>;
  waitingOf(holder: Holder): number;
}

export function createFairSemaphore(atOnce: number): FairSemaphore {
  const share = new FairShare<() => void>(atOnce);

  function serve(): void {
    for (let next = share.next(); next; next = share.next()) {
      share.take(next.holder);
      next.waiter();
    }
  }

  return {
    waitingOf: (holder) => share.waitingOf(holder),
    acquire(holder, signal) {
      if (signal?.aborted) return Promise.resolve(null);
      return new Promise((resolve) => {
        let isReleased = false;
        const release = () => {
          if (isReleased) return;
          isReleased = true;
          share.release(holder);
          serve();
        };
        const begin = () => {
          signal?.removeEventListener('abort', leave);
          resolve(release);
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
