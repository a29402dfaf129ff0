// What each node says of the addresses it holds, by list; and all that is known of what a list waits for.
// Promise: a node's report counts for a few seconds only, so that a dead node's report expires.
import type { Group, WaitingPart } from '../rules/list-waiting.ts';
import { KEPT_GROUPS } from '../rules/list-waiting.ts';
import type { Tx } from './database.ts';

/** Longer than a live node is silent, see worker/waiting-report.ts. */
const BELIEVED_SECONDS = 3;
const FORGOTTEN_AFTER_SECONDS = 60;

/** One statement. `isNew`: none of this node's earlier reports exists any more. */
export async function reportWaiting(
  tx: Tx,
  node: string,
  changed: ReadonlyMap<number, string>,
  gone: readonly number[],
): Promise<{ isNew: boolean }> {
  const [row] = await tx.prepared<{ isNew: boolean }>(
    'report-waiting',
    `WITH look AS (
       INSERT INTO mxproof.node_looks (node) VALUES ($1)
       ON CONFLICT (node) DO UPDATE SET looked_at = now() RETURNING xmax = 0 AS is_new),
     gone AS (DELETE FROM mxproof.node_waiting WHERE node = $1 AND list_id = ANY($2::bigint[])),
     changed AS (
       INSERT INTO mxproof.node_waiting (node, list_id, waiting)
       SELECT $1, c.list_id, c.waiting FROM unnest($3::bigint[], $4::text[]) AS c (list_id, waiting)
       ON CONFLICT (list_id, node) DO UPDATE SET waiting = excluded.waiting)
     SELECT is_new AS "isNew" FROM look`,
    [node, gone, [...changed.keys()], [...changed.values()]],
  );
  return row!;
}

export async function forgetReports(tx: Tx, node: string): Promise<void> {
  await tx.query('DELETE FROM mxproof.node_looks WHERE node = $1', [node]);
}

export async function sweepReports(tx: Tx): Promise<void> {
  await tx.query(
    `DELETE FROM mxproof.node_looks WHERE looked_at < now() - make_interval(secs => ${FORGOTTEN_AFTER_SECONDS})`,
  );
}

export interface KnownWaiting {
  readonly isFinished: boolean;
  /** Addresses without a result. */
  readonly pending: number;
  readonly isPaused: boolean;
  /** As if it had never been paused. */
  readonly createdAtSeconds: number;
  readonly parts: readonly WaitingPart[];
}

type KnownRow = {
  isFinished: boolean;
  pending: number;
  isPaused: boolean;
  created: number;
  reports: string[];
  deferred: (Group & { all: number })[] | null;
};

/** In one statement, so that its parts fit together. Null: no such list of this account. */
export async function readWaiting(tx: Tx, listId: number, accountId: number): Promise<KnownWaiting | null> {
  const [row] = await tx.prepared<KnownRow>(
    'read-waiting',
    `SELECT l.finished_at IS NOT NULL AS "isFinished", l.total - l.checked AS pending,
       l.paused_at IS NOT NULL AS "isPaused", extract(epoch FROM l.created_at + l.paused_for)::float8 AS created,
       ARRAY(
         SELECT w.waiting FROM mxproof.node_waiting w JOIN mxproof.node_looks k USING (node)
         -- Of the future: from before the clock was stepped back.
         WHERE w.list_id = l.id AND abs(extract(epoch FROM now() - k.looked_at)) < ${BELIEVED_SECONDS}) AS reports,
       (SELECT json_agg(g) FROM (
          -- What is due waits for nothing but its turn.
          SELECT CASE WHEN d.not_before <= now() THEN 'queued' ELSE x.why END AS why, x.host,
            min(x.provider) AS provider, sum(x.addresses) AS addresses, min(x.attempt) AS attempt,
            min(ceil(extract(epoch FROM d.not_before))) FILTER (WHERE d.not_before > now()) AS "nextAttemptAt",
            sum(sum(x.addresses)) OVER () AS all
          FROM mxproof.deferred d CROSS JOIN LATERAL jsonb_to_recordset(d.groups)
            AS x (why text, host text, provider text, addresses int, attempt int)
          WHERE d.list_id = l.id GROUP BY 1, 2 ORDER BY sum(x.addresses) DESC LIMIT ${KEPT_GROUPS}) AS g) AS deferred
     FROM mxproof.lists l WHERE l.id = $1 AND l.account_id = $2`,
    [listId, accountId],
  );
  if (!row) return null;
  const { isFinished, isPaused, pending, created, reports, deferred } = row;
  return {
    isFinished,
    pending,
    isPaused,
    createdAtSeconds: created,
    parts: [...reports.map((text) => JSON.parse(text) as WaitingPart), partOfDeferred(deferred ?? [])],
  };
}

function partOfDeferred(rows: readonly (Group & { all: number })[]): WaitingPart {
  const groups = rows.map(({ all: _, ...group }) => group);
  const shown = groups.reduce((sum, { addresses }) => sum + addresses, 0);
  return { checking: 0, others: (rows[0]?.all ?? 0) - shown, groups };
}
