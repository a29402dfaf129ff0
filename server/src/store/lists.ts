// Lists. Lock order everywhere: list, then its chunks, then its account.
import type { State } from '@mxproof/engine';
import type { Counts } from '../rules/chunk-results.ts';
import { CHUNK_SIZE, type ChunkedEmails, type ChunkPiece } from '../rules/clean-emails.ts';
import { LIST_STATUSES, type List, type ListStatus } from '../rules/list.ts';
import { fileOf, type ListFile, storedFile } from '../rules/list-file.ts';
import { nameOf, storedName } from '../rules/list-name.ts';
import { testBytesOf } from '../rules/test-bytes.ts';
import type { Tx } from './database.ts';
import { chargeCtes } from './ledger.ts';

export type ListRow = Record<State, number> & {
  id: number;
  account_id: number;
  single: boolean;
  name_json: string;
  status: ListStatus;
  total: number;
  duplicates_removed: number;
  checked: number;
  callback_url: string | null;
  failure: string | null;
  group_word: string | null;
  retry_of: number | null;
  file_json: string | null;
  paused: number | null;
  key_id: number | null;
  created: number;
  finished: number | null;
  expired: number | null;
};

export const COLUMNS = `id, account_id, single, name_json, status, total, duplicates_removed, checked,
  deliverable, risky, undeliverable, unknown, callback_url, failure, group_word, retry_of, key_id, file_json,
  floor(extract(epoch FROM CASE WHEN finished_at IS NULL THEN paused_at END))::bigint AS paused,
  floor(extract(epoch FROM created_at))::bigint AS created,
  floor(extract(epoch FROM finished_at))::bigint AS finished,
  floor(extract(epoch FROM results_expired_at))::bigint AS expired`;

export function toList(row: ListRow): List {
  const { deliverable, risky, undeliverable, unknown } = row;
  return {
    id: row.id,
    accountId: row.account_id,
    single: row.single,
    name: nameOf(row.name_json),
    status: row.status,
    total: row.total,
    duplicatesRemoved: row.duplicates_removed,
    checked: row.checked,
    counts: { deliverable, risky, undeliverable, unknown },
    callbackUrl: row.callback_url,
    failure: row.failure,
    group: row.group_word,
    retryOf: row.retry_of,
    file: fileOf(row.file_json),
    pausedAtSeconds: row.paused,
    keyId: row.key_id,
    createdAtSeconds: row.created,
    finishedAtSeconds: row.finished,
    resultsExpiredAtSeconds: row.expired,
  };
}

export interface NewList {
  readonly accountId: number;
  readonly single: boolean;
  readonly name: string;
  readonly duplicatesRemoved: number;
  readonly callbackUrl: string | null;
  readonly group: string | null;
  readonly retryOf: number | null;
  readonly correctionOf: number | null;
  readonly file: ListFile | null;
  readonly keyId: number | null;
  /** The member who is mailed when it is done. */
  readonly mailMemberId: number | null;
  readonly emails: ChunkedEmails;
}

/**
 * Charge, ledger entries, lists and chunks in one statement: the balance moves where it is checked.
 * Null where an account cannot pay for all of its lists in this call, or has no room for test lists; of those nothing was
 * written.
 */
export async function insertPaidLists(tx: Tx, lists: readonly NewList[]): Promise<(List | null)[]> {
  const firsts = lists.map(({ emails }) => emails.pieces[0]!);
  const chunks = firsts.flatMap(({ count }, place) =>
    Array.from({ length: count }, (_, n) => ({ place, n })),
  );
  const rows = await tx.prepared<ListRow & { place: number }>(
    'insert-paid-lists',
    `WITH wanted AS MATERIALIZED (
       SELECT nextval('mxproof.lists_id_seq') AS id, w.*
       FROM unnest($1::bigint[], $2::int[], $3::bool[], $4::text[], $5::int[], $6::text[], $7::text[], $8::bigint[],
         $9::bigint[], $10::bigint[], $11::bigint[], $12::text[], $13::bigint[])
         WITH ORDINALITY AS w (account_id, total, single, name_json, duplicates_removed, callback_url, group_word, retry_of,
           correction_of, key_id, bytes, file_json, mail_member_id, place)),
     ${chargeCtes('wanted')},
     list AS (
       INSERT INTO mxproof.lists
         (id, account_id, single, name_json, total, duplicates_removed, callback_url, group_word, retry_of, correction_of,
          key_id, test_bytes, file_json, mail_member_id)
       OVERRIDING SYSTEM VALUE
       SELECT w.id, w.account_id, w.single, w.name_json, w.total, w.duplicates_removed, w.callback_url,
         w.group_word, w.retry_of, w.correction_of, w.key_id, CASE WHEN charged.is_test THEN w.bytes ELSE 0 END, w.file_json,
         w.mail_member_id
       FROM wanted w JOIN charged ON charged.id = w.account_id RETURNING *),
     stored AS (
       INSERT INTO mxproof.chunks (list_id, n, size, emails)
       SELECT list.id, c.n, least(${CHUNK_SIZE}, list.total - c.n * ${CHUNK_SIZE}), c.emails
       FROM unnest($14::int[], $15::int[], string_to_array($16, E'\\n')) AS c (place, n, emails)
       JOIN wanted w ON w.place = c.place + 1 JOIN list ON list.id = w.id)
     SELECT (SELECT w.place - 1 FROM wanted w WHERE w.id = list.id) AS place, ${COLUMNS} FROM list`,
    [
      lists.map((list) => list.accountId),
      lists.map((list) => list.emails.total),
      lists.map((list) => list.single),
      lists.map((list) => storedName(list.name)),
      lists.map((list) => list.duplicatesRemoved),
      lists.map((list) => list.callbackUrl),
      lists.map((list) => list.group),
      lists.map((list) => list.retryOf),
      lists.map((list) => list.correctionOf),
      lists.map((list) => list.keyId),
      lists.map(testBytesOf),
      lists.map(({ file }) => file && storedFile(file)),
      lists.map((list) => list.mailMemberId),
      chunks.map((chunk) => chunk.place),
      chunks.map((chunk) => chunk.n),
      joinTexts(firsts),
    ],
  );
  const created: (List | null)[] = lists.map(() => null);
  for (const { place, ...row } of rows) {
    created[place] = toList(row);
    const { total, pieces } = lists[place]!.emails;
    for (const piece of pieces.slice(1)) await insertPiece(tx, row.id, total, piece);
  }
  return created;
}

