// Retention: how long accounts keep results, evidence and callbacks, and the steps in which what is older goes.
// Promise: a step takes a bounded number of lists and addresses of one account, in the order in which the lists ended, and
// its mark moves in the same statement, so that no list is looked at twice and none is left out. Lock order: lists, then
// their rows. Money and summaries are not touched.
import { type Retention, type RetentionKind, retentionWith } from '../rules/retention.ts';
import { type Database, isLockTimeout, type Tx } from './database.ts';

const DAY_SECONDS = 86_400;
/** Longer than the transaction that ends a list: the mark must not pass a list whose end is not committed yet. */
const ENDED_BEFORE_SECONDS = 600;
/** Of a step. One list alone may have more addresses. */
const LISTS_AT_ONCE = 500;
const ADDRESSES_AT_ONCE = 50_000;
const DUE_AT_ONCE = 1_000;
/** Behind a step that waits for a lock, what needs those it has would wait as well. */
const LOCK_WAIT_MS = 1_000;

type DaysRow = Record<`${RetentionKind}_days`, number | null>;

/** What an account has set itself; of a test twin, what its live account has. Null: no such account. */
export async function ownRetention(tx: Tx, accountId: number): Promise<Retention | null> {
  const [row] = await tx.prepared<DaysRow>(
    'own-retention',
    `SELECT o.results_days, o.evidence_days, o.callbacks_days, o.single_checks_days
     FROM mxproof.accounts a JOIN mxproof.accounts o ON o.id = coalesce(a.test_of, a.id) WHERE a.id = $1`,
    [accountId],
  );
  return row
    ? {
        results: row.results_days,
        evidence: row.evidence_days,
        callbacks: row.callbacks_days,
        single_checks: row.single_checks_days,
      }
    : null;
}

export async function retentionOf(tx: Tx, accountId: number, deployment: Retention): Promise<Retention> {
  const own = await ownRetention(tx, accountId);
  if (!own) throw new Error('retention of no account');
  return retentionWith(deployment, own);
}

/** Null: as the deployment says. */
export async function setRetention(tx: Tx, accountId: number, own: Retention): Promise<void> {
  await tx.query(
    `UPDATE mxproof.accounts SET results_days = $2, evidence_days = $3, callbacks_days = $4, single_checks_days = $5
     WHERE id = $1`,
    [accountId, own.results, own.evidence, own.callbacks, own.single_checks],
  );
}

/** False also where there is no such list. */
export async function haveResultsExpired(tx: Tx, listId: number): Promise<boolean> {
  const rows = await tx.query('SELECT FROM mxproof.lists WHERE id = $1 AND results_expired_at IS NOT NULL', [
    listId,
  ]);
  return rows.length === 1;
}

/** Something of an account that is older than it is kept. */
export interface DueRetention {
  readonly accountId: number;
  readonly kind: RetentionKind;
  readonly keptSeconds: number;
}

const OWNER = 'coalesce(l.account_id, l.deleted_of)';
const PAST_MARK = `l.finished_at IS NOT NULL
  AND (l.finished_at, l.id) > (coalesce(m.finished_at, '-infinity'), coalesce(m.list_id, 0))`;

/** In no order, so that what cannot go on, as a callback that is still to be sent, keeps nothing else from its turn. */
export async function dueRetentions(tx: Tx, deployment: Retention): Promise<DueRetention[]> {
  return tx.query<{ accountId: number; kind: RetentionKind; keptSeconds: number }>(
    `SELECT a.id AS "accountId", k.kind, k.seconds AS "keptSeconds"
     FROM mxproof.accounts a JOIN mxproof.accounts o ON o.id = coalesce(a.test_of, a.id)
     CROSS JOIN LATERAL (
       SELECT kind, greatest(days * ${DAY_SECONDS}, ${ENDED_BEFORE_SECONDS}) AS seconds FROM (VALUES
         ('results', coalesce(o.results_days, $1::float8)),
         ('evidence', CASE WHEN $2::float8 = 0 THEN 0 ELSE coalesce(o.evidence_days, $2) END),
         ('callbacks', coalesce(o.callbacks_days, $3::float8)),
         ('single_checks', coalesce(o.single_checks_days, $4::float8))) AS given (kind, days)
       WHERE days IS NOT NULL) AS k
     LEFT JOIN mxproof.retention_marks m ON m.account_id = a.id AND m.kind = k.kind
     WHERE EXISTS (
       SELECT FROM mxproof.lists l WHERE ${OWNER} = a.id AND ${PAST_MARK}
         AND l.finished_at < now() - make_interval(secs => k.seconds))
     ORDER BY random() LIMIT ${DUE_AT_ONCE}`,
    [deployment.results, deployment.evidence, deployment.callbacks, deployment.single_checks],
  );
}

