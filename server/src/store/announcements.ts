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
export type Announcement =
  | { readonly what: 'work' | 'callback' | 'joined' | 'shown' }
  | { readonly what: 'finished' | 'gone'; readonly listId: number };

export async function announce(tx: Tx, announcement: Announcement): Promise<void> {
  const text = 'listId' in announcement ? `${announcement.what} ${announcement.listId}` : announcement.what;
  await tx.prepared('announce', 'SELECT pg_notify($1, $2)', [CHANNEL, text]);
}

/** From the moment it resolves, `on` is called with everything that is said. */
export async function listen(client: pg.Client, on: (announcement: Announcement) => void): Promise<void> {
  client.on('notification', ({ payload }) => {
    const announcement = parse(payload ?? '');
    if (announcement !== null) on(announcement);
  });
  await client.query(`LISTEN ${CHANNEL}`);
}

function parse(payload: string): Announcement | null {
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
