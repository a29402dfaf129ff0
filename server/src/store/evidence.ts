// Evidence: why each verdict was given, compressed, in a table of its own with its own retention.
import type { Tx } from './database.ts';

export async function insertEvidence(
  tx: Tx,
  listId: number,
  pieces: readonly { n: number; data: Buffer }[],
): Promise<void> {
  if (pieces.length === 0) return;
  await tx.prepared(
    'insert-evidence',
    'INSERT INTO mxproof.evidence (list_id, n, data) SELECT $1, * FROM unnest($2::int[], $3::bytea[])',
    [listId, pieces.map(({ n }) => n), pieces.map(({ data }) => data)],
  );
}

/** A chunk's pieces in the order they were written, behind `afterId`. */
export async function readEvidence(
  tx: Tx,
  listId: number,
  n: number,
  page: { readonly afterId: number; readonly limit: number },
): Promise<{ id: number; data: Buffer; storedAtSeconds: number }[]> {
  return tx.prepared<{ id: number; data: Buffer; storedAtSeconds: number }>(
    'read-evidence',
    `SELECT id, data, floor(extract(epoch FROM created_at))::bigint AS "storedAtSeconds" FROM mxproof.evidence
     WHERE list_id = $1 AND n = $2 AND id > $3 ORDER BY id LIMIT $4`,
    [listId, n, page.afterId, page.limit],
  );
}

const ROWS_AT_ONCE = 2_000;

/** One batch of what is too old, so that no sweep locks the table for long; returns its size. */
export async function sweepEvidence(tx: Tx, keptMs: number): Promise<{ more: boolean }> {
  const rows = await tx.query(
    `DELETE FROM mxproof.evidence WHERE id = ANY(ARRAY(
       SELECT id FROM mxproof.evidence WHERE created_at < now() - make_interval(secs => $1) LIMIT ${ROWS_AT_ONCE}))
     RETURNING id`,
    [keptMs / 1000],
  );
  return { more: rows.length === ROWS_AT_ONCE };
}
