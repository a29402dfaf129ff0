// Claims jobs by account, then by rank within the account, where pg-boss's own fetch knows ranks alone.
// Promise: whoever holds least is next, the oldest among equals; single checks go before lists; with one account the
// order is its jobs' own; nothing that waits is left while the caller has room. A job changes exactly as in pg-boss's
// fetch (claim-jobs.test.ts holds the two against each other).
import { SINGLE_RANK } from '../rules/fair-rank.ts';
import type { Database } from './database.ts';

/** What an account has with the caller already, and what it may still have. Accounts not named have nothing yet. */
export interface AccountClaims {
  readonly accountId: number;
  readonly lists: number;
  readonly singles: number;
  /** Only work that ranks at least here; null: any. */
  readonly minRank: number | null;
}

export interface Claiming {
  readonly limit: number;
  readonly accounts: readonly AccountClaims[];
  /** Jobs of these groups stay where they are. */
  readonly notOf: readonly string[];
}

export type ClaimedRow<Job> = { id: string; retry_count: number; data: Job };

/** Ranks before nothing: an account that may have no more. */
export const NO_RANK = 2_147_483_647;
/** Candidates for each place, since other nodes may be claiming the same at this moment. */
const CANDIDATES_PER_PLACE = 2;
const INDEX = 'mxproof_job_by_account';
/** Jobs of versions that did not say are one more account. */
const ACCOUNT = `COALESCE((data->>'accountId')::bigint, 0)`;
const WAITS = `state < 'active' AND NOT blocked`;

/** An index that exists is left alone: asking for it again would lock the table against those who enqueue. */
export async function indexByAccount(db: Database, schema: string): Promise<void> {
  const [row] = await db.query<{ missing: boolean }>('SELECT to_regclass($1) IS NULL AS missing', [
    `${schema}.${INDEX}`,
  ]);
  if (!row!.missing) return;
  await db.query(
    `CREATE INDEX IF NOT EXISTS ${INDEX} ON ${schema}.job
       (name, (${ACCOUNT}), priority DESC, created_on, start_after) WHERE ${WAITS}`,
  );
}

export function claimJobs<Job>(
  db: Database,
  schema: string,
  queue: string,
  { limit, accounts, notOf }: Claiming,
): Promise<ClaimedRow<Job>[]> {
  return db.prepared<ClaimedRow<Job>>(`claim-${queue}`, statement(schema, queue), [
    limit,
    notOf,
    accounts.map(({ accountId }) => accountId),
    accounts.map(({ lists }) => lists),
    accounts.map(({ singles }) => singles),
    accounts.map(({ minRank }) => minRank),
  ]);
}

function statement(schema: string, queue: string): string {
  const waiting = `name = '${queue}' AND ${WAITS}`;
  /** The account's best jobs that are due. */
  const best = (account: string, minRank: string, columns: string, count: string) =>
    `SELECT ${columns} FROM ${schema}.job
     WHERE ${waiting} AND ${ACCOUNT} = ${account} AND start_after <= ${schema}.job_now()
       AND priority >= ${minRank} AND (group_id IS NULL OR group_id <> ALL($2::text[]))
     ORDER BY priority DESC, created_on LIMIT ${count}`;
  const candidates = `$1::int * ${CANDIDATES_PER_PLACE}`;
  const isSingle = (priority: string) => `${priority} >= ${SINGLE_RANK}`;
  const held = (priority: string) => `CASE WHEN ${isSingle(priority)} THEN k.singles ELSE k.lists END`;
  return `
    WITH RECURSIVE account (id) AS (
      -- From one account's entries straight to the next one's, whatever the first has waiting.
      (SELECT ${ACCOUNT} FROM ${schema}.job WHERE ${waiting} ORDER BY ${ACCOUNT} LIMIT 1)
      UNION ALL
      SELECT (SELECT ${ACCOUNT} FROM ${schema}.job WHERE ${waiting} AND ${ACCOUNT} > account.id
              ORDER BY ${ACCOUNT} LIMIT 1)
      FROM account WHERE account.id IS NOT NULL),
    known AS MATERIALIZED (
      SELECT account.id, COALESCE(g.lists, 0) AS lists, COALESCE(g.singles, 0) AS singles,
        COALESCE(g.min_rank, -${NO_RANK}) AS min_rank
      FROM account LEFT JOIN unnest($3::bigint[], $4::int[], $5::int[], $6::int[]) AS g (id, lists, singles, min_rank)
        USING (id)
      WHERE account.id IS NOT NULL),
    -- As many accounts as there are places: each one's first goes before everything of those left out.
    head AS MATERIALIZED (
      SELECT k.*, ${held('first.priority')} AS held FROM known k CROSS JOIN LATERAL (${best('k.id', 'k.min_rank', 'priority, created_on', '1')}) AS first
      ORDER BY ${isSingle('first.priority')} DESC, held, first.created_on
      LIMIT ${candidates}),
    -- Where every place has an account of its own, nobody's turn comes again before the one who holds most has had one.
    depth AS MATERIALIZED (
      SELECT CASE WHEN count(*) >= $1::int THEN max(held) + ${CANDIDATES_PER_PLACE} ELSE ${NO_RANK} END AS turn FROM head),
    candidate AS MATERIALIZED (
      SELECT j.id, j.priority, j.created_on, ${held('j.priority')}
        + row_number() OVER (PARTITION BY k.id, ${isSingle('j.priority')} ORDER BY j.priority DESC, j.created_on) AS turn
      FROM depth CROSS JOIN head k
      CROSS JOIN LATERAL (${best('k.id', 'k.min_rank', 'id, priority, created_on', `least(${candidates}, depth.turn - k.held)`)}) AS j),
    turn AS MATERIALIZED (
      SELECT * FROM candidate c ORDER BY ${isSingle('c.priority')} DESC, c.turn, c.created_on LIMIT ${candidates}),
    next AS (
      SELECT j.id FROM turn c JOIN ${schema}.job j ON j.name = '${queue}' AND j.id = c.id AND j.state < 'active'
      ORDER BY ${isSingle('c.priority')} DESC, c.turn, c.created_on
      LIMIT $1::int FOR UPDATE OF j SKIP LOCKED)
    UPDATE ${schema}.job j SET
      state = 'active', started_on = ${schema}.job_now(), heartbeat_on = ${schema}.job_now(),
      retry_count = CASE WHEN started_on IS NOT NULL THEN retry_count + 1 ELSE retry_count END
    FROM next WHERE j.name = '${queue}' AND j.id = next.id
    RETURNING j.id, j.retry_count, j.data`;
}
