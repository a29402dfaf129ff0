// The job engine (pg-boss) in our terms. Enqueueing joins the caller's transaction: paid work exists if and only if the
// charge does. Finished jobs are deleted, so that no table grows with past work.
//
//   waiting ──claimed──▶ claimed ──finished──▶ (deleted)
//      ▲                    │
//      └──no heartbeat──────┘   a claim is an id and the number of times it was claimed: a lost claim changes nothing
//                               (own-claims.ts)
import { hostname } from 'node:os';
import type { Resume } from '@mxproof/engine';
import { type Db as IDatabase, PgBoss } from 'pg-boss';
import type { ChunkJob } from '../rules/chunk-owners.ts';
import { rankOf } from '../rules/fair-rank.ts';
import type { DeferredGroup } from '../rules/group-deferred.ts';
import { announce } from './announcements.ts';
import { type AccountClaims, type ClaimedRow, claimJobs, indexByAccount } from './claim-jobs.ts';
import type { Database, Tx } from './database.ts';
import { onOwnClaims } from './own-claims.ts';

export const QUEUE = { chunk: 'chunk', callback: 'callback' } as const;
type QueueName = (typeof QUEUE)[keyof typeof QUEUE];

export interface CallbackJob {
  readonly listId: number;
  /** Absent: enqueued by a version that did not record it. */
  readonly accountId?: number;
  /** The receiver it goes to: a slow one delays no other. */
  readonly receiver: string;
}

export interface Claim {
  readonly id: string;
  readonly retryCount: number;
}

export interface Claimed<Job> {
  readonly claim: Claim;
  readonly job: Job;
}

export interface Jobs {
  /** A single check is begun by the node that took it; its delayed job is there should that node die. */
  enqueueLists(
    tx: Tx,
    lists: readonly { listId: number; accountId: number; chunkCount: number; single: boolean }[],
  ): Promise<void>;
  /** Positions that left their job, each group in a job of its own. */
  enqueueWaiting(tx: Tx, groups: readonly { job: ChunkJob; group: DeferredGroup }[]): Promise<void>;
  enqueueCallback(tx: Tx, job: CallbackJob, delaySeconds: number): Promise<void>;
  /** By account, then by rank. `accounts`: what the caller holds of each. */
  claimChunks(options: {
    limit: number;
    accounts?: readonly AccountClaims[];
    notFrom: readonly string[];
  }): Promise<Claimed<ChunkJob>[]>;
  /** Chunk jobs that wait for nothing, and those that any node has. */
  countChunks(): Promise<{ ready: number; held: number }>;
  claimCallbacks(options: {
    limit: number;
    accounts?: readonly AccountClaims[];
    notFor: readonly string[];
  }): Promise<Claimed<CallbackJob>[]>;
  /** Heartbeat: waits for no transaction. Answers the ids still held. */
  renew(queue: QueueName, claims: readonly Claim[]): Promise<Set<string>>;
  /** Renews within the caller's transaction, which then holds them exclusively. Answers the ids still held. */
  hold(tx: Tx, queue: QueueName, claims: readonly Claim[]): Promise<Set<string>>;
  /** Ends the jobs. Answers the ids that were still held. */
  finish(tx: Tx, queue: QueueName, claims: readonly Claim[]): Promise<Set<string>>;
  /** The single checks still run here: no other node needs to take over yet. */
  postponeSafetyNets(tx: Tx, listIds: readonly number[]): Promise<void>;
  stop(): Promise<void>;
}

const SCHEMA = 'mxproof_jobs';
/** A node's death uses up a job's retry like a failure does, and must never count: practically unbounded. */
const JOB_RETRIES = 1_000_000;
/** The engine's least; together with supervision a dead node's chunks are back within 15 seconds. */
export const HEARTBEAT_SECONDS = 10;
const SUPERVISE_SECONDS = 2;
const MAINTAIN_SECONDS = 60;
const ACTIVE_LIMIT_SECONDS = 24 * 60 * 60 - 1;
const NO_JOB = '00000000-0000-0000-0000-000000000000';
/** What need not wait stays due when the database's clock is stepped back. */
const LONG_DUE = '-1 day';
const WAITING_LIMIT_SECONDS = 365 * 24 * 60 * 60;

/** Where a node has no source address of its own, its machine stands for it. */
export const MACHINE_SOURCE = `host ${hostname()}`;

export interface JobsOptions {
  /** After how long another node may take over a single check; 0 on a node that does not check. */
  readonly safetyNetSeconds: number;
  readonly onError: (error: Error) => void;
  /** Nodes that check also look after dead nodes' jobs. */
  readonly supervise: boolean;
}