/** One text for all of them, as bytes: an array of texts would be escaped character by character. */
function joinTexts(pieces: readonly ChunkPiece[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!.text;
  const lineBreak = Buffer.from('\n');
  return Buffer.concat(pieces.flatMap(({ text }, index) => (index === 0 ? [text] : [lineBreak, text])));
}

async function insertPiece(tx: Tx, listId: number, total: number, piece: ChunkPiece): Promise<void> {
  await tx.prepared(
    'insert-piece',
    `INSERT INTO mxproof.chunks (list_id, n, size, emails)
     SELECT $1, c.n, least(${CHUNK_SIZE}, $2 - c.n * ${CHUNK_SIZE}), c.emails
     FROM (SELECT $3 + row - 1 AS n, emails
           FROM unnest(string_to_array($4, E'\\n')) WITH ORDINALITY AS line (emails, row)) AS c`,
    [listId, total, piece.first, piece.text],
  );
}

export async function findList(tx: Tx, id: number, accountId: number): Promise<List | null> {
  const [row] = await tx.prepared<ListRow>(
    'find-list',
    `SELECT ${COLUMNS} FROM mxproof.lists WHERE id = $1 AND account_id = $2`,
    [id, accountId],
  );
  return row ? toList(row) : null;
}

/** By id; those that are gone are missing. */
export async function findLists(tx: Tx, ids: readonly number[]): Promise<Map<number, List>> {
  const rows = await tx.prepared<ListRow>(
    'find-lists',
    `SELECT ${COLUMNS} FROM mxproof.lists WHERE id = ANY($1) AND account_id IS NOT NULL`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, toList(row)]));
}

/** Null: no such list of this account. */
export async function renameList(tx: Tx, id: number, accountId: number, name: string): Promise<List | null> {
  const [row] = await tx.query<ListRow>(
    `UPDATE mxproof.lists SET name_json = $3 WHERE id = $1 AND account_id = $2 RETURNING ${COLUMNS}`,
    [id, accountId, storedName(name)],
  );
  return row ? toList(row) : null;
}

/** Null: no such list (deleted meanwhile). The lock makes writers of one list take turns. */
export async function lockList(tx: Tx, id: number): Promise<List | null> {
  const [row] = await tx.prepared<ListRow>(
    'lock-list',
    `SELECT ${COLUMNS} FROM mxproof.lists WHERE id = $1 AND account_id IS NOT NULL FOR UPDATE`,
    [id],
  );
  return row ? toList(row) : null;
}

export async function listsOf(
  tx: Tx,
  page: {
    accountId: number;
    offset: number;
    limit: number;
    status: ListStatus | null;
    group?: string | null;
    withSingles: boolean | 'only';
  },
): Promise<List[]> {
  const values: unknown[] = [page.accountId, page.offset, page.limit];
  const isOf = (column: string, value: string | null = null) =>
    value === null ? '' : `AND ${column} = $${values.push(value)}`;
  const filters = `${isOf('status', page.status)} ${isOf('group_word', page.group)}`;
  const idsOf = (singles: string) =>
    `SELECT id FROM mxproof.lists WHERE account_id = $1 ${singles} ${filters} ORDER BY id DESC`;
  /** The index by status has single checks and other lists apart: each is read no further than the page's end. */
  const apart = (...parts: readonly string[]) =>
    `SELECT id FROM (${parts
      .map((part) => `(${idsOf(part)} LIMIT $2::bigint + $3::bigint)`)
      .join(' UNION ALL ')}) AS either ORDER BY id DESC`;
  const idsOfPage = () => {
    if (!page.withSingles) return idsOf('AND NOT single');
    if (page.withSingles === 'only')
      return page.status === null
        ? apart(...LIST_STATUSES.map((status) => `AND single AND status = '${status}'`))
        : idsOf('AND single');
    return page.status === null ? idsOf('') : apart('AND single', 'AND NOT single');
  };
  // The page's ids first: what is skipped is counted in the index, and its rows are not read. In these words the
  // planner sees the index without single checks.
  const rows = await tx.query<ListRow>(
    `SELECT ${COLUMNS} FROM mxproof.lists WHERE id = ANY (ARRAY(${idsOfPage()} OFFSET $2 LIMIT $3)) ORDER BY id DESC`,
    values,
  );
  return rows.map(toList);
}

