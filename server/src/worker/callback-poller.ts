// The listeners to callbacks of test lists on this node: one statement looks for all of them.
// Promise: whichever node sends a callback, each listener gets it at once, or with the next poll; one that reads slowly
// holds a few, and the rest waits in the database.
import type { Logger } from 'pino';
import type { CallbackWatch } from '../flow/watch-callbacks.ts';
import type { Database } from '../store/database.ts';
import { nextShown, type ShownCallback } from '../store/shown-callbacks.ts';
import { startLoop } from './loop.ts';
import type { Notifications } from './notifications.ts';

const POLL_MS = 1_000;
const BUFFERED_PER_LISTENER = 10;

interface CallbackListener {
  readonly accountId: number;
  /** The last it was handed. */
  after: number;
  /** What it is to be handed next; it is looked for while there is nothing. */
  next: ShownCallback[];
  wake(): void;
}

export interface CallbackPoller extends CallbackWatch {
  stop(): Promise<void>;
}

export function createCallbackPoller(options: {
  readonly db: Database;
  readonly notifications: Notifications;
  readonly log: Logger;
}): CallbackPoller {
  const { db, notifications, log } = options;
  const listening = new Set<CallbackListener>();

  async function poll(): Promise<void> {
    const waiting = [...listening].filter(({ next }) => next.length === 0);
    if (waiting.length === 0) return;
    const found = await nextShown(db, waiting, BUFFERED_PER_LISTENER);
    for (const [index, one] of waiting.entries()) {
      one.next = found[index]!;
      if (one.next.length > 0) one.wake();
    }
  }

  const unsubscribe = notifications.subscribe(({ what }) => {
    if (listening.size > 0 && (what === 'shown' || what === 'missed')) polling.wake();
  });
  const polling = startLoop({ name: 'shown callbacks', everyMs: POLL_MS, log, run: poll });

  return {
    async *sent(accountId, after, signal) {
      const one: CallbackListener = { accountId, after, next: [], wake: () => {} };
      listening.add(one);
      polling.wake();
      const onAbort = () => one.wake();
      signal.addEventListener('abort', onAbort);
      try {
        while (!signal.aborted) {
          const shown = one.next.shift();
          if (!shown) {
            await new Promise<void>((resolve) => {
              one.wake = resolve;
            });
            continue;
          }
          one.after = shown.id;
          if (one.next.length === 0) polling.wake();
          yield shown;
        }
      } finally {
        signal.removeEventListener('abort', onAbort);
        listening.delete(one);
      }
    },
    async stop() {
      unsubscribe();
      await polling.stop();
    },
  };
}
