// The stored rows of a list, chunk by chunk: a page costs the same at offset 0 and 90,000.
// Promise: in steps of the account's turn; a page never sits in memory whole, however slowly it is taken.
import { type RowVerdict, readResults } from '../rules/chunk-results.ts';
import { CHUNK_SIZE } from '../rules/clean-emails.ts';
import { type Chunk, readChunks } from '../store/chunks.ts';
import type { Tx } from '../store/database.ts';
import { haveResultsExpired } from '../store/retention.ts';
import type { Reading } from './reading-turns.ts';

export interface ResultRow {
  readonly email: string;
  /** Null: pending. */
  readonly verdict: RowVerdict | null;
}

/** How many chunks one statement brings, and a slow reader holds. */
export const CHUNKS_AT_ONCE = 8;

/**
 * The list was deleted, or its results expired, while it was read. An error, since a page that ends early would look like
 * the last one.
 */
export class ListGone extends Error {
  readonly isExpired: boolean;
  constructor(isExpired: boolean) {
    super();
    this.isExpired = isExpired;
  }
}

/** To be thrown where a chunk is missing: a deleted list and one whose results expired have none. */
export async function listGone(tx: Tx, listId: number): Promise<ListGone> {
  return new ListGone(await haveResultsExpired(tx, listId));
}

/** What `visit` makes of each chunk from `first` to `last`, in their order. */
async function* visitChunks<T>(
  tx: Tx,
  reading: Reading,
  listId: number,
  { first, last }: { readonly first: number; readonly last: number },
  visit: (chunk: Chunk) => T | Promise<T>,
): AsyncGenerator<T> {
  for (let from = first; from <= last; from += CHUNKS_AT_ONCE) {
    const to = Math.min(last, from + CHUNKS_AT_ONCE - 1);
    const chunks = await reading.step(() => readChunks(tx, listId, from, to));
    if (chunks.length !== to - from + 1) throw await listGone(tx, listId);
    for (const chunk of chunks) yield await reading.step(() => visit(chunk));
  }
}

/** Visits every chunk of a list, for answers that need all of its rows. */
export async function scanList(
  tx: Tx,
  reading: Reading,
  list: { readonly id: number; readonly total: number },
  visit: (chunk: Chunk) => void,
): Promise<void> {
  const last = Math.ceil(list.total / CHUNK_SIZE) - 1;
  for await (const _ of visitChunks(tx, reading, list.id, { first: 0, last }, visit));
}

/** Pieces of the page in order, as `toPiece` makes them; the caller has seen that the list is the account's. */
export async function* readPage<Piece>(
  tx: Tx,
  reading: Reading,
  list: { readonly id: number; readonly total: number },
  page: { readonly offset: number; readonly limit: number },
  toPiece: (rows: readonly ResultRow[]) => Piece | Promise<Piece>,
): AsyncGenerator<Piece> {
  const end = Math.min(page.offset + page.limit, list.total);
  if (page.offset >= end) return;
  const range = { first: Math.floor(page.offset / CHUNK_SIZE), last: Math.floor((end - 1) / CHUNK_SIZE) };
  yield* visitChunks(tx, reading, list.id, range, (chunk) => {
    const emails = JSON.parse(chunk.emails) as string[];
    const verdicts = readResults(chunk.results, chunk.size);
    const start = chunk.n * CHUNK_SIZE;
    const to = Math.min(chunk.size, end - start);
    const rows: ResultRow[] = [];
    for (let index = Math.max(0, page.offset - start); index < to; index++)
      rows.push({ email: emails[index]!, verdict: verdicts[index]! });
    return toPiece(rows);
  });
}
