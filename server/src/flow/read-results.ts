// A page of a list's results, chunk by chunk: the same cost at offset 0 and 90,000.
import { type RowVerdict, readResults } from '../rules/chunk-results.ts';
import { CHUNK_SIZE } from '../rules/clean-emails.ts';
import { readChunks } from '../store/chunks.ts';
import type { Tx } from '../store/database.ts';

export interface ResultRow {
  readonly email: string;
  /** Null: pending. */
  readonly verdict: RowVerdict | null;
}

/** How many chunks one statement brings: a page of 10,000 rows never sits in memory whole. */
const CHUNKS_AT_ONCE = 20;

/** The list was deleted while a page was read. An error, since a page that ends early would look like the last one. */
export class ListGone extends Error {}

/** Pieces of the page in order; the caller has seen that the list is the account's. */
export async function* readPage(
  tx: Tx,
  list: { id: number; total: number },
  page: { offset: number; limit: number },
): AsyncGenerator<ResultRow[]> {
  const end = Math.min(page.offset + page.limit, list.total);
  if (page.offset >= end) return;
  const lastChunk = Math.floor((end - 1) / CHUNK_SIZE);
  for (let first = Math.floor(page.offset / CHUNK_SIZE); first <= lastChunk; first += CHUNKS_AT_ONCE) {
    const last = Math.min(lastChunk, first + CHUNKS_AT_ONCE - 1);
    const chunks = await readChunks(tx, list.id, first, last);
    if (chunks.length !== last - first + 1) throw new ListGone();
    for (const chunk of chunks) {
      const emails = JSON.parse(chunk.emails) as string[];
      const verdicts = readResults(chunk.results, chunk.size);
      const start = chunk.n * CHUNK_SIZE;
      const from = Math.max(0, page.offset - start);
      const to = Math.min(chunk.size, end - start);
      const rows: ResultRow[] = [];
      for (let index = from; index < to; index++)
        rows.push({ email: emails[index]!, verdict: verdicts[index]! });
      yield rows;
    }
  }
}
