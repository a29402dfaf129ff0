// Turns at reading what is stored, by account: on this node's thread and on its connections to the database.
// Promise: an account's readings take one step at a time, a statement or the rows of one chunk, whatever it asks for and with
// however many keys; between two steps everything else on the thread has its turn, other accounts' readings included; an
// account has a bounded number of them under way, and none goes on once its client has disconnected.
import { holderOf } from '@mxproof/common/fair-share';
import { createFairSemaphore } from '../rules/fair-semaphore.ts';

/** FairShare keeps a place for another account; more steps at once would only wait for each other on the thread. */
const STEPS_AT_ONCE = 1;
/** Per account, those included whose answers are still being sent; further requests are refused with a Retry-After. */
export const READINGS_UNDER_WAY = 50;

/** The client disconnected first. */
export class ReaderLeft extends Error {}

export interface Reading {
  /** Waits for the account's turn. Throws ReaderLeft. */
  step<T>(work: () => T | Promise<T>): Promise<T>;
}

export interface ReadingTurns {
  /** Lasts until the signal says that its answer is out, or its client has gone. Null: the account has too many. */
  begin(accountId: number, over: AbortSignal): Reading | null;
}

export function createReadingTurns(): ReadingTurns {
  const slots = createFairSemaphore(STEPS_AT_ONCE);
  /** By account. */
  const underWay = new Map<number, number>();

  function count(accountId: number, by: 1 | -1): void {
    const now = (underWay.get(accountId) ?? 0) + by;
    if (now > 0) underWay.set(accountId, now);
    else underWay.delete(accountId);
  }

  return {
    begin(accountId, over) {
      if ((underWay.get(accountId) ?? 0) >= READINGS_UNDER_WAY) return null;
      if (!over.aborted) {
        count(accountId, 1);
        over.addEventListener('abort', () => count(accountId, -1), { once: true });
      }
      const holder = holderOf(accountId, false);
      return {
        async step(work) {
          const end = await slots.acquire(holder, over);
          if (!end) throw new ReaderLeft();
          try {
            return await work();
          } finally {
            // Not before the thread has been elsewhere.
            setImmediate(end);
          }
        },
      };
    },
  };
}
