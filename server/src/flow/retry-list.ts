// The addresses that a finished list could not decide, as those of a new list. They no longer change, so they are read
// before the transaction that charges them. Those that were erased are left out.
import { type ChunkedEmails, createChunker } from '../rules/clean-emails.ts';
import type { List } from '../rules/list.ts';
import type { Tx } from '../store/database.ts';
import { readPage } from './read-results.ts';
import type { Reading } from './reading-turns.ts';

/** Throws ListGone and ReaderLeft. */
export async function readUnknown(tx: Tx, reading: Reading, list: List): Promise<ChunkedEmails> {
  const chunker = createChunker();
  const all = { offset: 0, limit: list.total };
  for await (const _ of readPage(tx, reading, list, all, (rows) =>
    chunker.add(
      rows
        .filter(({ email, verdict }) => email !== '' && verdict?.state === 'unknown')
        .map(({ email }) => email),
    ),
  ));
  return chunker.end();
}
