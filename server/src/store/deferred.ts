// What the addresses wait for that left their chunk's own job: a row beside each waiting job, so that a list can say so
// without reading the jobs.
// Promise: written in the transaction that enqueues the job, removed when a node claims it: from then on that node
// reports the addresses (store/node-waiting.ts), and none is counted twice. A node that dies leaves no row behind that
// must be mended: what it held is in no row and in no report, hence queued, until another node claims it.
import type { ChunkJob } from '../rules/chunk-owners.ts';
import type { DeferredGroup } from '../rules/group-deferred.ts';
import { groupOfDeferred, mergeGroups } from '../rules/list-waiting.ts';
import type { Tx } from './database.ts';

/** The caller holds the list's lock. */
export async function insertDeferred(
  tx: Tx,
  jobs: readonly { readonly job: ChunkJob; readonly group: DeferredGroup }[],
): Promise<void> {
  if (jobs.length === 0) return;
  await tx.prepared(
    'insert-deferred',
    `INSERT INTO mxproof.deferred (list_id, n, owner, not_before, groups)
     SELECT d.list_id, d.n, d.owner, now() + make_interval(secs => d.after), d.groups
     FROM unnest($1::bigint[], $2::int[], $3::int[], $4::float8[], $5::jsonb[]) AS d (list_id, n, owner, after, groups)
     ON CONFLICT (list_id, n, owner) DO UPDATE SET not_before = excluded.not_before, groups = excluded.groups`,
    [
      jobs.map(({ job }) => job.listId),
      jobs.map(({ job }) => job.n),
      jobs.map(({ job }) => job.owner),
      jobs.map(({ group }) => group.afterMs / 1000),
      jobs.map(({ group }) => JSON.stringify(groupsOf(group))),
    ],
  );
}

/** When the next attempt is, the row says once for all. */
function groupsOf({ positions, afterMs }: DeferredGroup): object[] {
  const groups = positions.map(({ resume }) => groupOfDeferred(resume, afterMs > 0 ? 0 : null));
  return mergeGroups(groups).map(({ nextAttemptAt: _, ...rest }) => rest);
}

/** A node has claimed these jobs. Waits for nothing: a row that is locked is being removed with its list. */
export async function removeDeferred(tx: Tx, jobs: readonly ChunkJob[]): Promise<void> {
  const left = jobs.filter(({ owner }) => owner !== undefined);
  if (left.length === 0) return;
  await tx.prepared(
    'remove-deferred',
    `WITH claimed AS (
       SELECT d.list_id, d.n, d.owner
       FROM mxproof.deferred d JOIN unnest($1::bigint[], $2::int[], $3::int[]) AS c (list_id, n, owner)
         ON d.list_id = c.list_id AND d.n = c.n AND d.owner = c.owner
       FOR UPDATE OF d SKIP LOCKED)
     DELETE FROM mxproof.deferred d USING claimed c
     WHERE d.list_id = c.list_id AND d.n = c.n AND d.owner = c.owner`,
    [left.map(({ listId }) => listId), left.map(({ n }) => n), left.map(({ owner }) => owner)],
  );
}

/** Where a list ended at a node of a version that did not know these rows. */
export async function sweepDeferred(tx: Tx): Promise<void> {
  await tx.query(
    'DELETE FROM mxproof.deferred d USING mxproof.lists l WHERE l.id = d.list_id AND l.finished_at IS NOT NULL',
  );
}
