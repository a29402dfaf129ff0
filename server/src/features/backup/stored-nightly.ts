// Which machines are to write a backup every night, and how that goes: known to every node, also once that machine is gone.

import type { Row, Tx } from '../../store/database.ts';
import { type BackupState, CLOCK_SLACK_HOURS } from './backup-schedule.ts';

/** Shorter than this its nodes have been away for an update, a repair or a night; longer, nothing could be expected of them. */
const GAP_DAYS = 1;
/** A node says it every minute. */
const UNSEEN_MINUTES = 5;
/** A machine that is gone may have taken the backups along: for as long the operator is told. */
const FORGOTTEN_AFTER_DAYS = 7;
const MAX_FAILURE_CHARACTERS = 300;

/** Said by each node with MXPROOF_BACKUP_DIR, again and again. */
export async function sayNightly(tx: Tx, machine: string, folder: string): Promise<void> {
  await tx.query(
    `INSERT INTO mxproof.nightly_backups AS n (machine, folder) VALUES ($1, $2)
     ON CONFLICT (machine) DO UPDATE SET folder = excluded.folder, seen_at = now(),
       -- One of the future is from before the clock was set back.
       since = CASE WHEN n.since > now() OR n.seen_at < now() - make_interval(days => ${GAP_DAYS})
         THEN now() ELSE n.since END`,
    [machine, folder],
  );
}

/** Null: the latest write went well. */
export async function noteNightly(tx: Tx, machine: string, failure: string | null): Promise<void> {
  await tx.query(
    `UPDATE mxproof.nightly_backups SET failure = $2, failed_at = CASE WHEN $2::text IS NULL THEN NULL ELSE now() END
     WHERE machine = $1`,
    [machine, failure?.slice(0, MAX_FAILURE_CHARACTERS) ?? null],
  );
}

/** By a node without MXPROOF_BACKUP_DIR: unless another process says otherwise. Null: of all machines. */
export async function forgetNightly(tx: Tx, machine: string | null): Promise<void> {
  await tx.query(
    `DELETE FROM mxproof.nightly_backups WHERE ($1::text IS NULL OR machine = $1)
       AND abs(extract(epoch FROM now() - seen_at)) > ${UNSEEN_MINUTES * 60}`,
    [machine],
  );
}

export async function sweepNightly(tx: Tx): Promise<void> {
  await tx.query(
    `DELETE FROM mxproof.nightly_backups WHERE seen_at < now() - make_interval(days => ${FORGOTTEN_AFTER_DAYS})`,
  );
}

/** By the database's clock, which is the same for all nodes. */
export async function readBackupState(tx: Tx): Promise<BackupState & { readonly nowMs: number }> {
  const ms = (moment: string) => `floor(extract(epoch FROM ${moment}) * 1000)::bigint`;
  const [row] = await tx.query<Row & BackupState & { nowMs: number }>(
    `WITH newest AS (
       SELECT max(made_at) AS at FROM mxproof.backups b
       WHERE removed_at IS NULL AND made_at <= now() + make_interval(hours => ${CLOCK_SLACK_HOURS})
         AND (is_nightly OR EXISTS (SELECT FROM mxproof.nightly_backups n
           WHERE n.machine = b.machine AND n.folder = regexp_replace(b.path, '/[^/]*$', ''))))
     SELECT ${ms('now()')} AS "nowMs", ${ms('newest.at')} AS "newestMs",
       (SELECT ${ms('min(since)')} FROM mxproof.nightly_backups) AS "nightlySinceMs",
       (SELECT failure FROM mxproof.nightly_backups n
        WHERE n.failed_at > coalesce(newest.at, '-infinity') ORDER BY n.failed_at DESC LIMIT 1) AS failure
     FROM newest`,
  );
  return row!;
}
