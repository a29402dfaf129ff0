// What the database has of the deployment as a whole, for its operator. Promise: each statement reads a bounded number of rows, or an
// index's part for the hours asked for.
import { type Counts, readResults } from '../../rules/chunk-results.ts';
import type { Tx } from '../../store/database.ts';

const STATEMENT_LIMIT_MS = 10_000;
/** The newest, of which the chunks are looked at. */
const NEWEST_LISTS = 1_000;
const NEWEST_CHUNKS = 400;
/** Parsed in one go: a few milliseconds. */
const CHUNKS_AT_ONCE = 20;

/** Deleted accounts are not among them. */
const LIVE_ACCOUNTS = 'mxproof.accounts a WHERE a.test_of IS NULL AND a.deleted_at IS NULL';

/** At the beginning of a transaction. */
export async function readOnly(tx: Tx): Promise<void> {
  await tx.query(`SET LOCAL statement_timeout = ${STATEMENT_LIMIT_MS}`);
  await tx.query('SET TRANSACTION READ ONLY');
}

export interface Lately extends Counts {
  readonly ended: number;
  readonly accounts: number;
  readonly suspended: number;
  /** Accounts with a list or single check that ended lately. */
  readonly active: number;
}

/** Of live mode. By the ends of lists, account by account, so that each is a part of an index. */
export async function readLately(tx: Tx, hours: number): Promise<Lately> {
  const [row] = await tx.query<Lately & Record<string, number>>(
    `SELECT coalesce(sum(e.ended), 0)::bigint AS ended, coalesce(sum(e.deliverable), 0)::bigint AS deliverable,
       coalesce(sum(e.risky), 0)::bigint AS risky, coalesce(sum(e.undeliverable), 0)::bigint AS undeliverable,
       coalesce(sum(e.unknown), 0)::bigint AS unknown, count(*) AS accounts,
       count(*) FILTER (WHERE live.suspended_at IS NOT NULL) AS suspended, count(*) FILTER (WHERE e.ended > 0) AS active
     FROM (SELECT a.id, a.suspended_at FROM ${LIVE_ACCOUNTS}) AS live CROSS JOIN LATERAL (
       SELECT count(*) AS ended, sum(l.deliverable) AS deliverable, sum(l.risky) AS risky,
         sum(l.undeliverable) AS undeliverable, sum(l.unknown) AS unknown
       FROM mxproof.lists l WHERE coalesce(l.account_id, l.deleted_of) = live.id AND l.finished_at IS NOT NULL
         AND l.finished_at > now() - make_interval(hours => $1)) AS e`,
    [hours],
  );
  return row!;
}

export interface ProviderShare {
  readonly provider: string;
  readonly checked: number;
  readonly unknown: number;
}

/** In steps, with `pause` between them. The largest first. */
export async function readProviderShares(
  tx: Tx,
  hours: number,
  pause: () => Promise<unknown>,
): Promise<ProviderShare[]> {
  const chunks = await tx.query<{ results: string; size: number }>(
    `SELECT c.results, c.size FROM (
       SELECT l.id, l.finished_at FROM mxproof.lists l JOIN mxproof.accounts a ON a.id = l.account_id AND a.test_of IS NULL
       ORDER BY l.id DESC LIMIT ${NEWEST_LISTS}) AS newest
     JOIN mxproof.chunks c ON c.list_id = newest.id AND c.results IS NOT NULL
     WHERE newest.finished_at IS NULL OR newest.finished_at > now() - make_interval(hours => $1)
     ORDER BY c.list_id DESC, c.n DESC LIMIT ${NEWEST_CHUNKS}`,
    [hours],
  );
  const shares = new Map<string, { checked: number; unknown: number }>();
  for (const [place, { results, size }] of chunks.entries()) {
    if (place % CHUNKS_AT_ONCE === CHUNKS_AT_ONCE - 1) await pause();
    for (const verdict of readResults(results, size)) {
      if (!verdict || verdict.provider === '') continue;
      const share = shares.get(verdict.provider) ?? { checked: 0, unknown: 0 };
      share.checked++;
      if (verdict.state === 'unknown') share.unknown++;
      shares.set(verdict.provider, share);
    }
  }
  return [...shares]
    .map(([provider, share]) => ({ provider, ...share }))
    .sort((a, b) => b.checked - a.checked || (a.provider < b.provider ? -1 : 1));
}

export interface Unfinished {
  readonly unfinished: number;
  readonly paused: number;
  readonly pending: number;
}

/** Live and test lists, single checks included. */
export async function readUnfinished(tx: Tx): Promise<Unfinished> {
  const [row] = await tx.query<Unfinished & Record<string, number>>(
    `SELECT count(*) AS unfinished, count(*) FILTER (WHERE paused_at IS NOT NULL) AS paused,
       coalesce(sum(total - checked), 0)::bigint AS pending
     FROM mxproof.lists WHERE finished_at IS NULL`,
  );
  return row!;
}

export interface CallbackCounts {
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  readonly deliveries: number;
}

export async function readCallbackCounts(tx: Tx, hours: number): Promise<CallbackCounts> {
  const [row] = await tx.query<CallbackCounts & Record<string, number>>(
    `SELECT count(*) FILTER (WHERE state = 'delivered') AS delivered, count(*) FILTER (WHERE state = 'failed') AS failed,
       (SELECT count(*) FROM mxproof.jobs WHERE queue = 'callback') AS pending,
       (SELECT count(*) FROM mxproof.webhook_deliveries WHERE state = 'pending') AS deliveries
     FROM mxproof.callbacks WHERE created_at > now() - make_interval(hours => $1)`,
    [hours],
  );
  return row!;
}

export async function countRests(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ resting: number }>(
    `SELECT count(*) AS resting FROM mxproof.source_states
     WHERE resting_since IS NOT NULL AND (resting_until IS NULL OR resting_until > now())`,
  );
  return row!.resting;
}
