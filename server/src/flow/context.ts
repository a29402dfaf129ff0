// What every flow is handed: the database, the job engine, the secrets' box.
import type { Database } from '../store/database.ts';
import type { Jobs } from '../store/jobs.ts';

export interface Context {
  readonly db: Database;
  readonly jobs: Jobs;
}