export async function startJobs(db: Database, options: JobsOptions): Promise<Jobs> {
  const boss = new PgBoss({
    db: asBossDb(db),
    schema: SCHEMA,
    supervise: options.supervise,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    maintenanceIntervalSeconds: MAINTAIN_SECONDS,
    schedule: false,
  });
  boss.on('error', options.onError);
  await boss.start();
  await db.query(WAITING_INDEX);
  await indexByAccount(db, SCHEMA);
  for (const name of Object.values(QUEUE)) {
    await boss.createQueue(name, {
      retryLimit: JOB_RETRIES,
      retryDelay: 0,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      expireInSeconds: ACTIVE_LIMIT_SECONDS,
      retentionSeconds: WAITING_LIMIT_SECONDS,
      deleteAfterSeconds: MAINTAIN_SECONDS,
    });
    // Looks the queue up now: later, inside a transaction, the look-up would want a second connection of the pool.
    await boss.findJobs(name, { id: NO_JOB });
  }
  return {
    async enqueueLists(tx, lists) {
      const jobs = lists.flatMap(({ listId, accountId, chunkCount, single }) =>
        Array.from({ length: chunkCount }, (_, n) => ({
          data: { listId, accountId, n, ...(single && { single }) } satisfies ChunkJob,
          priority: rankOf({ n, single }),
          ...(single
            ? { id: safetyNetId(listId), startAfter: options.safetyNetSeconds }
            : { startAfter: LONG_DUE }),
        })),
      );
      if (jobs.length === 0) return;
      await boss.insert(QUEUE.chunk, jobs, { db: asBossDb(tx) });
      if (lists.some(({ single }) => !single || options.safetyNetSeconds === 0))
        await announce(tx, { what: 'work' });
    },
    async enqueueWaiting(tx, groups) {
      if (groups.length === 0) return;
      const jobs = groups.map(({ job, group }) => ({
        data: job,
        priority: rankOf(job),
        startAfter: group.afterMs === 0 ? LONG_DUE : group.afterMs / 1000,
        ...(group.source === null ? {} : { group: { id: group.source } }),
      }));
      await boss.insert(QUEUE.chunk, jobs, { db: asBossDb(tx) });
      if (groups.some(({ group }) => group.afterMs === 0)) await announce(tx, { what: 'work' });
    },
    async enqueueCallback(tx, job, delaySeconds) {
      await boss.insert(
        QUEUE.callback,
        [
          {
            data: job,
            startAfter: delaySeconds === 0 ? LONG_DUE : delaySeconds,
            group: { id: job.receiver },
          },
        ],
        { db: asBossDb(tx) },
      );
      if (delaySeconds === 0) await announce(tx, { what: 'callback' });
    },
    async claimChunks({ limit, accounts = [], notFrom }) {
      return toClaimed(
        await claimJobs<ChunkJob>(db, SCHEMA, QUEUE.chunk, { limit, accounts, notOf: notFrom }),
      );
    },
    async countChunks() {
      const [row] = await db.prepared<{ ready: number; held: number }>(
        'count-chunks',
        `SELECT count(*) FILTER (WHERE state < 'active') AS ready, count(*) FILTER (WHERE state = 'active') AS held
         FROM ${SCHEMA}.job WHERE name = '${QUEUE.chunk}' AND state <= 'active' AND start_after <= now()`,
        [],
      );
      return row!;
    },
    async claimCallbacks({ limit, accounts = [], notFor }) {
      return toClaimed(
        await claimJobs<CallbackJob>(db, SCHEMA, QUEUE.callback, { limit, accounts, notOf: notFor }),
      );
    },
    renew: (queue, claims) => onOwnClaims('renew', db, SCHEMA, queue, claims),
    hold: (tx, queue, claims) => onOwnClaims('hold', tx, SCHEMA, queue, claims),
    finish: (tx, queue, claims) => onOwnClaims('end', tx, SCHEMA, queue, claims),
    async postponeSafetyNets(tx, listIds) {
      await tx.query(
        `UPDATE ${SCHEMA}.job SET start_after = now() + make_interval(secs => $1)
         WHERE name = '${QUEUE.chunk}' AND id = ANY($2::uuid[]) AND state < 'active'`,
        [options.safetyNetSeconds, listIds.map(safetyNetId)],
      );
    },
    stop: () => boss.stop({ graceful: false, close: false }),
  };
}

/** Of the jobs of a million others only a list's own are read when its time is over. */
const WAITING_INDEX = `CREATE INDEX IF NOT EXISTS mxproof_waiting ON ${SCHEMA}.job (((data->>'listId')::bigint))
  WHERE name = '${QUEUE.chunk}' AND data->>'waiting' IS NOT NULL`;

/** What earlier attempts left for the list's waiting addresses, by `n position`. Seldom asked. */
export async function waitingPositions(tx: Tx, listId: number): Promise<Map<string, Resume | undefined>> {
  const rows = await tx.query<{ data: ChunkJob }>(
    `SELECT data FROM ${SCHEMA}.job
     WHERE name = '${QUEUE.chunk}' AND data->>'waiting' IS NOT NULL AND (data->>'listId')::bigint = $1`,
    [listId],
  );
  const waiting = rows.flatMap(({ data }) =>
    (data.waiting ?? []).map(({ position, resume }) => [`${data.n} ${position}`, resume] as const),
  );
  return new Map(waiting);
}

/** Ends safety nets, as part of another statement. A node that has claimed one meanwhile finds its list finished. */
export const withoutSafetyNets = (ids: string) =>
  `DELETE FROM ${SCHEMA}.job WHERE name = '${QUEUE.chunk}' AND id = ANY(${ids}::uuid[])`;

export async function deleteSafetyNet(tx: Tx, listId: number): Promise<void> {
  await tx.prepared('delete-safety-net', withoutSafetyNets('$1'), [[safetyNetId(listId)]]);
}

/** Known in advance, so that the statement that finishes a single check can end its job. */
export function safetyNetId(listId: number): string {
  return `00000000-0000-4000-8000-${listId.toString(16).padStart(12, '0')}`;
}

function toClaimed<Job>(rows: readonly ClaimedRow<Job>[]): Claimed<Job>[] {
  return rows.map(({ id, retry_count, data }) => ({ claim: { id, retryCount: retry_count }, job: data }));
}

function asBossDb(tx: Tx): IDatabase {
  return { executeSql: (text, values) => tx.raw(text, values) };
}