/** What a kind is in SQL: the size of what a list has of it (null: nothing), where to stop, and what is removed of a step. */
interface Removal {
  readonly size: string;
  /** Lists that the mark may not pass yet. */
  readonly stops: string;
  readonly removed: string;
}

const NOWHERE = 'SELECT 0::bigint AS list_id WHERE false';

const results = (ofSingles: boolean): Removal => ({
  size: `CASE WHEN l.single = ${ofSingles} AND l.results_expired_at IS NULL THEN l.total END`,
  stops: NOWHERE,
  removed: `locked AS MATERIALIZED (
       SELECT l.id FROM mxproof.lists l JOIN step ON step.id = l.id WHERE step.size IS NOT NULL ORDER BY l.id FOR UPDATE OF l),
     rows_gone AS (DELETE FROM mxproof.chunks c USING locked WHERE c.list_id = locked.id),
     evidence_gone AS (DELETE FROM mxproof.evidence e USING locked WHERE e.list_id = locked.id),
     learnt_gone AS (DELETE FROM mxproof.catch_alls c USING locked WHERE c.list_id = locked.id),
     index_gone AS (DELETE FROM mxproof.checked_addresses c USING locked WHERE c.list_id = locked.id),
     outcomes_left AS (UPDATE mxproof.outcomes o SET list_id = NULL FROM locked WHERE o.list_id = locked.id),
     told AS (UPDATE mxproof.lists l SET results_expired_at = now() FROM locked WHERE l.id = locked.id)`,
});

const REMOVALS: Record<RetentionKind, Removal> = {
  results: results(false),
  single_checks: results(true),
  evidence: {
    size: 'CASE WHEN l.results_expired_at IS NULL THEN l.total END',
    stops: NOWHERE,
    removed:
      'evidence_gone AS (DELETE FROM mxproof.evidence e USING step WHERE e.list_id = step.id AND step.size IS NOT NULL)',
  },
  callbacks: {
    size: 'CASE WHEN l.callback_url IS NOT NULL THEN 1 END',
    // Locked, so that none is sent again meanwhile.
    stops: `SELECT list_id FROM (
       SELECT list_id, state FROM mxproof.callbacks
       WHERE list_id IN (SELECT id FROM page WHERE size IS NOT NULL) ORDER BY list_id FOR UPDATE) AS locked
       WHERE state = 'pending'`,
    removed: 'callbacks_gone AS (DELETE FROM mxproof.callbacks c USING step WHERE c.list_id = step.id)',
  },
};

/** One step of it; returns whether there may be more. */
export async function expireStep(tx: Tx, due: DueRetention): Promise<{ more: boolean }> {
  const { size, stops, removed } = REMOVALS[due.kind];
  const rows = await tx.query(
    `WITH page AS MATERIALIZED (
       SELECT next.* FROM (VALUES (1)) AS always LEFT JOIN mxproof.retention_marks m ON m.account_id = $1 AND m.kind = $2
       -- In these words the index is entered at the mark: what is before it is not read again.
       CROSS JOIN LATERAL (
         SELECT l.id, l.finished_at, ${size} AS size FROM mxproof.lists l
         WHERE ${OWNER} = $1 AND ${PAST_MARK} AND l.finished_at < now() - make_interval(secs => $3)
         ORDER BY l.finished_at, l.id LIMIT ${LISTS_AT_ONCE}) AS next),
     stops AS MATERIALIZED (${stops}),
     step AS MATERIALIZED (
       SELECT id, finished_at, size FROM (
         SELECT *, coalesce(sum(size) OVER so_far, 0) AS sizes,
           bool_or(id IN (SELECT list_id FROM stops)) OVER so_far AS is_stopped
         FROM page WINDOW so_far AS (ORDER BY finished_at, id)) AS placed
       WHERE NOT is_stopped AND (sizes <= ${ADDRESSES_AT_ONCE} OR sizes = size)),
     ${removed}
     INSERT INTO mxproof.retention_marks (account_id, kind, finished_at, list_id)
     SELECT $1, $2, finished_at, id FROM step ORDER BY finished_at DESC, id DESC LIMIT 1
     ON CONFLICT (account_id, kind) DO UPDATE SET finished_at = excluded.finished_at, list_id = excluded.list_id
     RETURNING 1`,
    [due.accountId, due.kind, due.keptSeconds],
  );
  return { more: rows.length > 0 };
}

/** A step in a transaction of its own, which gives way if it is kept waiting: then there is no more for now. */
export async function tryExpireStep(db: Database, due: DueRetention): Promise<{ more: boolean }> {
  try {
    return await db.transaction(async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
      return expireStep(tx, due);
    });
  } catch (error) {
    if (isLockTimeout(error)) return { more: false };
    throw error;
  }
}
