// The work on a chunk threw inside the service: our defect, not a mail server's. It is retried a few times, then the
// list fails. Counted on the chunk; the death of a node, a lost claim or a lost database never get here.
// Promise: one transaction: whatever dies here, either the claim is still there and expires, or its consequences are.
import type { ChunkJob } from '../rules/chunk-owners.ts';
import { countFailure } from '../store/chunks.ts';
import { type ClaimedJob, MACHINE_SOURCE } from '../store/jobs.ts';
import { lockList } from '../store/lists.ts';
import type { Context } from './context.ts';
import { failLocked } from './finish-list.ts';

/** Seconds before the second, third and fourth try. */
const TRY_AGAIN_SECONDS = [2, 10, 60];

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
    const failures = await countFailure(tx, job.listId, job.n);
    const seconds = TRY_AGAIN_SECONDS[failures - 1];
    if (seconds === undefined) {
      await failLocked(tx, list, `chunk ${job.n}: ${causeOf(error)}`);
      return 'failed';
    }
    const resume = job.waiting?.[0]?.resume;
    const source = resume ? (resume.source ?? MACHINE_SOURCE) : null;
    await context.jobs.enqueueWaiting(tx, [
      {
        job,
        group: { positions: [], source, afterMs: seconds * 1000 },
      },
    ]);
    return 'again';
  });
}

const MAX_CAUSE_CHARACTERS = 500;

function causeOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.slice(0, MAX_CAUSE_CHARACTERS);
}
