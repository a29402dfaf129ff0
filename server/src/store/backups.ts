// Which backups were made of this store, where and when.
import type { Row, Tx } from './database.ts';

export interface MadeBackup {
  readonly machine: string;
  readonly path: string;
  readonly isNightly: boolean;
  readonly hasKey: boolean;
  readonly bytes: number;
  readonly rows: number;
  readonly madeAt: Date;
}

export async function noteBackup(tx: Tx, made: MadeBackup): Promise<void> {
  await tx.query(
    `INSERT INTO mxproof.backups (machine, path, is_nightly, has_key, bytes, rows, made_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [made.machine, made.path, made.isNightly, made.hasKey, made.bytes, made.rows, made.madeAt],
  );
}

/** Those that are still kept, the newest first. */
export async function keptBackups(tx: Tx): Promise<MadeBackup[]> {
  return tx.query<Row & MadeBackup>(
    `SELECT machine, path, is_nightly AS "isNightly", has_key AS "hasKey", bytes, rows, made_at AS "madeAt"
     FROM mxproof.backups WHERE removed_at IS NULL ORDER BY made_at DESC, id DESC LIMIT 1000`,
  );
}

export async function noteRemoved(tx: Tx, machine: string, path: string): Promise<void> {
  await tx.query(
    'UPDATE mxproof.backups SET removed_at = now() WHERE machine = $1 AND path = $2 AND removed_at IS NULL',
    [machine, path],
  );
}
