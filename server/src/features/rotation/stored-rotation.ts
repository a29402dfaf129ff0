// What a rotation of the secret key reads and writes.
import type { Tx } from '../../store/database.ts';
import type { SealedColumn } from './sealed-columns.ts';

export interface SealedRow {
  readonly id: number;
  readonly sealed: Buffer;
}

/** Those after `after`, in their order. `lock`: no other process changes them until the transaction ends. */
export async function sealedRows(
  tx: Tx,
  { table, column, id }: SealedColumn,
  { after, limit, lock }: { readonly after: number; readonly limit: number; readonly lock: boolean },
): Promise<SealedRow[]> {
  return tx.query<{ id: number; sealed: Buffer }>(
    `SELECT ${id} AS id, ${column} AS sealed FROM mxproof.${table}
     WHERE ${id} > $1 AND length(${column}) > 0 ORDER BY ${id} LIMIT $2 ${lock ? 'FOR NO KEY UPDATE' : ''}`,
    [after, limit],
  );
}

export async function replaceSealed(
  tx: Tx,
  { table, column, id }: SealedColumn,
  rows: readonly SealedRow[],
): Promise<void> {
  await tx.query(
    `UPDATE mxproof.${table} SET ${column} = fresh.sealed
     FROM unnest($1::bigint[], $2::bytea[]) AS fresh (row_id, sealed) WHERE ${id} = fresh.row_id`,
    [rows.map((row) => row.id), rows.map((row) => row.sealed)],
  );
}

/** From now on the new key seals. Waits for what seals with the one before. False: another one is in use, or a rotation goes on. */
export async function beginRotation(tx: Tx, from: Buffer, to: Buffer): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE mxproof.secret_key SET fingerprint = $2, previous = fingerprint
     WHERE fingerprint = $1 AND previous IS NULL RETURNING 1`,
    [from, to],
  );
  return rows.length === 1;
}

export async function endRotation(tx: Tx, to: Buffer): Promise<void> {
  await tx.query('UPDATE mxproof.secret_key SET previous = NULL WHERE fingerprint = $1', [to]);
}
