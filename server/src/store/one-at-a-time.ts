// Lets nodes that start together do something one after the other.
import type { Database } from './database.ts';

/** Any constant. */
const JOB_ENGINE_LOCK = 0x6d78_6a6f;

/** The job engine makes its tables at its start, and stumbles when two do that at once. */
export function whileAloneWithJobs<T>(db: Database, work: () => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [JOB_ENGINE_LOCK]);
    return work();
  });
}
