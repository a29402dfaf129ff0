// Which lists belong together: those of a group, and the retries and corrections of a list.
import type { List } from '../rules/list.ts';
import { MAX_GROUP_LISTS } from '../rules/list-group.ts';
import type { Tx } from './database.ts';
import { COLUMNS, type ListRow, toList } from './lists.ts';

/** Oldest first. */
export async function listsOfGroup(tx: Tx, accountId: number, group: string): Promise<List[]> {
  const rows = await tx.prepared<ListRow>(
    'lists-of-group',
    `SELECT ${COLUMNS} FROM mxproof.lists WHERE account_id = $1 AND group_word = $2
     ORDER BY id LIMIT ${MAX_GROUP_LISTS}`,
    [accountId, group],
  );
  return rows.map(toList);
}

/** Whether its lists are more than a group may have. */
export async function isGroupTooLarge(tx: Tx, accountId: number, group: string): Promise<boolean> {
  const rows = await tx.prepared(
    'is-group-too-large',
    `SELECT 1 FROM mxproof.lists WHERE account_id = $1 AND group_word = $2 OFFSET ${MAX_GROUP_LISTS} LIMIT 1`,
    [accountId, group],
  );
  return rows.length > 0;
}

/** A retry that is retried is one of the first list's retries. */
export function firstOf({ id, retryOf }: List): number {
  return retryOf ?? id;
}

/** Of a list that is retried without end, what became of the last ones counts. */
export const SHOWN_RETRIES = 1_000;

/** Those that were made after it of the same first list, oldest first; of too many, the newest. */
export async function retriesOf(tx: Tx, list: List): Promise<number[]> {
  const rows = await tx.prepared<{ id: number }>(
    'retries-of',
    `SELECT id FROM mxproof.lists WHERE account_id = $3 AND retry_of = $1 AND id > $2
     ORDER BY id DESC LIMIT ${SHOWN_RETRIES}`,
    [firstOf(list), list.id, list.accountId],
  );
  return rows.map((row) => row.id).reverse();
}

/** Oldest first; of too many, the newest. */
export async function correctionsOf(tx: Tx, { id, accountId }: List): Promise<number[]> {
  const rows = await tx.prepared<{ id: number }>(
    'corrections-of',
    `SELECT id FROM mxproof.lists WHERE account_id = $2 AND correction_of = $1
     ORDER BY id DESC LIMIT ${SHOWN_RETRIES}`,
    [id, accountId],
  );
  return rows.map((row) => row.id).reverse();
}
