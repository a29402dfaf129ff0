// Jobs of paused lists: in a table that nothing claims from, whatever the version of a node (ADR 0085).
// Promise: a job is in one of the two tables, and moves under its list's lock. What was left of its wait when it was parked is
// left of it when it goes back; its id, and with it its place among the account's jobs, is as before.
import type { Tx } from './database.ts';
import { QUEUE } from './jobs.ts';

const COLUMNS = [
  'id',
  'queue',
  'account_id',
  'list_id',
  'rank',
  'bound_to',
  'data',
  'claims',
  'node_id',
  'deaths',
];
const KEPT = COLUMNS.join(', ');
const KEPT_OF_J = COLUMNS.map((column) => `j.${column}`).join(', ');

/** Those of the list that no node has. The caller holds the list's lock, and has found it paused. */
export async function parkJobs(tx: Tx, listId: number): Promise<void> {
  await tx.prepared(
    'park-jobs',
    `WITH waiting AS (
       DELETE FROM mxproof.jobs WHERE list_id = $1 AND queue <> '${QUEUE.callback}' AND NOT is_claimed
       RETURNING ${KEPT}, due_at)
     INSERT INTO mxproof.parked_jobs (${KEPT}, due_at) SELECT ${KEPT}, due_at FROM waiting`,
    [listId],
  );
}

/** Also tells when the addresses of those that wait are asked about again. The caller holds the list's lock. */
export async function unparkJobs(tx: Tx, listId: number): Promise<void> {
  await tx.prepared(
    'unpark-jobs',
    `WITH parked AS (
       DELETE FROM mxproof.parked_jobs WHERE list_id = $1 RETURNING ${KEPT}, due_at, parked_at),
     back AS (
       INSERT INTO mxproof.jobs (${KEPT}, due_at) OVERRIDING SYSTEM VALUE
       SELECT ${KEPT}, due_at + greatest(now() - parked_at, '0') FROM parked RETURNING list_id, due_at, data)
     UPDATE mxproof.deferred d SET not_before = back.due_at FROM back
     WHERE d.list_id = back.list_id AND d.n = (back.data->>'n')::int AND d.owner = (back.data->>'owner')::int
       AND isfinite(back.due_at)`,
    [listId],
  );
}

/**
 * What came to be claimable of paused lists: claims of dead nodes, and what nodes write that know no pause. A list that is
 * being written, or resumed, is left for the next time.
 */
export async function parkStrays(tx: Tx): Promise<void> {
  await tx.query(
    `WITH paused AS (
       SELECT l.id FROM mxproof.lists l
       WHERE l.paused_at IS NOT NULL AND l.finished_at IS NULL
         AND EXISTS (SELECT FROM mxproof.jobs j WHERE j.list_id = l.id AND NOT j.is_claimed)
       ORDER BY l.id FOR SHARE OF l SKIP LOCKED),
     stray AS (
       SELECT j.id FROM mxproof.jobs j JOIN paused ON paused.id = j.list_id
       WHERE NOT j.is_claimed AND j.queue <> '${QUEUE.callback}' FOR UPDATE OF j SKIP LOCKED),
     gone AS (DELETE FROM mxproof.jobs j USING stray WHERE j.id = stray.id RETURNING ${KEPT_OF_J}, j.due_at)
     INSERT INTO mxproof.parked_jobs (${KEPT}, due_at) SELECT ${KEPT}, due_at FROM gone`,
  );
}

/** Where a list ended at a node that knew no pause. */
export async function sweepParkedJobs(tx: Tx): Promise<void> {
  await tx.query(
    'DELETE FROM mxproof.parked_jobs p USING mxproof.lists l WHERE l.id = p.list_id AND l.finished_at IS NOT NULL',
  );
}
