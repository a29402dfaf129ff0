// Claims jobs by account, then by rank within the account.
// Promise: the account that holds least is next, the oldest job among equals; single checks go before lists; with one account the
// order is its jobs' own; nothing that waits is left while the caller has room.
import { SINGLE_RANK } from '../rules/fair-rank.ts';
import type { Database } from './database.ts';
import { IS_DEAD } from './nodes.ts';

/** What an account has with the caller already, and what it may still have. Accounts not named have nothing yet. */
export interface AccountClaims {
  readonly accountId: number;
  readonly lists: number;
  readonly singles: number;
  /** Only work that ranks at least here; null: any. */
  readonly minRank: number | null;
}

interface ClaimRequest {
  readonly nodeId: string;
  readonly limit: number;
  readonly accounts: readonly AccountClaims[];
  /** Jobs bound to these stay where they are. */
  readonly notBoundTo: readonly string[];
}

export type ClaimedRow<Job> = { id: number; claims: number; data: Job };

/** Ranks before nothing: an account that may have no more. */
export const NO_RANK = 2_147_483_647;
/** Candidates for each place, since other nodes may be claiming the same at this moment. */
const CANDIDATES_PER_PLACE = 2;

export function claimJobs<Job>(
  db: Database,
  queue: string,
  { nodeId, limit, accounts, notBoundTo }: ClaimRequest,
): Promise<ClaimedRow<Job>[]> {
  return db.prepared<ClaimedRow<Job>>('claim-jobs', STATEMENT, [
    queue,
    limit,
    notBoundTo,
    accounts.map(({ accountId }) => accountId),
    accounts.map(({ lists }) => lists),
    accounts.map(({ singles }) => singles),
    accounts.map(({ minRank }) => minRank),
    nodeId,
  ]);
}

const WAITING = `mxproof.jobs WHERE queue = $1 AND NOT is_claimed`;
const CANDIDATES = `$2::int * ${CANDIDATES_PER_PLACE}`;
/** The account's best jobs that are due. */
const bestOf = (account: string, count: string) =>
  `SELECT id, rank FROM ${WAITING} AND account_id = ${account}.id AND due_at <= now() AND rank >= ${account}.min_rank
     AND (bound_to IS NULL OR bound_to <> ALL($3::text[]))
   ORDER BY rank DESC, id LIMIT ${count}`;
const isSingle = (job: string) => `${job}.rank >= ${SINGLE_RANK}`;
/** Of the same kind as the job. */
const held = (job: string) => `CASE WHEN ${isSingle(job)} THEN a.singles ELSE a.lists END`;

const STATEMENT = `
  WITH RECURSIVE account (id) AS (
    -- A loose index scan: from one account straight to the next, however many jobs the first has waiting.
    (SELECT account_id FROM ${WAITING} ORDER BY account_id LIMIT 1)
    UNION ALL
    SELECT (SELECT account_id FROM ${WAITING} AND account_id > account.id ORDER BY account_id LIMIT 1)
    FROM account WHERE account.id IS NOT NULL),
  known AS MATERIALIZED (
    SELECT id, COALESCE(lists, 0) AS lists, COALESCE(singles, 0) AS singles, COALESCE(min_rank, -${NO_RANK}) AS min_rank
    FROM account LEFT JOIN unnest($4::bigint[], $5::int[], $6::int[], $7::int[]) AS g (id, lists, singles, min_rank)
      USING (id)
    WHERE id IS NOT NULL),
  -- As many accounts as there are places: the first job of each precedes every job of the accounts left out.
  head AS MATERIALIZED (
    SELECT a.*, ${held('first')} AS held FROM known a CROSS JOIN LATERAL (${bestOf('a', '1')}) AS first
    ORDER BY ${isSingle('first')} DESC, held, first.id
    LIMIT ${CANDIDATES}),
  -- With at least one account per place, no account needs more jobs than lift it to the one that holds most.
  depth AS MATERIALIZED (
    SELECT CASE WHEN count(*) >= $2::int THEN max(held) + ${CANDIDATES_PER_PLACE} ELSE ${NO_RANK} END AS round FROM head),
  candidate AS MATERIALIZED (
    SELECT j.id, ${isSingle('j')} AS is_single,
      ${held('j')} + row_number() OVER (PARTITION BY a.id, ${isSingle('j')} ORDER BY j.rank DESC, j.id) AS round
    FROM depth CROSS JOIN head a
    CROSS JOIN LATERAL (${bestOf('a', `least(${CANDIDATES}, depth.round - a.held)`)}) AS j
    ORDER BY is_single DESC, round, id LIMIT ${CANDIDATES}),
  next AS (
    SELECT j.id FROM candidate c JOIN mxproof.jobs j ON j.id = c.id AND NOT j.is_claimed
    ORDER BY c.is_single DESC, c.round, c.id
    LIMIT $2::int FOR UPDATE OF j SKIP LOCKED)
  UPDATE mxproof.jobs j SET is_claimed = true, claims = claims + 1, renewed_at = clock_timestamp(), node_id = $8,
    -- Never claimed, and yet a node's: a single check that its own node began.
    deaths = deaths + (claims = 0 AND ${IS_DEAD('j.node_id')})::int
  FROM next WHERE j.id = next.id
  RETURNING j.id, j.claims, j.data`;
