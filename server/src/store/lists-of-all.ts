// Which lists there are, of whichever account. Promise: each page reads no more rows than it skips and shows of the primary key,
// or the unfinished lists.
import type { ListStatus } from '../rules/list.ts';
import type { Tx } from './database.ts';

/** Without test lists and single checks. Unfinished ones oldest first, all of them newest first. */
export async function idsOfAllLists(
  tx: Tx,
  page: {
    /** Null: of all. */
    readonly accountId: number | null;
    readonly isUnfinished: boolean;
    readonly status: ListStatus | null;
    readonly offset: number;
    readonly limit: number;
  },
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `SELECT l.id FROM mxproof.lists l JOIN mxproof.accounts a ON a.id = l.account_id AND a.test_of IS NULL AND a.deleted_at IS NULL
     WHERE NOT l.single AND ($1::text IS NULL OR l.status = $1)
       AND ($4::bigint IS NULL OR l.account_id = $4) ${page.isUnfinished ? 'AND l.finished_at IS NULL' : ''}
     ORDER BY l.id ${page.isUnfinished ? 'ASC' : 'DESC'} OFFSET $2 LIMIT $3`,
    [page.status, page.offset, page.limit, page.accountId],
  );
  return rows.map(({ id }) => id);
}
