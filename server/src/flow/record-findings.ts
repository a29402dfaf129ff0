// Writes findings back: positions, counters and, with the last one, the list's end, in one transaction.
// Promise: whoever writes late or twice changes nothing.
import type { Verdict } from '@mxproof/engine';
import { type Counts, mergeResults, noCounts } from '../rules/chunk-results.ts';
import { lockResults, writeResults } from '../store/chunks.ts';
import type { Tx } from '../store/database.ts';
import { insertEvidence } from '../store/evidence.ts';
import { addToCounts, lockList } from '../store/lists.ts';
import type { Context } from './context.ts';
import { finishList } from './finish-list.ts';

export interface ChunkFindings {
  readonly n: number;
  readonly verdicts: ReadonlyMap<number, Verdict>;
  /** Compressed; null where evidence is not kept. */
  readonly evidence: Buffer | null;
}

export type Recorded = 'open' | 'finished' | 'gone';

/** `alsoIn` joins the transaction: delayed jobs for positions that wait, completion of the chunk's job. */
export async function recordFindings(
  context: Context,
  listId: number,
  findings: readonly ChunkFindings[],
  alsoIn?: (tx: Tx) => Promise<void>,
): Promise<Recorded> {
  return context.db.transaction(async (tx) => {
    const list = await lockList(tx, listId);
    if (!list || list.finishedAtSeconds !== null) {
      await alsoIn?.(tx);
      return 'gone';
    }
    const added = noCounts();
    let addedTotal = 0;
    const written: { n: number; results: string }[] = [];
    const rows = await lockResults(
      tx,
      listId,
      findings.map(({ n }) => n),
    );
    for (const row of rows) {
      const found = findings.find(({ n }) => n === row.n)!;
      const merged = mergeResults(row.results, row.size, found.verdicts);
      if (merged.addedTotal === 0) continue;
      written.push({ n: row.n, results: merged.text });
      addCounts(added, merged.added);
      addedTotal += merged.addedTotal;
      if (found.evidence) await insertEvidence(tx, { listId, n: row.n, data: found.evidence });
    }
    await writeResults(tx, listId, written);
    await alsoIn?.(tx);
    if (addedTotal === 0) return 'open';
    const now = await addToCounts(tx, listId, added);
    if (now.checked < now.total) return 'open';
    await finishList(context, tx, now);
    return 'finished';
  });
}

function addCounts(sum: Counts, more: Counts): void {
  sum.deliverable += more.deliverable;
  sum.risky += more.risky;
  sum.undeliverable += more.undeliverable;
  sum.unknown += more.unknown;
}
