// Chunk rows: the addresses of a list and their results, at most 250 per row.
import { nameOf } from '../rules/list-name.ts';
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

/** A chunk as a job sees it. */
export interface WorkChunk extends Chunk {
  readonly accountId: number;
  /** Its list is: nothing of it is asked. */
  readonly isPaused: boolean;
  /** The name of its list, where that is a test list. */
  readonly testName: string | null;
  /** Null: every position is asked by the chunk's own job. */
  readonly owners: string | null;
}

type ChunkRow = { list_id: number; n: number; size: number; emails: string; results: string | null };
type WorkChunkRow = ChunkRow & {
  accountId: number;
  isPaused: boolean;
  test_name_json: string | null;
  owners: string | null;
};

const toChunk = <R extends ChunkRow>({ list_id: listId, ...rest }: R) => ({ listId, ...rest });

export async function readChunks(tx: Tx, listId: number, first: number, last: number): Promise<Chunk[]> {
  const rows = await tx.prepared<ChunkRow>(
    'read-chunks',
    `SELECT list_id, n, size, emails, results FROM mxproof.chunks
     WHERE list_id = $1 AND n BETWEEN $2 AND $3 ORDER BY n`,
    [listId, first, last],
  );
  return rows.map(toChunk);
}

/** By list; those that are gone are missing. */
export async function emailsOfSingles(tx: Tx, listIds: readonly number[]): Promise<Map<number, string>> {
  if (listIds.length === 0) return new Map();
  const rows = await tx.prepared<{ id: number; emails: string }>(
    'emails-of-singles',
    'SELECT list_id AS id, emails FROM mxproof.chunks WHERE list_id = ANY($1) AND n = 0 AND size = 1',
    [listIds],
  );
  return new Map(rows.map(({ id, emails }) => [id, (JSON.parse(emails) as [string])[0]]));
}

/** Chunks a node claimed, of whatever lists; those of lists that are gone or over are missing from the answer. */
export async function readClaimed(
  tx: Tx,
  claims: readonly { listId: number; n: number }[],
): Promise<WorkChunk[]> {
  const rows = await tx.prepared<WorkChunkRow>(
    'read-claimed',
    `SELECT c.list_id, l.account_id AS "accountId", l.paused_at IS NOT NULL AS "isPaused",
       CASE WHEN a.test_of IS NOT NULL THEN l.name_json END AS test_name_json,
       c.n, c.size, c.emails, c.results, c.owners
     FROM unnest($1::bigint[], $2::int[]) AS w (list_id, n)
     JOIN mxproof.lists l ON l.id = w.list_id AND l.finished_at IS NULL
     JOIN mxproof.accounts a ON a.id = l.account_id
     JOIN mxproof.chunks c ON c.list_id = w.list_id AND c.n = w.n`,
    [claims.map((claim) => claim.listId), claims.map((claim) => claim.n)],
  );
  return rows.map(({ test_name_json, ...row }) => ({
    ...toChunk(row),
    testName: test_name_json === null ? null : nameOf(test_name_json),
  }));
}

export interface LockedChunk {
  readonly n: number;
  readonly size: number;
  readonly results: string | null;
  readonly owners: string | null;
  /** Positions whose address was erased; null: none. */
  readonly erased: readonly number[] | null;
  /** The transaction's time, which is also that of the evidence it stores. */
  readonly nowSeconds: number;
  /** Null: the account has outcomes off. */
  readonly indexedEmails: string | null;
}

/** The caller holds the list's lock. */
export async function lockResults(
  tx: Tx,
  list: { readonly id: number; readonly accountId: number },
  ns: readonly number[],
): Promise<LockedChunk[]> {
  return tx.prepared<LockedChunk & Record<string, unknown>>(
    'lock-results',
    `SELECT n, size, results, owners, erased, floor(extract(epoch FROM now()))::bigint AS "nowSeconds",
       CASE WHEN (SELECT true FROM mxproof.outcome_accounts WHERE account_id = $3) THEN emails END AS "indexedEmails"
     FROM mxproof.chunks WHERE list_id = $1 AND n = ANY($2) ORDER BY n FOR UPDATE`,
    [list.id, ns, list.accountId],
  );
}

export async function writeResults(
  tx: Tx,
  listId: number,
  written: readonly { n: number; results: string | null; owners: string | null }[],
): Promise<void> {
  if (written.length === 0) return;
  await tx.prepared(
    'write-results',
    `UPDATE mxproof.chunks c SET results = w.results, owners = w.owners
     FROM unnest($2::int[], $3::text[], $4::text[]) AS w (n, results, owners)
     WHERE c.list_id = $1 AND c.n = w.n`,
    [
      listId,
      written.map(({ n }) => n),
      written.map(({ results }) => results),
      written.map(({ owners }) => owners),
    ],
  );
}

/** Counts a failure inside the service; returns how many there were. The caller holds the list's lock. */
export async function countFailure(tx: Tx, listId: number, n: number): Promise<number> {
  const [row] = await tx.query<{ failures: number }>(
    'UPDATE mxproof.chunks SET failures = failures + 1 WHERE list_id = $1 AND n = $2 RETURNING failures',
    [listId, n],
  );
  return row!.failures;
}
