// The addresses that a finished list could not decide, as those of a new list. They no longer change, so they are read
// before the transaction that charges them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ChunkedEmails, createChunker } from '../rules/clean-emails.ts';
import type { List } from '../rules/list.ts';
import type { Tx } from '../store/database.ts';
import { ListGone, readPage } from './read-results.ts';

/** Null: the list was deleted meanwhile. */
export async function readUnknown(tx: Tx, list: List): Promise<ChunkedEmails | null> {
  const chunker = createChunker();
  try {
    for await (const rows of readPage(tx, list, { offset: 0, limit: list.total })) {
      chunker.add(rows.filter(({ verdict }) => verdict?.state === 'unknown').map(({ email }) => email));
      // Other requests run between two chunks.
      await nextTurn();
    }
  } catch (error) {
    if (error instanceof ListGone) return null;
    throw error;
  }
  return chunker.end();
}
