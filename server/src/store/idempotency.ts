// Remembered responses: the same key and body within a day returns the first response and charges once.
import type { Tx } from './database.ts';

export type IdempotentRoute = 'verify' | 'lists' | 'retry' | 'corrections';

export interface IdempotencyKey {
  readonly accountId: number;
  readonly route: IdempotentRoute;
  readonly key: string;
  readonly bodyHash: Buffer;
}

export interface RememberedResponse {
  readonly status: number;
  readonly body: string;
}

export interface RememberedRequest {
  readonly listId: number;
  readonly sameBody: boolean;
  /** Null: the first request has no response yet (or its node died before it could). */
  readonly response: RememberedResponse | null;
}

type RememberedRow = { list_id: number; body_hash: Buffer; status: number | null; answer: string | null };

const KEPT_SECONDS = 24 * 60 * 60;

export async function recall(tx: Tx, key: IdempotencyKey): Promise<RememberedRequest | null> {
  const [row] = await tx.prepared<RememberedRow>(
    'recall',
    `SELECT list_id, body_hash, status, answer FROM mxproof.idempotency
     WHERE account_id = $1 AND route = $2 AND key = $3 AND created_at > now() - make_interval(secs => ${KEPT_SECONDS})`,
    [key.accountId, key.route, key.key],
  );
  if (!row) return null;
  return {
    listId: row.list_id,
    sameBody: row.body_hash.equals(key.bodyHash),
    response: row.status === null ? null : { status: row.status, body: row.answer! },
  };
}

/** In the charge's transaction. False: another request was first; the caller rolls back and reads its response. */
export async function remember(tx: Tx, key: IdempotencyKey, listId: number): Promise<boolean> {
  // A concurrent first request holds the row uncommitted: this waits for its end, then finds it or not.
  const rows = await tx.query(
    `INSERT INTO mxproof.idempotency AS i (account_id, route, key, body_hash, list_id) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (account_id, route, key) DO UPDATE
       SET body_hash = excluded.body_hash, list_id = excluded.list_id, status = NULL, answer = NULL, created_at = now()
       WHERE i.created_at <= now() - make_interval(secs => ${KEPT_SECONDS})
     RETURNING list_id`,
    [key.accountId, key.route, key.key, key.bodyHash, listId],
  );
  return rows.length === 1;
}

/**
 * The first response wins: a repeat that waited beside it may come second. Where the address was erased meanwhile, nothing
 * is remembered.
 */
export async function rememberResponse(
  tx: Tx,
  key: IdempotencyKey,
  response: RememberedResponse,
): Promise<void> {
  await tx.query(
    `UPDATE mxproof.idempotency SET status = $4, answer = $5
     WHERE account_id = $1 AND route = $2 AND key = $3 AND status IS NULL AND body_hash = $6`,
    [key.accountId, key.route, key.key, response.status, response.body, key.bodyHash],
  );
}

export async function sweepIdempotency(tx: Tx): Promise<void> {
  await tx.query(
    `DELETE FROM mxproof.idempotency WHERE created_at < now() - make_interval(secs => ${KEPT_SECONDS})`,
  );
}
