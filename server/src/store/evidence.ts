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

const ROWS_AT_ONCE = 2_000;

/** One bite of what is too old; answers how much it was, so that no sweep holds the table for long. */
export async function sweepEvidence(tx: Tx, keptMs: number): Promise<{ more: boolean }> {
  const rows = await tx.query(
    `DELETE FROM mxproof.evidence WHERE id = ANY(ARRAY(
       SELECT id FROM mxproof.evidence WHERE created_at < now() - make_interval(secs => $1) LIMIT ${ROWS_AT_ONCE}))
     RETURNING id`,
    [keptMs / 1000],
  );
  return { more: rows.length === ROWS_AT_ONCE };
}
