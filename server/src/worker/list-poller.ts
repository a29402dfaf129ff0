// The lists that clients of this node follow: one statement reads them all, twice a second while there are any.
// Promise: whichever node works on a list, each of its watchers learns of its changes at most twice a second and of its
// end at once, or with the next poll; a watcher holds nothing but the latest state. A list that cannot be read stops no other's
// watchers.
import { steadyNow } from '@mxproof/common/steady-now';
import type { Logger } from 'pino';
import type { ListWatch } from '../flow/watch-list.ts';
import { type List, listSummary } from '../rules/list.ts';
import type { Database } from '../store/database.ts';
import { findLists } from '../store/lists.ts';
import { createIsolation } from './isolate.ts';
import { startLoop } from './loop.ts';
import type { Notifications } from './notifications.ts';

const POLL_MS = 500;
/** A timer may be early by so much. */
const TIMER_SLACK_MS = 5;

interface Watcher {
  /** The summary last handed out, as text. */
  text: string;
  /** What it is to be handed next, and its text; null: nothing yet. */
  next: { readonly list: List; readonly text: string } | null;
  isGone: boolean;
  /** It was just handed a state, outside of the common rhythm. */
  readonly notBeforeMs: number;
  wake(): void;
}

export interface ListPoller extends ListWatch {
  stop(): Promise<void>;
}

export function createListPoller(options: {
  readonly db: Database;
  readonly notifications: Notifications;
  readonly log: Logger;
  /** Other than the named limit; for tests. */
  readonly pollMs?: number;
}): ListPoller {
  const { db, notifications, log, pollMs = POLL_MS } = options;
  const isolation = createIsolation<number>({ name: 'watched lists', log });
  const watched = new Map<number, Set<Watcher>>();
  /** Watched lists of which the end was notified. */
  const ended = new Set<number>();
  let nextPollMs = 0;

  async function poll(): Promise<void> {
    const isDue = steadyNow() >= nextPollMs;
    const ids = isDue ? [...watched.keys()] : [...ended];
    ended.clear();
    if (ids.length === 0) return;
    if (isDue) nextPollMs = steadyNow() + pollMs - TIMER_SLACK_MS;
    await isolation.runAll(ids, async (readIds) => {
      const lists = await findLists(db, readIds);
      for (const id of readIds) {
        const list = lists.get(id) ?? null;
        // Nodes stop working on a list that is paused, too: its watchers learn of that in their rhythm.
        if (!isDue && list?.finishedAtSeconds === null) continue;
        notify(watched.get(id) ?? new Set(), list);
      }
    });
  }

  function notify(watchers: ReadonlySet<Watcher>, list: List | null): void {
    // Once for all that follow it.
    const next = list && { list, text: textOf(list) };
    const nowMs = steadyNow();
    for (const watcher of watchers) {
      if (list?.finishedAtSeconds === null && nowMs < watcher.notBeforeMs) continue;
      watcher.next = next?.text === watcher.text ? null : next;
      watcher.isGone = list === null;
      if (watcher.next || watcher.isGone) watcher.wake();
    }
  }

  const unsubscribe = notifications.subscribe((message) => {
    if ('listId' in message && watched.has(message.listId)) ended.add(message.listId);
    if (ended.size > 0) polling.wake();
  });
  const polling = startLoop({ name: 'watched lists', everyMs: pollMs, log, run: poll });

  return {
    async *changes(known, signal) {
      const watcher: Watcher = {
        text: textOf(known),
        next: null,
        isGone: false,
        notBeforeMs: steadyNow() + pollMs,
        wake: () => {},
      };
      const watchers = watched.get(known.id) ?? new Set();
      watched.set(known.id, watchers.add(watcher));
      const onAbort = () => watcher.wake();
      signal.addEventListener('abort', onAbort);
      try {
        while (!signal.aborted && !watcher.isGone) {
          const { next } = watcher;
          if (!next) {
            await new Promise<void>((resolve) => {
              watcher.wake = resolve;
            });
            continue;
          }
          watcher.next = null;
          watcher.text = next.text;
          yield next.list;
          if (next.list.finishedAtSeconds !== null) return;
        }
      } finally {
        signal.removeEventListener('abort', onAbort);
        watchers.delete(watcher);
        if (watchers.size === 0) watched.delete(known.id);
      }
    },
    async stop() {
      unsubscribe();
      await polling.stop();
    },
  };
}

/** That it is paused or resumed is a change, though its summary says nothing of it. */
function textOf(list: List): string {
  return JSON.stringify([listSummary(list), list.pausedAtSeconds]);
}
