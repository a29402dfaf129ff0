// Pauses of lists. Promise: the time a list was paused is counted once, in the statement that ends the pause.
import type { List } from '../rules/list.ts';
import { MAX_PAUSE_DAYS } from '../rules/long-pause.ts';
import type { Tx } from './database.ts';
import { COLUMNS, type ListRow, toList } from './lists.ts';

/** The caller holds the lock of the list, which is unfinished. */
export async function beginPause(tx: Tx, id: number): Promise<List> {
  const [row] = await tx.query<ListRow>(
    `UPDATE mxproof.lists SET paused_at = now() WHERE id = $1 RETURNING ${COLUMNS}`,
    [id],
  );
  return toList(row!);
}

/** The same of a list that is paused. */
export async function endPause(tx: Tx, id: number): Promise<List> {
  const [row] = await tx.query<ListRow>(
    // Not less than nothing where the clock was stepped back.
    `UPDATE mxproof.lists SET paused_for = paused_for + greatest(now() - paused_at, '0'), paused_at = NULL
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [id],
  );
  return toList(row!);
}

export interface LongPause {
  readonly id: number;
  readonly pausedAtSeconds: number;
}

/** The longest paused of each account, then the second of each, and so on. */
export async function listsPausedTooLong(tx: Tx, except: readonly number[] = []): Promise<LongPause[]> {
  return tx.query<{ id: number; pausedAtSeconds: number }>(
    `SELECT id, "pausedAtSeconds" FROM (
       SELECT id, floor(extract(epoch FROM paused_at))::bigint AS "pausedAtSeconds",
         row_number() OVER (PARTITION BY account_id ORDER BY paused_at, id) AS turn
       FROM mxproof.lists
       WHERE paused_at < now() - make_interval(days => ${MAX_PAUSE_DAYS}) AND finished_at IS NULL
         AND id <> ALL($1::bigint[])) AS long
     ORDER BY turn, id LIMIT 100`,
    [except],
  );
}
