// The months of the audit trail, each a table of its own, which is made ahead and dropped whole.
// Promise: nothing but a month of the trail is dropped, and only once it is over for as long as the trail is kept; what writes to the
// trail waits no longer than the named limit for it.
import { type Database, isLockTimeout } from '../../store/database.ts';

/** This month and the next two: a deployment that stands still for weeks finds its month made. */
const MONTHS_AHEAD = 2;
/** Dropping a month locks the trail: behind a wait for a reader, what writes to it would wait as well. The next sweep tries again. */
const LOCK_WAIT_MS = 1_000;

/** `now`: for tests; null: the database's time. */
export async function makeAuditMonths(db: Database, now: Date | null = null): Promise<void> {
  await db.query(
    `SELECT mxproof.make_audit_month(coalesce($1::timestamptz, now()) + months * interval '1 month')
     FROM generate_series(0, ${MONTHS_AHEAD}) AS months`,
    [now],
  );
}

export async function dropAuditMonths(
  db: Database,
  monthsKept: number,
  now: Date | null = null,
): Promise<void> {
  const over = await db.query<{ name: string }>(
    // By its name and by what it is a part of; until when, as its bounds say.
    `SELECT name FROM (
       SELECT c.relname::text AS name, (regexp_match(pg_get_expr(c.relpartbound, c.oid), $$TO \\('([^']+)'\\)$$))[1] AS ends
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'mxproof.audit'::regclass AND c.relnamespace = 'mxproof'::regnamespace AND c.relname ~ '^audit_\\d{4}_\\d\\d$') AS months
     -- In UTC: taken away from a date of another time zone, a month could end days early.
     WHERE ends::timestamptz AT TIME ZONE 'UTC' <= coalesce($2::timestamptz, now()) AT TIME ZONE 'UTC' - make_interval(months => $1)
     ORDER BY name`,
    [monthsKept, now],
  );
  for (const { name } of over)
    try {
      await db.transaction(async (tx) => {
        await tx.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
        await tx.query(`DROP TABLE mxproof."${name}"`);
      });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      return;
    }
}
