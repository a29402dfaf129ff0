// Background work: what is to be done, and which node has it. Enqueueing joins the caller's transaction: paid work exists
// if and only if the charge does. Finished jobs are deleted, so that the table does not grow with past work.
//
//   waiting ──claimed──▶ claimed ──finished──▶ (deleted)
//      ▲                    │
//      └──no heartbeat──────┘   lapsed: the claim still is its node's until another claims the job
//
// A chunk that was claimed when a node died, twice, goes on in a queue of its own: it may be what ended them (ADR 0050).
// A claim is a job's id and how often it had been claimed by then: a node that lost its claim changes nothing.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Resume } from '@mxproof/engine';
import type { ChunkJob } from '../rules/chunk-owners.ts';
import { rankOf } from '../rules/fair-rank.ts';
import type { DeferredGroup } from '../rules/group-deferred.ts';
import { type AccountClaims, type ClaimedRow, claimJobs } from './claim-jobs.ts';
import type { Database, Tx } from './database.ts';
import { IS_DEAD, LEASE_SECONDS } from './nodes.ts';
import { notify } from './notify.ts';

export const QUEUE = { chunk: 'chunk', alone: 'alone', callback: 'callback', webhook: 'webhook' } as const;
type QueueName = (typeof QUEUE)[keyof typeof QUEUE];

/** Something to post. */
export interface PostJob {
  readonly accountId: number;
  /** The receiver it goes to: a slow one delays no other. */
  readonly receiver: string;
}

export interface CallbackJob extends PostJob {
  readonly listId: number;
}

export interface WebhookJob extends PostJob {
  readonly deliveryId: number;
}

export interface Claim {
  readonly jobId: number;
  /** The job's first claim is 1. */
  readonly number: number;
}

export interface ClaimedJob<Job> {
  readonly claim: Claim;
  readonly job: Job;
}

interface LapsedJobs {
  /** Chunks that go on alone from now on. */
  readonly alone: readonly ChunkJob[];
  /** Nodes that fell silent, by id, and how many jobs they had. */
  readonly dead: ReadonlyMap<string, number>;
}

export interface Jobs {
  /** Of the node that claims with these. */
  readonly nodeId: string;
  /** A single check is begun by the node that took it; its delayed job is there should that node die. */
  enqueueLists(
    tx: Tx,
    lists: readonly { listId: number; accountId: number; chunkCount: number; single: boolean }[],
  ): Promise<void>;
  /** Positions that left their job, each group in a job of its own. */
  enqueueWaiting(tx: Tx, groups: readonly { job: ChunkJob; group: DeferredGroup }[]): Promise<void>;
  enqueueCallback(tx: Tx, job: CallbackJob, delaySeconds: number): Promise<void>;
  enqueueWebhooks(tx: Tx, jobs: readonly WebhookJob[], delaySeconds: number): Promise<void>;
  /** By account, then by rank. `accounts`: what the caller holds of each. */
  claimChunks(options: {
    limit: number;
    accounts?: readonly AccountClaims[];
    notFrom: readonly string[];
  }): Promise<ClaimedJob<ChunkJob>[]>;
  /** The same of the chunks that are to be asked about alone. */
  claimAlone(options: {
    limit: number;
    accounts: readonly AccountClaims[];
    notFrom: readonly string[];
  }): Promise<ClaimedJob<ChunkJob>[]>;
  /** Chunk jobs that wait for nothing, and those that any node has; no more than `most` of both are counted. */
  countChunks(most?: number): Promise<{ ready: number; claimed: number }>;
  claimCallbacks(options: {
    limit: number;
    accounts?: readonly AccountClaims[];
    notFor: readonly string[];
  }): Promise<ClaimedJob<CallbackJob>[]>;
  /** All for one receiver; those that are claimed are lost to who has them. */
  removeWebhooks(tx: Tx, receiver: PostJob): Promise<void>;
  claimWebhooks(options: Parameters<Jobs['claimCallbacks']>[0]): Promise<ClaimedJob<WebhookJob>[]>;
  /**
   * Heartbeat. Waits for no transaction: one that has a claim renews or ends it, or another heartbeat comes after it.
   * Returns the jobs that were still the caller's when it began.
   */
  renew(claims: readonly Claim[]): Promise<Set<number>>;
  /** Renews within the caller's transaction, which then has them to itself. Returns the jobs that still are the caller's. */
  renewIn(tx: Tx, claims: readonly Claim[]): Promise<Set<number>>;
  /** Ends the jobs. Returns those that still were the caller's. */
  finish(tx: Tx, claims: readonly Claim[]): Promise<Set<number>>;
  /** Jobs of nodes that no longer renew them can be claimed again. */
  giveBackLapsed(): Promise<LapsedJobs>;
  /** The single checks still run here: no other node needs to take over yet. */
  postponeSafetyNets(tx: Tx, listIds: readonly number[]): Promise<void>;
}

/** One may be chance, or the fault of another chunk; what goes on alone is not lost, only slower. */
const DEATHS_BEFORE_ALONE = 2;

/** Where a node has no source address of its own, its machine stands for it. */
export const MACHINE_SOURCE = `host ${hostname()}`;

