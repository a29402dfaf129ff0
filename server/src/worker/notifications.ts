// One LISTEN connection per node, reopened whenever it breaks.
// Promise: it only wakes others up; everything that must not be missed is polled for too, and `missed` says when to look.
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Database } from '../store/database.ts';
import { listen, type Notification } from '../store/notify.ts';

export type Message =
  | Notification
  /** There was no connection for a while: any message may have been missed. */
  | { readonly what: 'missed' };

export interface Notifications {
  /** Returns the function that unsubscribes. */
  subscribe(on: (message: Message) => void): () => void;
  stop(): Promise<void>;
}

const FIRST_RECONNECT_MS = 100;
const MAX_RECONNECT_MS = 2_000;

export function startNotifications(db: Database, log: Logger): Notifications {
  const subscribers = new Set<(message: Message) => void>();
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let failures = 0;
  let connecting: Promise<void> = Promise.resolve();

  const publish = (message: Message) => {
    for (const on of subscribers) on(message);
  };

  async function connect(): Promise<void> {
    let fresh: pg.Client | undefined;
    try {
      fresh = await db.connectAlone();
      const own = fresh;
      own.on('error', () => again(own));
      own.on('end', () => again(own));
      await listen(own, publish);
      if (stopped) return void (await own.end());
      client = own;
      failures = 0;
      publish({ what: 'missed' });
    } catch (error) {
      if (failures === 0) log.debug({ err: error }, 'LISTEN connection failed, retrying');
      await fresh?.end().catch(() => {});
      later();
    }
  }

  /** A connection's `error` is followed by its `end`: only the first counts. */
  function again(broken: pg.Client): void {
    if (client !== broken) return;
    client = null;
    broken.end().catch(() => {});
    later();
  }

  function later(): void {
    if (stopped) return;
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        connecting = connect();
      },
      Math.min(MAX_RECONNECT_MS, FIRST_RECONNECT_MS * 2 ** Math.min(failures++, 10)),
    );
  }

  connecting = connect();
  return {
    subscribe(on) {
      subscribers.add(on);
      return () => subscribers.delete(on);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await connecting;
      const last = client;
      client = null;
      await last?.end().catch(() => {});
    },
  };
}
