// Who exported which list in which hour: the audit trail has one row for each.
import type { Database, Tx } from './database.ts';

/** In the transaction that writes the row. `isNew`: it was not noted before. `leftMs`: of the hour, by the database's clock. */
export async function noteExport(
  tx: Tx,
  listId: number,
  actor: string,
): Promise<{ isNew: boolean; leftMs: number }> {
  const [row] = await tx.prepared<{ isNew: boolean; leftMs: number }>(
    'note-export',
    `WITH noted AS (
       INSERT INTO mxproof.audited_exports (list_id, actor, hour) VALUES ($1, $2, date_trunc('hour', now()))
       ON CONFLICT DO NOTHING RETURNING 1)
     SELECT EXISTS (SELECT FROM noted) AS "isNew",
       floor(extract(epoch FROM date_trunc('hour', now()) + interval '1 hour' - now()) * 1000)::bigint AS "leftMs"`,
    [listId, actor],
  );
  return row!;
}

export async function sweepAuditedExports(db: Database): Promise<void> {
  await db.query(`DELETE FROM mxproof.audited_exports WHERE hour < now() - interval '2 hours'`);
}
