// The service's sessions must be its own: LISTEN, prepared statements and advisory locks last longer than a transaction.
// Promise: a pooler that shares them between clients is refused with one sentence before anything is written through it.
import { OperatorError } from '../rules/operator-error.ts';
import type { Database } from './database.ts';
import { findPooler } from './database-facts.ts';

/** Longer than it takes to open two sessions of a database that is far away. */
const LIMIT_MS = 30_000;

export async function refusePooler(db: Database): Promise<void> {
  if ((await findPooler(db, AbortSignal.timeout(LIMIT_MS))) !== 'transaction') return;
  throw new OperatorError(
    'DATABASE_URL leads to a connection pooler in transaction mode, in which LISTEN and prepared statements break: set it to session mode (pool_mode = session), or let DATABASE_URL lead to PostgreSQL itself.',
  );
}
