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

/** The newest nightly one of this folder that is kept, if MXPROOF_BACKUP_HOOK has not ended well for it; null: it has. */
export async function unhookedBackup(tx: Tx, machine: string, folder: string): Promise<string | null> {
  const [newest] = await tx.query<{ path: string; hooked: boolean }>(
    `SELECT path, hooked_at IS NOT NULL AS hooked FROM mxproof.backups
     WHERE machine = $1 AND regexp_replace(path, '/[^/]*$', '') = $2 AND is_nightly AND removed_at IS NULL
     ORDER BY made_at DESC, id DESC LIMIT 1`,
    [machine, folder],
  );
  return newest === undefined || newest.hooked ? null : newest.path;
}

export async function noteHooked(tx: Tx, machine: string, path: string): Promise<void> {
  await tx.query(
    'UPDATE mxproof.backups SET hooked_at = now() WHERE machine = $1 AND path = $2 AND removed_at IS NULL',
    [machine, path],
  );
}

export async function noteRemoved(tx: Tx, machine: string, path: string): Promise<void> {
  await tx.query(
    'UPDATE mxproof.backups SET removed_at = now() WHERE machine = $1 AND path = $2 AND removed_at IS NULL',
    [machine, path],
  );
}
