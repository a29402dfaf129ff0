// Renews and ends the claims a node has. pg-boss's own statements take a claim that lapsed for lost, and its renewal waits
// for every transaction that has one of the rows.
// Promise: a claim belongs to its node until its job is claimed again, even where it lapsed before; a claim that was
// claimed again is left alone.
//
//   claimed ──ended──▶ (deleted)
//    │   ▲
//  lapsed: supervision sets the job to `retry` ──claimed again: `retry_count` + 1──▶ another claim
import type { Tx } from './database.ts';
import type { Claim } from './jobs.ts';

/** A claim by its id and its number of times claimed. */
const OURS = `id = ANY($1::uuid[]) AND state IN ('retry', 'active')
  AND (id::text || ':' || retry_count::text) = ANY($2::text[])`;
/** Not the transaction's begin: it may have waited for a lock for longer than a claim lasts. */
const RENEWED = `state = 'active', heartbeat_on = clock_timestamp()`;

const STATEMENTS = {
  /** Waits for transactions that have a claim; the caller's then has it. Answers the ids that are still ours. */
  hold: (job: string, queue: string) =>
    `UPDATE ${job} SET ${RENEWED} WHERE name = '${queue}' AND ${OURS} RETURNING id`,
  /**
   * Waits for nothing: a transaction that has a claim renews or ends it, or another renewal comes after it. Answers the
   * ids that were ours when the statement began, those included.
   */
  renew: (job: string, queue: string) =>
    `WITH free AS (SELECT id FROM ${job} WHERE name = '${queue}' AND ${OURS} FOR UPDATE SKIP LOCKED),
     renewed AS (UPDATE ${job} j SET ${RENEWED} FROM free WHERE j.name = '${queue}' AND j.id = free.id)
     SELECT id FROM ${job} WHERE name = '${queue}' AND ${OURS}`,
  /** Answers the ids that were still ours. */
  end: (job: string, queue: string) => `DELETE FROM ${job} WHERE name = '${queue}' AND ${OURS} RETURNING id`,
};

export async function onOwnClaims(
  what: keyof typeof STATEMENTS,
  tx: Tx,
  schema: string,
  queue: string,
  claims: readonly Claim[],
): Promise<Set<string>> {
  if (claims.length === 0) return new Set();
  const rows = await tx.prepared<{ id: string }>(
    `${what}-${queue}-claims`,
    STATEMENTS[what](`${schema}.job`, queue),
    [claims.map(({ id }) => id), claims.map(({ id, retryCount }) => `${id}:${retryCount}`)],
  );
  return new Set(rows.map(({ id }) => id));
}