export interface JobsOptions {
  /** Unset: a new one. */
  readonly nodeId?: string;
  /** After how long another node may take over a single check; 0 on a node that does not check. */
  readonly safetyNetSeconds: number;
}

interface NewJob {
  readonly queue: QueueName;
  readonly job: ChunkJob | CallbackJob | WebhookJob;
  readonly rank: number;
  readonly afterSeconds: number;
  readonly boundTo: string | null;
  /** The node that has begun it already. */
  readonly begunBy?: string | null;
}

/** The caller's claims `c` on jobs `j`, whether or not they have lapsed. */
const OWN = `unnest($1::bigint[], $2::int[]) AS c (id, number) JOIN mxproof.jobs j ON j.id = c.id AND j.claims = c.number`;
/** Not the transaction's begin: it may have waited for a lock for longer than a claim lasts. */
const RENEWED = `is_claimed = true, renewed_at = clock_timestamp()`;

export function createJobs(db: Database, options: JobsOptions): Jobs {
  const { nodeId = randomUUID(), safetyNetSeconds } = options;
  return {
    nodeId,
    async enqueueLists(tx, lists) {
      const jobs = lists.flatMap(({ listId, accountId, chunkCount, single }) =>
        Array.from({ length: chunkCount }, (_, n) => ({
          queue: QUEUE.chunk,
          job: { listId, accountId, n, ...(single && { single }) },
          rank: rankOf({ n, single }),
          afterSeconds: single ? safetyNetSeconds : 0,
          boundTo: null,
          begunBy: single && safetyNetSeconds > 0 ? nodeId : null,
        })),
      );
      await insert(tx, jobs);
      if (jobs.some(({ afterSeconds }) => afterSeconds === 0)) await notify(tx, { what: 'work' });
    },
    async enqueueWaiting(tx, groups) {
      const jobs = groups.map(({ job, group }) => ({
        queue: job.alone === undefined ? QUEUE.chunk : QUEUE.alone,
        job,
        rank: rankOf(job),
        afterSeconds: group.afterMs / 1000,
        boundTo: group.source,
      }));
      await insert(tx, jobs);
      if (jobs.some(({ afterSeconds }) => afterSeconds === 0)) await notify(tx, { what: 'work' });
    },
    async enqueueCallback(tx, job, afterSeconds) {
      await insert(tx, [{ queue: QUEUE.callback, job, rank: 0, afterSeconds, boundTo: job.receiver }]);
      if (afterSeconds === 0) await notify(tx, { what: 'callback' });
    },
    enqueueWebhooks: (tx, all, afterSeconds) =>
      insert(
        tx,
        all.map((job) => ({ queue: QUEUE.webhook, job, rank: 0, afterSeconds, boundTo: job.receiver })),
      ),
    async claimChunks({ limit, accounts = [], notFrom }) {
      const request = { nodeId, limit, accounts, notBoundTo: notFrom };
      return toClaimed(await claimJobs<ChunkJob>(db, QUEUE.chunk, request));
    },
    async claimAlone({ limit, accounts, notFrom }) {
      const request = { nodeId, limit, accounts, notBoundTo: notFrom };
      return toClaimed(await claimJobs<ChunkJob>(db, QUEUE.alone, request));
    },
    async countChunks(most) {
      const [row] = await db.prepared<{ ready: number; claimed: number }>(
        'count-chunks',
        `SELECT count(*) FILTER (WHERE NOT is_claimed) AS ready, count(*) FILTER (WHERE is_claimed) AS claimed
         FROM (SELECT is_claimed FROM mxproof.jobs WHERE queue = '${QUEUE.chunk}' AND due_at <= now() LIMIT $1) AS j`,
        [most ?? null],
      );
      return row!;
    },
    async claimCallbacks({ limit, accounts = [], notFor }) {
      const request = { nodeId, limit, accounts, notBoundTo: notFor };
      return toClaimed(await claimJobs<CallbackJob>(db, QUEUE.callback, request));
    },
    async removeWebhooks(tx, { accountId, receiver }) {
      await tx.query(
        `DELETE FROM mxproof.jobs WHERE queue = '${QUEUE.webhook}' AND account_id = $1 AND bound_to = $2`,
        [accountId, receiver],
      );
    },
    async claimWebhooks({ limit, accounts = [], notFor }) {
      const request = { nodeId, limit, accounts, notBoundTo: notFor };
      return toClaimed(await claimJobs<WebhookJob>(db, QUEUE.webhook, request));
    },
    renew: (claims) =>
      onOwnClaims(
        db,
        'renew-claims',
        `WITH free AS (SELECT j.id FROM ${OWN} FOR UPDATE OF j SKIP LOCKED),
         renewed AS (UPDATE mxproof.jobs j SET ${RENEWED} FROM free WHERE j.id = free.id)
         SELECT j.id FROM ${OWN}`,
        claims,
      ),
    renewIn: (tx, claims) =>
      onOwnClaims(
        tx,
        'renew-claims-in',
        `WITH own AS (SELECT j.id FROM ${OWN} ORDER BY j.id FOR UPDATE OF j)
         UPDATE mxproof.jobs j SET ${RENEWED} FROM own WHERE j.id = own.id RETURNING j.id`,
        claims,
      ),
    finish: (tx, claims) =>
      onOwnClaims(
        tx,
        'finish-claims',
        `WITH own AS (SELECT j.id FROM ${OWN} ORDER BY j.id FOR UPDATE OF j)
         DELETE FROM mxproof.jobs j USING own WHERE j.id = own.id RETURNING j.id`,
        claims,
      ),
    async giveBackLapsed() {
      const rows = await db.prepared<{ data: ChunkJob; isNew: boolean; dead: string | null }>(
        'give-back-lapsed',
        `WITH lapsed AS (
           SELECT id, queue, deaths + ${IS_DEAD('node_id')}::int AS deaths,
             CASE WHEN ${IS_DEAD('node_id')} THEN node_id::text END AS dead FROM mxproof.jobs
           WHERE is_claimed AND renewed_at < now() - make_interval(secs => ${LEASE_SECONDS})
           FOR UPDATE SKIP LOCKED),
         judged AS (
           SELECT id, deaths, dead, queue = '${QUEUE.chunk}' AND deaths >= ${DEATHS_BEFORE_ALONE} AS is_alone FROM lapsed)
         UPDATE mxproof.jobs j SET is_claimed = false, deaths = g.deaths,
           queue = CASE WHEN is_alone THEN '${QUEUE.alone}' ELSE queue END,
           data = CASE WHEN is_alone THEN data || '{"alone": 0}' ELSE data END
         FROM judged g WHERE j.id = g.id RETURNING data, is_alone AS "isNew", g.dead`,
        [],
      );
      const dead = new Map<string, number>();
      for (const { dead: node } of rows) if (node !== null) dead.set(node, (dead.get(node) ?? 0) + 1);
      return { alone: rows.filter(({ isNew }) => isNew).map(({ data }) => data), dead };
    },
    async postponeSafetyNets(tx, listIds) {
      await tx.query(
        `UPDATE mxproof.jobs SET due_at = now() + make_interval(secs => $1)
         WHERE ${isSafetyNetOf('$2')} AND NOT is_claimed`,
        [safetyNetSeconds, listIds],
      );
    },
  };
}

