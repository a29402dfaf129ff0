// The job engine (pg-boss) behind our words. Enqueueing joins the caller's transaction: work that was paid for
// exists if and only if the charge does.
import type { Resume } from '@mxproof/engine';
import { type Db as IDatabase, PgBoss } from 'pg-boss';
import type { Database, Tx } from './database.ts';

export const QUEUE = { chunk: 'chunk', callback: 'callback' } as const;

/** One chunk's work, or of one chunk just the positions that had to wait. */
export interface ChunkJob {
  readonly listId: number;
  readonly n: number;
  /** Absent: every position still pending. */
  readonly waiting?: readonly { readonly position: number; readonly resume: Resume }[];
}

export interface CallbackJob {
  readonly listId: number;
}

export interface Jobs {
  readonly boss: PgBoss;
  /** A single check is begun by the node that took it; its delayed job is there should that node die. */
  enqueueLists(
    tx: Tx,
    lists: readonly { listId: number; chunkCount: number; single: boolean }[],
  ): Promise<void>;
  enqueueCallback(tx: Tx, listId: number, delaySeconds: number): Promise<void>;
  stop(): Promise<void>;
}

const SCHEMA = 'mxproof_jobs';
/** Before every list's chunks, whatever their number. */
const SINGLE_PRIORITY = 1_000_000;
/** A node's death uses up a job's retry like a failure does, and must never count: practically unbounded. */
const JOB_RETRIES = 1_000_000;
const HEARTBEAT_SECONDS = 10;
const SUPERVISE_SECONDS = 2;
const FINISHED_JOB_KEPT_SECONDS = 60;
const NO_JOB = '00000000-0000-0000-0000-000000000000';

export interface JobsOptions {
  /** After how long another node may take over a single check. */
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
    maintenanceIntervalSeconds: 60,
    schedule: false,
  });
  boss.on('error', options.onError);
  await boss.start();
  for (const name of Object.values(QUEUE)) {
    await boss.createQueue(name, {
      retryLimit: JOB_RETRIES,
      retryDelay: 0,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      expireInSeconds: 24 * 60 * 60 - 1,
      deleteAfterSeconds: FINISHED_JOB_KEPT_SECONDS,
    });
    // Looks the queue up now: later, inside a transaction, the look-up would want a second connection of the pool.
    await boss.findJobs(name, { id: NO_JOB });
  }
  return {
    boss,
    async enqueueLists(tx, lists) {
      const jobs = lists.flatMap(({ listId, chunkCount, single }) =>
        Array.from({ length: chunkCount }, (_, n) => ({
          data: { listId, n } satisfies ChunkJob,
          // Fairness: the n-th chunk of a list waits behind every other list's n-th.
          priority: single ? SINGLE_PRIORITY : -n,
          ...(single && { startAfter: options.safetyNetSeconds }),
        })),
      );
      if (jobs.length > 0) await boss.insert(QUEUE.chunk, jobs, { db: asBossDb(tx) });
    },
    async enqueueCallback(tx, listId, delaySeconds) {
      await boss.insert(
        QUEUE.callback,
        [{ data: { listId } satisfies CallbackJob, startAfter: delaySeconds }],
        {
          db: asBossDb(tx),
        },
      );
    },
    stop: () => boss.stop({ graceful: false, close: false }),
  };
}

function asBossDb(tx: Tx): IDatabase {
  return { executeSql: (text, values) => tx.raw(text, values) };
}
