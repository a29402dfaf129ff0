// How many connections to a database wait for a lock.
import type { Tx } from '../src/store/database.ts';

export async function lockWaits(db: Tx): Promise<number> {
  const [row] = await db.query<{ waiting: number }>(
    `SELECT count(*) AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row!.waiting;
}
