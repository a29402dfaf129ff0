// The request log in the database.
import type { ErrorCode } from '../../http/errors.ts';
import type { Database, Row, Tx } from '../../store/database.ts';
import type { LoggedRequest } from './request-batch.ts';

export const KEPT_DAYS = 7;
/** Of an account. */
export const MAX_KEPT = 10_000;

/** Written twice, a row is there once; so are the 429s of a key in one minute. */
export async function insertRequests(tx: Tx, rows: readonly LoggedRequest[]): Promise<void> {
  await tx.prepared(
    'insert-requests',
    // A clock that is ahead would keep its rows for too long.
    `INSERT INTO mxproof.requests (account_id, at, id, method, route, status, error, duration_ms, key_id, client)
     SELECT account_id, least(to_timestamp(at_ms / 1000), now()), id, method, route, status, error, duration_ms, key_id, client
     FROM unnest($1::bigint[], $2::float8[], $3::uuid[], $4::text[], $5::text[], $6::smallint[], $7::text[], $8::integer[],
       $9::bigint[], $10::text[])
       AS w (account_id, at_ms, id, method, route, status, error, duration_ms, key_id, client)
     -- What is written a little later must not be of an account that is deleted.
     WHERE EXISTS (SELECT FROM mxproof.accounts a WHERE a.id = w.account_id AND a.deleted_at IS NULL)
     ON CONFLICT DO NOTHING`,
    [
      rows.map(({ accountId }) => accountId),
      rows.map(({ atMs }) => atMs),
      rows.map(({ id }) => id),
      rows.map(({ method }) => method),
      rows.map(({ route }) => route),
      rows.map(({ status }) => status),
      rows.map(({ error }) => error),
      rows.map(({ durationMs }) => durationMs),
      rows.map(({ keyId }) => keyId),
      rows.map(({ client }) => client),
    ],
  );
}

export interface StoredRequest extends Omit<LoggedRequest, 'accountId' | 'atMs' | 'error'> {
  readonly atSeconds: number;
  readonly error: ErrorCode | null;
}

/** Newest first. Between two sweeps there may be more of them than an account is shown. */
export async function requestsOf(
  tx: Tx,
  page: {
    readonly accountId: number;
    readonly id: string | null;
    readonly status: number | null;
    /** Unix seconds. */
    readonly since: number | null;
    readonly offset: number;
    readonly limit: number;
  },
): Promise<StoredRequest[]> {
  return tx.query<StoredRequest & Row>(
    `SELECT id, floor(extract(epoch FROM at))::bigint AS "atSeconds", method, route, status, error,
       duration_ms AS "durationMs", key_id AS "keyId", client
     FROM (SELECT * FROM mxproof.requests WHERE account_id = $1 AND at > now() - make_interval(days => ${KEPT_DAYS})
           ORDER BY at DESC, id DESC LIMIT ${MAX_KEPT}) AS kept
     WHERE ($2::uuid IS NULL OR id = $2) AND ($3::integer IS NULL OR status = $3)
       AND ($4::bigint IS NULL OR extract(epoch FROM at) >= $4)
     ORDER BY at DESC, id DESC OFFSET $5 LIMIT $6`,
    [page.accountId, page.id, page.status, page.since, page.offset, page.limit],
  );
}

export async function sweepOldRequests(db: Database): Promise<void> {
  await db.query(`DELETE FROM mxproof.requests WHERE at < now() - make_interval(days => ${KEPT_DAYS})`);
}

export async function sweepExcessRequests(db: Database): Promise<void> {
  await db.query(
    `DELETE FROM mxproof.requests r USING (
       SELECT a.id AS account_id, oldest.at, oldest.id FROM mxproof.accounts a CROSS JOIN LATERAL (
         SELECT at, id FROM mxproof.requests WHERE account_id = a.id
         ORDER BY at DESC, id DESC OFFSET ${MAX_KEPT - 1} LIMIT 1) AS oldest) AS kept
     WHERE r.account_id = kept.account_id AND (r.at, r.id) < (kept.at, kept.id)`,
  );
}
