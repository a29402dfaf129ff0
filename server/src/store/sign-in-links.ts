// One-time links that sign a browser in, and how often a client may try.
// Promise: a link is redeemed at most once, within its minutes, whichever nodes are asked at the same time.
import type { Tx } from './database.ts';

export const LINK_MINUTES = 15;
/** For one client address, and from its first attempt on. */
export const MAX_ATTEMPTS = 30;
export const ATTEMPTS_MS = 60_000;

const IS_FRESH = `created_at > now() - make_interval(mins => ${LINK_MINUTES})`;

export async function insertLink(tx: Tx, accountId: number, hash: Buffer): Promise<void> {
  await tx.query('INSERT INTO mxproof.sign_in_links (account_id, hash) VALUES ($1, $2)', [accountId, hash]);
}

/** Whose it is; null: unknown, too old or redeemed. */
export async function findLink(tx: Tx, hash: Buffer): Promise<{ accountName: string } | null> {
  const [row] = await tx.query<{ name: string }>(
    `SELECT a.name FROM mxproof.accounts a
     WHERE a.deleted_at IS NULL AND a.id = (SELECT account_id FROM mxproof.sign_in_links WHERE hash = $1 AND ${IS_FRESH})`,
    [hash],
  );
  return row ? { accountName: row.name } : null;
}

/** The account, once: redeeming consumes the link. */
export async function takeLink(tx: Tx, hash: Buffer): Promise<number | null> {
  const [row] = await tx.query<{ account_id: number }>(
    `DELETE FROM mxproof.sign_in_links WHERE hash = $1 AND ${IS_FRESH} RETURNING account_id`,
    [hash],
  );
  return row?.account_id ?? null;
}

export async function endLinksOf(tx: Tx, accountId: number): Promise<void> {
  await tx.query('DELETE FROM mxproof.sign_in_links WHERE account_id = $1', [accountId]);
}

export interface Attempts {
  readonly attempts: number;
  /** By the database's clock. */
  readonly beganAtMs: number;
  /** Of their minute. */
  readonly leftMs: number;
}

/** Counts one more. */
export async function countAttempt(tx: Tx, client: string): Promise<Attempts> {
  const [row] = await tx.query<{ attempts: number; began_at_ms: number; left_ms: number }>(
    `INSERT INTO mxproof.sign_in_attempts AS t (client) VALUES ($1)
     ON CONFLICT (client) DO UPDATE SET
       attempts = CASE WHEN ${isOver('t')} THEN 1 ELSE t.attempts + 1 END,
       began_at = CASE WHEN ${isOver('t')} THEN clock_timestamp() ELSE t.began_at END
     RETURNING t.attempts, floor(extract(epoch FROM t.began_at) * 1000)::bigint AS began_at_ms,
       ceil(extract(epoch FROM t.began_at - clock_timestamp()) * 1000)::bigint + ${ATTEMPTS_MS} AS left_ms`,
    [client],
  );
  return { attempts: row!.attempts, beganAtMs: row!.began_at_ms, leftMs: row!.left_ms };
}

/** A clock that stepped back ends it too. Not by now(), when the statement began: it may have waited for a later one. */
function isOver(row: string): string {
  return `${row}.began_at NOT BETWEEN clock_timestamp() - make_interval(secs => ${ATTEMPTS_MS / 1000}) AND clock_timestamp()`;
}

export async function sweepSignIns(tx: Tx): Promise<void> {
  await tx.query(`DELETE FROM mxproof.sign_in_links WHERE NOT (${IS_FRESH})`);
  await tx.query(`DELETE FROM mxproof.sign_in_attempts t WHERE ${isOver('t')}`);
}