/** `processing` → `checking`, when work on the first address begins. */
export async function beginChecking(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.prepared(
    'begin-checking',
    `WITH begun AS (
       SELECT id FROM mxproof.lists WHERE id = ANY($1) AND status = 'processing' ORDER BY id FOR UPDATE)
     UPDATE mxproof.lists l SET status = 'checking' FROM begun WHERE l.id = begun.id`,
    [ids],
  );
}

/** Unfinished lists older than they may become: the oldest of each account, then the second of each, and so on. */
export async function lateLists(
  tx: Tx,
  limitMs: number,
  except: readonly number[] = [],
): Promise<{ id: number; total: number }[]> {
  return tx.query<{ id: number; total: number }>(
    `SELECT id, total FROM (
       SELECT id, total, row_number() OVER (PARTITION BY account_id ORDER BY created_at, id) AS turn FROM mxproof.lists
       WHERE finished_at IS NULL AND paused_at IS NULL
         -- The first of these is what the index knows.
         AND created_at < now() - make_interval(secs => $1) AND created_at + paused_for < now() - make_interval(secs => $1)
         AND id <> ALL($2::bigint[])) AS late
     ORDER BY turn, id LIMIT 100`,
    [limitMs / 1000, except],
  );
}

/** Which of these lists want work now. */
export async function unfinishedOf(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.prepared<{ id: number }>(
    'unfinished-of',
    'SELECT id FROM mxproof.lists WHERE id = ANY($1) AND finished_at IS NULL AND paused_at IS NULL',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Moves the counters by what became final; returns the list as it then is. */
export async function addToCounts(tx: Tx, id: number, added: Counts): Promise<List> {
  const [row] = await tx.prepared<ListRow>(
    'add-to-counts',
    `UPDATE mxproof.lists SET
       status = CASE WHEN status = 'processing' THEN 'checking' ELSE status END,
       checked = checked + $2 + $3 + $4 + $5,
       deliverable = deliverable + $2, risky = risky + $3, undeliverable = undeliverable + $4, unknown = unknown + $5
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, added.deliverable, added.risky, added.undeliverable, added.unknown],
  );
  return toList(row!);
}

export async function closeList(
  tx: Tx,
  id: number,
  end: { status: 'done' | 'failed'; failure: string | null },
): Promise<List> {
  const [row] = await tx.prepared<ListRow>(
    'close-list',
    `WITH gone AS (DELETE FROM mxproof.deferred WHERE list_id = $1),
     parked AS (DELETE FROM mxproof.parked_jobs WHERE list_id = $1)
     UPDATE mxproof.lists SET status = $2, failure = $3, finished_at = now(), paused_at = NULL WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, end.status, end.failure],
  );
  return toList(row!);
}

const SWEPT_AT_ONCE = 500;

/** Test lists that are too old, a few of each account first. An account's oldest are those with the lowest ids. */
export async function oldTestLists(
  tx: Tx,
  keptDays: number,
  except: readonly number[] = [],
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `SELECT l.id FROM mxproof.accounts a CROSS JOIN LATERAL (
       SELECT id, created_at, finished_at, row_number() OVER (ORDER BY id) AS turn FROM mxproof.lists
       WHERE account_id = a.id AND id <> ALL($2::bigint[]) ORDER BY id LIMIT ${SWEPT_AT_ONCE}) AS l
     WHERE a.test_of IS NOT NULL AND l.finished_at IS NOT NULL
       AND l.created_at < now() - make_interval(days => $1) ORDER BY l.turn, l.id LIMIT ${SWEPT_AT_ONCE}`,
    [keptDays, except],
  );
  return rows.map(({ id }) => id);
}

/** With all that refers to them; not their refunds. Those that are deleted, and may be brought back, are counted by no account. */
export async function removeLists(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query(
    `WITH gone AS (DELETE FROM mxproof.lists WHERE id = ANY($1) RETURNING account_id),
     fewer AS MATERIALIZED (SELECT account_id, count(*) AS lists FROM gone GROUP BY 1 ORDER BY 1)
     SELECT mxproof.forget_lists(account_id, lists) FROM fewer`,
    [ids],
  );
}

export async function removeList(tx: Tx, id: number): Promise<void> {
  await tx.query('DELETE FROM mxproof.lists WHERE id = $1', [id]);
}
