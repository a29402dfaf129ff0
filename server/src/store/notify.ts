// Notifications between nodes through the database. Promise: sent when the transaction commits, received by those that
// listen then; nothing depends on them alone, since every listener also polls.
import type pg from 'pg';
import type { Tx } from './database.ts';

const CHANNEL = 'mxproof';

/**
 * `work`, `callback`: a job is ready. `joined`: a node that checks has started. `shown`: a callback of
 * a test list is being sent. `finished`: a request that waits for a single
 * check may read it. `gone`: nodes stop working on the list.
 */
export type Notification =
  | { readonly what: 'work' | 'callback' | 'joined' | 'shown' }
  | { readonly what: 'finished' | 'gone'; readonly listId: number };

export async function notify(tx: Tx, notification: Notification): Promise<void> {
  const text = 'listId' in notification ? `${notification.what} ${notification.listId}` : notification.what;
  await tx.prepared('notify', 'SELECT pg_notify($1, $2)', [CHANNEL, text]);
}

/** `gone` of many lists in one statement. */
export async function notifyGone(tx: Tx, listIds: readonly number[]): Promise<void> {
  await tx.query(`SELECT pg_notify($1, 'gone ' || id) FROM unnest($2::bigint[]) AS gone (id)`, [
    CHANNEL,
    listIds,
  ]);
}

/** From the moment it resolves, `on` is called with everything that is said. */
export async function listen(client: pg.Client, on: (notification: Notification) => void): Promise<void> {
  client.on('notification', ({ payload }) => {
    const notification = parse(payload ?? '');
    if (notification !== null) on(notification);
  });
  await client.query(`LISTEN ${CHANNEL}`);
}

function parse(payload: string): Notification | null {
  const [what, id] = payload.split(' ');
  switch (what) {
    case 'finished':
    case 'gone':
      return { what, listId: Number(id) };
    case 'work':
    case 'callback':
    case 'joined':
    case 'shown':
      return { what };
    default:
      return null;
  }
}
