// Evidence: why each verdict was given, compressed, in a table of its own with its own retention.
import type { Tx } from './database.ts';

export async function insertEvidence(
  tx: Tx,
  piece: { listId: number; n: number; data: Buffer },
): Promise<void> {
  await tx.prepared(
    'insert-evidence',
    'INSERT INTO mxproof.evidence (list_id, n, data) VALUES ($1, $2, $3)',
    [piece.listId, piece.n, piece.data],
  );
}

export async function sweepEvidence(tx: Tx, keptDays: number): Promise<void> {
  await tx.query('DELETE FROM mxproof.evidence WHERE created_at < now() - make_interval(days => $1)', [
    keptDays,
  ]);
}
