// How many addresses of a list are to be sent to, left out and so on, in the words that its page has for it.
// Promise: a few chunks in memory at a time, however long the list is.
import { ACTION_WORDS, type Action, actionFor } from '@mxproof/common/vocabulary/labels';
import { CHUNKS_AT_ONCE } from '../../flow/read-results.ts';
import { readResults } from '../../rules/chunk-results.ts';
import { CHUNK_SIZE } from '../../rules/clean-emails.ts';
import { readChunks } from '../../store/chunks.ts';
import type { Tx } from '../../store/database.ts';

export type ActionCounts = Readonly<Record<Action, number>>;

/** Null: its results are gone. */
export async function countActions(
  tx: Tx,
  { id, total }: { readonly id: number; readonly total: number },
): Promise<ActionCounts | null> {
  const counts = Object.fromEntries(ACTION_WORDS.map((action) => [action, 0])) as Record<Action, number>;
  const chunks = Math.ceil(total / CHUNK_SIZE);
  for (let from = 0; from < chunks; from += CHUNKS_AT_ONCE) {
    const to = Math.min(chunks, from + CHUNKS_AT_ONCE) - 1;
    const read = await readChunks(tx, id, from, to);
    if (read.length !== to - from + 1) return null;
    for (const { results, size } of read)
      for (const verdict of readResults(results, size)) {
        const action = verdict && actionFor(verdict);
        if (action) counts[action] += 1;
      }
  }
  return counts;
}
