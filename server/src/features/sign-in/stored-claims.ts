// Whom a claim names. Promise: deleted accounts and test sides are not found.
import type { Tx } from '../../store/database.ts';

export async function findAccountByExternalId(tx: Tx, externalId: string): Promise<number | null> {
  const [row] = await tx.query<{ id: number }>(
    'SELECT id FROM mxproof.accounts WHERE external_id = $1 AND test_of IS NULL AND deleted_at IS NULL',
    [externalId],
  );
  return row?.id ?? null;
}
