// Chunk rows: a list's addresses and their results, at most 250 a row.
import type { Tx } from './database.ts';

export interface Chunk {
  readonly listId: number;
  readonly n: number;
  readonly size: number;
  /** JSON array of the addresses. */
  readonly emails: string;
  /** Null: nothing of it is known yet. */
  readonly results: string | null;
}

type ChunkRow = { list_id: number; n: number; size: number; emails: string; results: string | null };

const toChunk = ({ list_id: listId, ...rest }: ChunkRow): Chunk => ({ listId, ...rest });

export async function readChunks(tx: Tx, listId: number, first: number, last: number): Promise<Chunk[]> {
  const rows = await tx.prepared<ChunkRow>(
    'read-chunks',
    `SELECT list_id, n, size, emails, results FROM mxproof.chunks
     WHERE list_id = $1 AND n BETWEEN $2 AND $3 ORDER BY n`,
    [listId, first, last],
  );
  return rows.map(toChunk);
}

/** Chunks a node claimed, of whatever lists; those of lists that are gone are missing from the answer. */
export async function readClaimed(
  tx: Tx,
  claims: readonly { listId: number; n: number }[],
): Promise<Chunk[]> {
  const rows = await tx.prepared<ChunkRow>(
    'read-claimed',
    `SELECT c.list_id, c.n, c.size, c.emails, c.results FROM unnest($1::bigint[], $2::int[]) AS w (list_id, n)
     JOIN mxproof.chunks c ON c.list_id = w.list_id AND c.n = w.n`,
    [claims.map((claim) => claim.listId), claims.map((claim) => claim.n)],
  );
  return rows.map(toChunk);
}

/** The caller holds the list's lock. */
export async function lockResults(
  tx: Tx,
  listId: number,
  ns: readonly number[],
): Promise<{ n: number; size: number; results: string | null }[]> {
  return tx.prepared(
    'lock-results',
    'SELECT n, size, results FROM mxproof.chunks WHERE list_id = $1 AND n = ANY($2) ORDER BY n FOR UPDATE',
    [listId, ns],
  );
}

export async function writeResults(
  tx: Tx,
  listId: number,
  written: readonly { n: number; results: string }[],
): Promise<void> {
  for (const { n, results } of written)
    await tx.prepared(
      'write-results',
      'UPDATE mxproof.chunks SET results = $3 WHERE list_id = $1 AND n = $2',
      [listId, n, results],
    );
}

/** Counts a failure inside the service; answers how many there were. Null: the chunk is gone. */
export async function countFailure(tx: Tx, listId: number, n: number): Promise<number | null> {
  const [row] = await tx.query<{ failures: number }>(
    'UPDATE mxproof.chunks SET failures = failures + 1 WHERE list_id = $1 AND n = $2 RETURNING failures',
    [listId, n],
  );
  return row?.failures ?? null;
}
