// The work on a chunk threw inside the service, or ended the process that asked about nothing else: our defect, not a mail
// server's. It is retried a few times, then the list fails. Counted on the chunk, deaths on its job; the death of a node, a
// lost claim or a lost database never get here.
// Promise: one transaction: whatever dies here, either the claim is still there and expires, or its consequences are.
import type { ChunkJob } from '../rules/chunk-owners.ts';
import { countFailure } from '../store/chunks.ts';
import type { Tx } from '../store/database.ts';
import { type ClaimedJob, MACHINE_SOURCE } from '../store/jobs.ts';
import { lockList } from '../store/lists.ts';
import { parkJobs } from '../store/parked-jobs.ts';
import type { Context } from './context.ts';
import { failLocked } from './finish-list.ts';

/** Seconds before the second, third and fourth try. */
const TRY_AGAIN_SECONDS = [2, 10, 60];
/** Seconds before the second and third process of its own. */
const ALONE_AGAIN_SECONDS = [2, 10];

/** The process that asked about a chunk alone died. */
export class DiedAlone extends Error {
  /** `end`: its exit status or signal. */
  constructor(end: string) {
    super(`the process that asked about nothing else died (${end})`);
    this.name = 'DiedAlone';
  }
}

/** `failed`: that was the last try, and the list has failed. */
export async function failChunk(
  context: Context,
  claimed: ClaimedJob<ChunkJob>,
  error: unknown,
): Promise<'again' | 'failed'> {
  const { job, claim } = claimed;
  return context.db.transaction(async (tx) => {
    const list = await lockList(tx, job.listId);
    const ours = await context.jobs.finish(tx, [claim]);
    // Another node has the claim, so its attempt counts instead of this one; or the list is over.
    if (!ours.has(claim.jobId) || !list || list.finishedAtSeconds !== null) return 'again';
    const again = await nextTry(tx, job, error);
    if (again.seconds === undefined) {
      await failLocked(tx, list, `chunk ${job.n}: ${causeOf(error)}`);
      return 'failed';
    }
    const resume = job.waiting?.[0]?.resume;
    const source = resume ? (resume.source ?? MACHINE_SOURCE) : null;
    await context.jobs.enqueueWaiting(tx, [
      {
        job: again.job,
        group: { positions: [], source, afterMs: again.seconds * 1000 },
      },
    ]);
    if (list.pausedAtSeconds !== null) await parkJobs(tx, list.id);
    return 'again';
  });
}

/** Without `seconds` there is none. */
async function nextTry(tx: Tx, job: ChunkJob, error: unknown): Promise<{ job: ChunkJob; seconds?: number }> {
  if (error instanceof DiedAlone) {
    const deaths = (job.alone ?? 0) + 1;
    return { job: { ...job, alone: deaths }, seconds: ALONE_AGAIN_SECONDS[deaths - 1] };
  }
  const failures = await countFailure(tx, job.listId, job.n);
  return { job, seconds: TRY_AGAIN_SECONDS[failures - 1] };
}

const MAX_CAUSE_CHARACTERS = 500;

function causeOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.slice(0, MAX_CAUSE_CHARACTERS);
}
