// What alerts are read from, beside what nodes say of their network (features/sources/stored-obstacles.ts).
// Promise: each statement reads little, whatever the tables hold; nothing of it names an account, a list, a domain or an address.
import type { Tx } from '../../store/database.ts';

const SLOT_SECONDS = 300;
const SLOTS_PER_HOUR = 12;
const TALLIES_KEPT_SLOTS = 10 * SLOTS_PER_HOUR;
/** A machine that is not there any more may have ended for want of room: it is believed for as long. */
const DISK_BELIEVED_HOURS = 24;
/** The doctor runs once a day. */
const DOCTOR_BELIEVED_HOURS = 72;
const MAX_SUBJECTS = 100;

const SLOT_NOW = `floor(extract(epoch FROM now()) / ${SLOT_SECONDS})::bigint`;

/** Sources that rest because they were refused; those that an operator rests are no news to them. */
export function restingSources(tx: Tx): Promise<{ source: string; providers: string[] }[]> {
  return tx.query(
    `SELECT source, array_agg(provider ORDER BY provider) AS providers FROM mxproof.source_states
     WHERE resting_since IS NOT NULL AND (resting_until IS NULL OR resting_until > now())
       AND rested_by IS DISTINCT FROM 'operator'
     GROUP BY 1 ORDER BY 1 LIMIT ${MAX_SUBJECTS}`,
  );
}

export async function addVerdicts(tx: Tx, counts: { checked: number; unknown: number }): Promise<void> {
  await tx.query(
    `INSERT INTO mxproof.verdict_tallies AS t (slot, checked, unknown) VALUES (${SLOT_NOW}, $1, $2)
     ON CONFLICT (slot) DO UPDATE SET checked = t.checked + excluded.checked, unknown = t.unknown + excluded.unknown`,
    [counts.checked, counts.unknown],
  );
}

export async function verdictsOfLastHour(tx: Tx): Promise<{ checked: number; unknown: number }> {
  const [row] = await tx.query<{ checked: number; unknown: number }>(
    `SELECT coalesce(sum(checked), 0)::bigint AS checked, coalesce(sum(unknown), 0)::bigint AS unknown
     FROM mxproof.verdict_tallies WHERE slot > ${SLOT_NOW} - ${SLOTS_PER_HOUR} AND slot <= ${SLOT_NOW}`,
  );
  return row!;
}

/** Null: nothing waits that could be done. */
export async function oldestJobSeconds(tx: Tx): Promise<number | null> {
  const [row] = await tx.query<{ seconds: number | null }>(
    // What need not wait has no time of its own: it is as old as its list without its pauses, or as the end of it.
    `SELECT extract(epoch FROM now() - min(CASE WHEN due_at > '-infinity' THEN due_at
              ELSE coalesce(l.finished_at, l.created_at + l.paused_for) END))::float8 AS seconds
     FROM mxproof.jobs j JOIN mxproof.lists l ON l.id = j.list_id
     WHERE NOT is_claimed AND due_at <= now()`,
  );
  return row?.seconds ?? null;
}

/** Of lists that ended in the last hour, without test lists. */
export async function recentCallbacks(tx: Tx): Promise<{ failed: number; delivered: number }> {
  const [row] = await tx.query<{ failed: number; delivered: number }>(
    `SELECT count(*) FILTER (WHERE state = 'failed') AS failed, count(*) FILTER (WHERE state = 'delivered') AS delivered
     FROM mxproof.callbacks WHERE created_at > now() - interval '1 hour'
       AND account_id IN (SELECT id FROM mxproof.accounts WHERE test_of IS NULL)`,
  );
  return row!;
}

/** Where an embedded PostgreSQL has its files. */
export async function storeFolder(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ folder: string }>(`SELECT current_setting('data_directory') AS folder`);
  return row!.folder;
}

export async function writeDisk(tx: Tx, machine: string, freeBytes: number): Promise<void> {
  await tx.query(
    `INSERT INTO mxproof.machine_disks (machine, free_bytes) VALUES ($1, $2)
     ON CONFLICT (machine) DO UPDATE SET free_bytes = excluded.free_bytes, measured_at = now()`,
    [machine, freeBytes],
  );
}

export function disksBelow(tx: Tx, bytes: number): Promise<{ machine: string; freeBytes: number }[]> {
  return tx.query(
    `SELECT machine, free_bytes AS "freeBytes" FROM mxproof.machine_disks
     WHERE free_bytes < $1 AND measured_at > now() - make_interval(hours => ${DISK_BELIEVED_HOURS})
     ORDER BY 1 LIMIT ${MAX_SUBJECTS}`,
    [bytes],
  );
}

/** Machines on which checks of the doctor failed, with the ids of those. */
export function failedDoctors(tx: Tx): Promise<{ machine: string; ids: string[] }[]> {
  return tx.query(
    `SELECT machine, array(SELECT DISTINCT one->>'id' FROM jsonb_array_elements(checks) AS one
       WHERE one->>'status' = 'failure' ORDER BY 1 LIMIT 20) AS ids
     FROM mxproof.doctor_reports
     WHERE NOT is_ok AND ran_at > now() - make_interval(hours => ${DOCTOR_BELIEVED_HOURS})
     ORDER BY 1 LIMIT ${MAX_SUBJECTS}`,
  );
}

export async function sweepReadings(tx: Tx): Promise<void> {
  await tx.query(`DELETE FROM mxproof.verdict_tallies WHERE slot < ${SLOT_NOW} - ${TALLIES_KEPT_SLOTS}`);
  await tx.query(
    `DELETE FROM mxproof.machine_disks WHERE measured_at < now() - make_interval(hours => ${DISK_BELIEVED_HOURS})`,
  );
}
