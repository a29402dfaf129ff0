// Lists deleted with an undo: they belong to no account, so that every statement that reads an account's lists or callbacks
// passes them by.
// Promise: a list comes back whole or is removed. Both lock its row first, and the second transaction finds it changed.
import type { Tx } from './database.ts';

/** False: no such list of this account. The list is finished. */
export async function hideList(tx: Tx, id: number, accountId: number, undoSeconds: number): Promise<boolean> {
  const rows = await tx.query(
    `WITH hidden AS (
       UPDATE mxproof.lists
       SET account_id = NULL, deleted_of = $2, remove_at = now() + make_interval(secs => $3)
       WHERE id = $1 AND account_id = $2 RETURNING id),
     callback AS (
       UPDATE mxproof.callbacks c SET account_id = NULL FROM hidden WHERE c.list_id = hidden.id)
     UPDATE mxproof.accounts a SET lists = a.lists - 1 FROM hidden WHERE a.id = $2 RETURNING a.id`,
    [id, accountId, undoSeconds],
  );
  return rows.length === 1;
}

/** False, and nothing is done, where the account has deleted no such list, or its undo is over. */
export async function restoreList(tx: Tx, id: number, accountId: number): Promise<boolean> {
  const rows = await tx.query(
    `WITH restored AS (
       UPDATE mxproof.lists SET account_id = $2, deleted_of = NULL, remove_at = NULL
       WHERE id = $1 AND deleted_of = $2 AND remove_at > now() RETURNING id),
     callback AS (
       UPDATE mxproof.callbacks c SET account_id = $2 FROM restored WHERE c.list_id = restored.id)
     UPDATE mxproof.accounts a SET lists = a.lists + 1 FROM restored WHERE a.id = $2 RETURNING a.id`,
    [id, accountId],
  );
  return rows.length === 1;
}

/** Of at most 400 chunks each. */
const REMOVED_AT_ONCE = 20;

/** Lists whose undo is over: the first of each account, then the second of each, and so on. */
export async function listsToRemove(tx: Tx, except: readonly number[] = []): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `SELECT id FROM (
       SELECT id, row_number() OVER (PARTITION BY deleted_of ORDER BY remove_at, id) AS turn FROM mxproof.lists
       WHERE remove_at <= now() AND id <> ALL($1::bigint[])) AS over
     ORDER BY turn, id LIMIT ${REMOVED_AT_ONCE}`,
    [except],
  );
  return rows.map(({ id }) => id);
}

/** Those of them whose undo is over. */
export async function removeDeletedLists(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query('DELETE FROM mxproof.lists WHERE remove_at <= now() AND id = ANY($1)', [ids]);
}
