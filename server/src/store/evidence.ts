// Evidence: why each verdict was given, compressed, in a table of its own with its own retention (retention.ts).
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
