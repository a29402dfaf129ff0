// What a finished list has left open, as the addresses of a new list: those that it could not decide and, where it failed,
// those that it never checked, without what earlier retries of it have answered since. They no longer change, so they are read
// before the transaction that charges them, which sees to it that no other retry came in between. Those that were erased are
// left out.
import { type ChunkedEmails, createChunker } from '../rules/clean-emails.ts';
import type { List } from '../rules/list.ts';
import type { Tx } from '../store/database.ts';
import { retriesOf } from '../store/list-groups.ts';
import { findLists } from '../store/lists.ts';
import { ListGone, type ResultRow, readPage } from './read-results.ts';
import type { Reading } from './reading-turns.ts';

/** At most: what the list itself has left open. */
export function openCount({ total, checked, counts, resultsExpiredAtSeconds }: List): number {
  return resultsExpiredAtSeconds === null ? counts.unknown + total - checked : 0;
}

/** Those made of it before, oldest first; null: one of them runs. */
export async function endedRetries(tx: Tx, list: List): Promise<readonly List[] | null> {
  const ids = await retriesOf(tx, list);
  const retries = [...(await findLists(tx, ids)).values()];
  return retries.every(({ finishedAtSeconds }) => finishedAtSeconds !== null) ? retries : null;
}

/** Throws ListGone and ReaderLeft. */
export async function readOpen(
  tx: Tx,
  reading: Reading,
  list: List,
  retries: readonly List[],
): Promise<ChunkedEmails> {
  const answered = new Set<string>();
  for (const retry of retries) {
    // Nothing of it is an answer, or nothing of it is left.
    if (openCount(retry) === retry.total || retry.resultsExpiredAtSeconds !== null) continue;
    try {
      await eachRow(tx, reading, retry, (row) => {
        if (!isOpen(row)) answered.add(row.email);
      });
    } catch (error) {
      // Deleted meanwhile, and its answers with it.
      if (!(error instanceof ListGone)) throw error;
    }
  }
  const chunker = createChunker();
  await eachRow(tx, reading, list, (row) => {
    if (row.email !== '' && isOpen(row) && !answered.has(row.email)) chunker.add([row.email]);
  });
  return chunker.end();
}

const isOpen = ({ verdict }: ResultRow) => verdict === null || verdict.state === 'unknown';

async function eachRow(tx: Tx, reading: Reading, list: List, visit: (row: ResultRow) => void): Promise<void> {
  const all = { offset: 0, limit: list.total };
  for await (const _ of readPage(tx, reading, list, all, (rows) => rows.forEach(visit)));
}
