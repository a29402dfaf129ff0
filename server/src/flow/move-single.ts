// A single check that cannot be completed at once continues as a job of its own, in place of its safety net.
import { steadyNow } from '@mxproof/common/steady-now';
import type { Resume } from '@mxproof/engine';
import { giveAway } from '../rules/chunk-owners.ts';
import { lockResults, writeResults } from '../store/chunks.ts';
import { insertDeferred } from '../store/deferred.ts';
import { deleteSafetyNet, MACHINE_SOURCE } from '../store/jobs.ts';
import { lockList } from '../store/lists.ts';
import type { Context } from './context.ts';

export async function moveSingle(
  context: Context,
  listId: number,
  later: { readonly resume?: Resume; readonly notBeforeMs: number },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const list = await lockList(tx, listId);
    await deleteSafetyNet(tx, listId);
    if (!list || list.finishedAtSeconds !== null) return;
    const [chunk] = await lockResults(tx, list, [0]);
    // Another node took over meanwhile, and its own job goes on.
    if (!chunk || chunk.owners !== null) return;
    const positions = [{ position: 0, ...(later.resume ? { resume: later.resume } : {}) }];
    const { text, numbers } = giveAway(chunk.owners, [positions]);
    await writeResults(tx, listId, [{ n: 0, results: chunk.results, owners: text }]);
    const source = later.resume ? (later.resume.source ?? MACHINE_SOURCE) : null;
    const jobs = [
      {
        job: {
          listId,
          accountId: list.accountId,
          n: 0,
          single: true,
          owner: numbers[0]!,
          waiting: positions,
        },
        group: { positions, source, afterMs: Math.max(0, later.notBeforeMs - steadyNow()) },
      },
    ];
    await context.jobs.enqueueWaiting(tx, jobs);
    await insertDeferred(tx, jobs);
  });
}
