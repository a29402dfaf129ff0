// Callbacks: the bytes to send, and every attempt that was made. A list has at most one.
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
  readonly url: string;
  readonly body: string;
  readonly state: CallbackState;
  readonly attempts: readonly Attempt[];
  readonly createdAtSeconds: number;
}

type CallbackRow = {
  list_id: number;
  account_id: number;
  url: string;
  body: string;
  state: CallbackState;
  attempts: Attempt[];
  created: number;
};

const COLUMNS =
  'list_id, account_id, url, body, state, attempts, floor(extract(epoch FROM created_at))::bigint AS created';

function toCallback(row: CallbackRow): Callback {
  return {
    listId: row.list_id,
    accountId: row.account_id,
    url: row.url,
    body: row.body,
    state: row.state,
    attempts: row.attempts,
    createdAtSeconds: row.created,
  };
}

export async function insertCallback(
  tx: Tx,
  callback: { listId: number; accountId: number; url: string; body: string },
): Promise<void> {
  await tx.query('INSERT INTO mxproof.callbacks (list_id, account_id, url, body) VALUES ($1, $2, $3, $4)', [
    callback.listId,
    callback.accountId,
    callback.url,
    callback.body,
  ]);
}

export async function findCallback(tx: Tx, listId: number): Promise<Callback | null> {
  const [row] = await tx.query<CallbackRow>(`SELECT ${COLUMNS} FROM mxproof.callbacks WHERE list_id = $1`, [
    listId,
  ]);
  return row ? toCallback(row) : null;
}
