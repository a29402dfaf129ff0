// Callbacks: the bytes to send, and every attempt so far. A list has at most one.
import { nameOf } from '../rules/list-name.ts';
import type { Tx } from './database.ts';

export type CallbackState = 'pending' | 'delivered' | 'failed';

export interface Attempt {
  readonly atSeconds: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

export interface Callback {
  readonly listId: number;
  readonly accountId: number;
  /** Its list is deleted, and may be brought back: until then it is neither sent nor shown. */
  readonly isDeleted: boolean;
  /** Of a test list. */
  readonly test: boolean;
  /** Its id says so; of a callback made before 0.3 it does not. */
  readonly saysTest: boolean;
  readonly url: string;
  readonly body: string;
  readonly state: CallbackState;
  readonly attempts: readonly Attempt[];
  /** Attempts made before the last resend. */
  readonly earlier: number;
  readonly createdAtSeconds: number;
  readonly nextAttemptAtSeconds: number | null;
}

type CallbackRow = {
  list_id: number;
  owner_id: number;
  deleted: boolean;
  test: boolean;
  says_test: boolean;
  url: string;
  body: string;
  state: CallbackState;
  attempts: Attempt[];
  earlier: number;
  created: number;
  next: number | null;
};

const OWNER_ID = 'coalesce(account_id, (SELECT deleted_of FROM mxproof.lists l WHERE l.id = list_id))';
const COLUMNS = `list_id, ${OWNER_ID} AS owner_id, account_id IS NULL AS deleted,
  (SELECT test_of IS NOT NULL FROM mxproof.accounts a WHERE a.id = ${OWNER_ID}) AS test, says_test, url, body, state, attempts, earlier,
  floor(extract(epoch FROM created_at))::bigint AS created,
  floor(extract(epoch FROM next_attempt_at))::bigint AS next`;

function toCallback(row: CallbackRow): Callback {
  return {
    listId: row.list_id,
    accountId: row.owner_id,
    isDeleted: row.deleted,
    test: row.test,
    saysTest: row.says_test,
    url: row.url,
    body: row.body,
    state: row.state,
    attempts: row.attempts,
    earlier: row.earlier,
    createdAtSeconds: row.created,
    nextAttemptAtSeconds: row.next,
  };
}

export async function insertCallback(
  tx: Tx,
  callback: { listId: number; accountId: number; url: string; body: string },
): Promise<void> {
  await tx.query(
    `INSERT INTO mxproof.callbacks (list_id, account_id, url, body, says_test)
     SELECT $1, id, $3, $4, test_of IS NOT NULL FROM mxproof.accounts WHERE id = $2`,
    [callback.listId, callback.accountId, callback.url, callback.body],
  );
}

/** Null: the list has none, or is gone. */
export async function findCallback(tx: Tx, listId: number): Promise<Callback | null> {
  const [row] = await tx.query<CallbackRow>(`SELECT ${COLUMNS} FROM mxproof.callbacks WHERE list_id = $1`, [
    listId,
  ]);
  return row ? toCallback(row) : null;
}

export async function lockCallback(tx: Tx, listId: number): Promise<Callback | null> {
  const [row] = await tx.query<CallbackRow>(
    `SELECT ${COLUMNS} FROM mxproof.callbacks WHERE list_id = $1 FOR UPDATE`,
    [listId],
  );
  return row ? toCallback(row) : null;
}

/** Newest first; of one account or of all, without those of test lists. */
export async function callbacksOf(
  tx: Tx,
  page: { accountId: number | null; state: CallbackState | null; offset?: number; limit: number },
): Promise<Callback[]> {
  const rows = await tx.query<CallbackRow>(
    `SELECT ${COLUMNS} FROM mxproof.callbacks
     WHERE account_id IN (
       SELECT id FROM mxproof.accounts WHERE test_of IS NULL AND deleted_at IS NULL AND ($1::bigint IS NULL OR id = $1))
       AND ($2::text IS NULL OR state = $2)
     ORDER BY list_id DESC OFFSET $4 LIMIT $3`,
    [page.accountId, page.state, page.limit, page.offset ?? 0],
  );
  return rows.map(toCallback);
}

/** What a row of an account's callbacks shows. */
export interface CallbackEntry {
  readonly listId: number;
  readonly listName: string;
  readonly url: string;
  readonly state: CallbackState;
  readonly attemptCount: number;
  readonly lastAttempt: Attempt | null;
  /** Null while pending: the list is not done. */
  readonly nextAttemptAtSeconds: number | null;
}

type EntryRow = Omit<CallbackEntry, 'listName'> & { name_json: string };

/**
 * An account's callbacks, those of unfinished lists included, newest list first. In one snapshot a list is unfinished or has
 * its callback, so that none is there twice. The page's ids come first, out of two indexes, each read no further than the
 * page's end.
 */
export async function callbackEntries(
  tx: Tx,
  page: { accountId: number; offset: number; limit: number },
): Promise<CallbackEntry[]> {
  const rows = await tx.query<EntryRow>(
    `WITH page AS MATERIALIZED (
       (SELECT list_id FROM mxproof.callbacks WHERE account_id = $1
        ORDER BY list_id DESC LIMIT $2::bigint + $3::bigint)
       UNION ALL
       (SELECT id FROM mxproof.lists WHERE account_id = $1 AND callback_url IS NOT NULL AND finished_at IS NULL
        ORDER BY id DESC LIMIT $2::bigint + $3::bigint)
       ORDER BY list_id DESC OFFSET $2 LIMIT $3)
     SELECT l.id AS "listId", l.name_json, coalesce(c.url, l.callback_url) AS url, coalesce(c.state, 'pending') AS state,
            coalesce(jsonb_array_length(c.attempts), 0) AS "attemptCount", c.attempts -> -1 AS "lastAttempt",
            floor(extract(epoch FROM c.next_attempt_at))::bigint AS "nextAttemptAtSeconds"
     FROM page JOIN mxproof.lists l ON l.id = page.list_id LEFT JOIN mxproof.callbacks c USING (list_id)
     ORDER BY l.id DESC`,
    [page.accountId, page.offset, page.limit],
  );
  return rows.map(({ name_json, ...entry }) => ({ ...entry, listName: nameOf(name_json) }));
}

export async function saveAttempt(
  tx: Tx,
  listId: number,
  made: { attempt: Attempt; state: CallbackState; nextAfterSeconds: number | null },
): Promise<void> {
  await tx.query(
    `UPDATE mxproof.callbacks SET attempts = attempts || $2::jsonb, state = $3,
       next_attempt_at = now() + make_interval(secs => $4::float8)
     WHERE list_id = $1`,
    [listId, JSON.stringify([made.attempt]), made.state, made.nextAfterSeconds],
  );
}

/** Owners may resend as often as they like: so many attempts before the last resend are kept. */
const EARLIER_KEPT = 27;

/** Pending again, with the whole schedule before it. */
export async function reopenCallback(tx: Tx, listId: number): Promise<void> {
  await tx.query(
    `UPDATE mxproof.callbacks SET state = 'pending', next_attempt_at = now(),
       attempts = jsonb_path_query_array(attempts, '$[last - ${EARLIER_KEPT - 1} to last]'),
       earlier = least(jsonb_array_length(attempts), ${EARLIER_KEPT})
     WHERE list_id = $1`,
    [listId],
  );
}
