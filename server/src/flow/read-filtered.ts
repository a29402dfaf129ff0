// A page of the rows that match a filter, and how many match in all.
// Promise: the count and the page are of one reading: what becomes final between finding the rows and sending them is
// shown as it was found. Only the rows' places are kept meanwhile, so that a slow reader costs no memory.
import { readResults } from '../rules/chunk-results.ts';
import { CHUNK_SIZE } from '../rules/clean-emails.ts';
import { matchesVerdict, type ResultFilter } from '../rules/result-filter.ts';
import { type Chunk, readChunks } from '../store/chunks.ts';
import type { Tx } from '../store/database.ts';
import { CHUNKS_AT_ONCE, listGone, type ResultRow } from './read-results.ts';
import type { Reading } from './reading-turns.ts';

interface Match {
  readonly position: number;
  readonly isPending: boolean;
}

export interface PlacedRow extends ResultRow {
  /** In the whole list. */
  readonly position: number;
}

export interface Matches {
  /** Of the whole list. */
  total: number;
  /** Of the page, in order. */
  readonly page: Match[];
}

export const noMatches = (): Matches => ({ total: 0, page: [] });

/** Adds a chunk's; to be called in the order of the chunks. */
export function addMatches(
  matches: Matches,
  { n, size, emails, results }: Chunk,
  filter: ResultFilter,
  page: { readonly offset: number; readonly limit: number },
): void {
  const { piece } = filter;
  const texts = piece === null ? null : (JSON.parse(emails) as string[]);
  const verdicts = readResults(results, size);
  for (let index = 0; index < size; index++) {
    const verdict = verdicts[index]!;
    if (!matchesVerdict(filter, verdict)) continue;
    if (texts && !texts[index]!.includes(piece!)) continue;
    if (matches.total++ >= page.offset && matches.page.length < page.limit)
      matches.page.push({ position: n * CHUNK_SIZE + index, isPending: !verdict });
  }
}

/** Pieces of the page in order, as `toPiece` makes them. */
export async function* readMatches<Piece>(
  tx: Tx,
  reading: Reading,
  listId: number,
  page: readonly Match[],
  toPiece: (rows: readonly PlacedRow[]) => Piece | Promise<Piece>,
): AsyncGenerator<Piece> {
  for (let next = 0; next < page.length; ) {
    const first = chunkOf(page[next]!);
    const wanted = new Map<number, Match[]>();
    for (; next < page.length && chunkOf(page[next]!) < first + CHUNKS_AT_ONCE; next++) {
      const match = page[next]!;
      const same = wanted.get(chunkOf(match));
      if (same) same.push(match);
      else wanted.set(chunkOf(match), [match]);
    }
    const last = chunkOf(page[next - 1]!);
    const read = await reading.step(() => readChunks(tx, listId, first, last));
    const chunks = new Map(read.map((chunk) => [chunk.n, chunk]));
    for (const [n, matches] of wanted) {
      const chunk = chunks.get(n);
      if (!chunk) throw await listGone(tx, listId);
      yield await reading.step(() => toPiece(matchedRows(chunk, matches)));
    }
  }
}

function matchedRows({ emails, results, size }: Chunk, matches: readonly Match[]): PlacedRow[] {
  const texts = JSON.parse(emails) as string[];
  const verdicts = readResults(results, size);
  return matches.map(({ position, isPending }) => ({
    position,
    email: texts[position % CHUNK_SIZE]!,
    verdict: isPending ? null : verdicts[position % CHUNK_SIZE]!,
  }));
}

const chunkOf = ({ position }: Match) => Math.floor(position / CHUNK_SIZE);
