// Attempts at callbacks of test lists, as they were sent, for clients that listen to them on any node.
// Promise: an account's ids become visible in their order, so that a client that has seen one has seen all before it.

import type { Row, Tx } from './database.ts';
import { notify } from './notify.ts';

export interface ShownCallback {
  readonly id: number;
  readonly listId: number;
  readonly url: string;
  /** An object in JSON. */
  readonly headers: string;
  readonly body: string;
}

/** Any constant. */
const ORDER_LOCK = 0x6d78_7363;
const KEPT_HOURS = 1;

export async function insertShownCallback(
  tx: Tx,
  shown: Omit<ShownCallback, 'id'> & { readonly accountId: number },
): Promise<void> {
  const { accountId, listId, url, headers, body } = shown;
  // The id is taken and committed under the account's lock.
  await tx.query('SELECT pg_advisory_xact_lock($1, hashint8($2))', [ORDER_LOCK, accountId]);
  await tx.query(
    'INSERT INTO mxproof.shown_callbacks (account_id, list_id, url, headers, body) VALUES ($1, $2, $3, $4, $5)',
    [accountId, listId, url, headers, body],
  );
  await notify(tx, { what: 'shown' });
}

export async function newestShownId(tx: Tx, accountId: number): Promise<number> {
  const [row] = await tx.query<{ id: number | null }>(
    'SELECT max(id) AS id FROM mxproof.shown_callbacks WHERE account_id = $1',
    [accountId],
  );
  return row?.id ?? 0;
}

/** For each listener the next few after the last it has seen, in the order of the listeners. */
export async function nextShown(
  tx: Tx,
  listeners: readonly { readonly accountId: number; readonly after: number }[],
  most: number,
): Promise<ShownCallback[][]> {
  const rows = await tx.prepared<ShownCallback & Row & { place: number }>(
    'next-shown',
    `SELECT l.place, c.id, c.list_id AS "listId", c.url, c.headers, c.body
     FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS l (account_id, after, place)
     CROSS JOIN LATERAL (
       SELECT * FROM mxproof.shown_callbacks WHERE account_id = l.account_id AND id > l.after ORDER BY id LIMIT $3) AS c
     ORDER BY c.id`,
    [listeners.map(({ accountId }) => accountId), listeners.map(({ after }) => after), most],
  );
  return listeners.map((_, index) => rows.filter(({ place }) => place === index + 1));
}

export async function sweepShownCallbacks(tx: Tx): Promise<void> {
  await tx.query(
    `DELETE FROM mxproof.shown_callbacks WHERE created_at < now() - make_interval(hours => ${KEPT_HOURS})`,
  );
}