async function insert(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await tx.prepared(
    'enqueue',
    `INSERT INTO mxproof.jobs (queue, account_id, list_id, rank, due_at, bound_to, node_id, data)
     SELECT queue, (data->>'accountId')::bigint, coalesce((data->>'listId')::bigint, 0), rank,
       CASE after WHEN 0 THEN '-infinity' ELSE now() + make_interval(secs => after) END, bound_to, node_id, data
     FROM unnest($1::text[], $2::jsonb[], $3::int[], $4::float8[], $5::text[], $6::uuid[])
       AS new (queue, data, rank, after, bound_to, node_id)`,
    [
      jobs.map(({ queue }) => queue),
      jobs.map(({ job }) => JSON.stringify(job)),
      jobs.map(({ rank }) => rank),
      jobs.map(({ afterSeconds }) => afterSeconds),
      jobs.map(({ boundTo }) => boundTo),
      jobs.map(({ begunBy }) => begunBy ?? null),
    ],
  );
}

async function onOwnClaims(
  tx: Tx,
  name: string,
  statement: string,
  claims: readonly Claim[],
): Promise<Set<number>> {
  if (claims.length === 0) return new Set();
  const rows = await tx.prepared<{ id: number }>(name, statement, [
    claims.map(({ jobId }) => jobId),
    claims.map(({ number }) => number),
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** What earlier attempts left for the list's waiting addresses, by `n position`. Seldom asked. */
export async function waitingPositions(tx: Tx, listId: number): Promise<Map<string, Resume | undefined>> {
  const rows = await tx.query<{ data: ChunkJob }>(
    `SELECT data FROM mxproof.jobs WHERE list_id = $1 AND queue <> '${QUEUE.callback}' AND data ? 'waiting'`,
    [listId],
  );
  const waiting = rows.flatMap(({ data }) =>
    (data.waiting ?? []).map(({ position, resume }) => [`${data.n} ${position}`, resume] as const),
  );
  return new Map(waiting);
}

/** A list's chunks have owners only once positions have left them; a single check's own job is its safety net. */
function isSafetyNetOf(listIds: string): string {
  return `list_id = ANY(${listIds}::bigint[]) AND queue <> '${QUEUE.callback}' AND NOT data ? 'owner'`;
}

/** Ends safety nets, as part of another statement. A node that has claimed one meanwhile finds its list finished. */
export const withoutSafetyNets = (listIds: string) =>
  `DELETE FROM mxproof.jobs WHERE ${isSafetyNetOf(listIds)}`;

export async function deleteSafetyNet(tx: Tx, listId: number): Promise<void> {
  await tx.prepared('delete-safety-net', withoutSafetyNets('$1'), [[listId]]);
}

function toClaimed<Job>(rows: readonly ClaimedRow<Job>[]): ClaimedJob<Job>[] {
  return rows.map(({ id, claims, data }) => ({ claim: { jobId: id, number: claims }, job: data }));
}
