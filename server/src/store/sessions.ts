// Sessions of browsers. Promise: one that is idle for 12 hours, older than 30 days, signed out, or whose key is revoked
// or expired, or whose account is deleted, is never found; every use reads this table, on every node.
import type { KeyAccess } from '../rules/key-access.ts';
import type { Row, Tx } from './database.ts';
import { ACCOUNT_LIMITS, type AccountLimits, IS_VALID, joinAccount } from './keys.ts';

const IDLE_HOURS = 12;
export const SESSION_DAYS = 30;
/** A use is written down when the last one is so old: a session may end this much early. */
const NOTE_USE_SECONDS = 60;
/** Of one key, or of all links of an account; the one of them that was used longest ago makes room. */
const MAX_SESSIONS = 20;

const IS_IN_TIME = `s.seen_at > now() - make_interval(hours => ${IDLE_HOURS})
  AND s.created_at > now() - make_interval(days => ${SESSION_DAYS})`;
const FROM_LIVE = `FROM mxproof.sessions s ${joinAccount('s.account_id')}
  LEFT JOIN mxproof.api_keys k ON k.id = s.key_id
  WHERE ${IS_IN_TIME} AND (s.key_id IS NULL OR (${IS_VALID}))`;

export interface Session {
  readonly id: number;
  readonly accountId: number;
  /** As of a key. */
  readonly parentId: number;
  /** Null: signed in with a link. */
  readonly keyId: number | null;
  readonly test: boolean;
  /** As its key; a link's may. */
  readonly manage: boolean;
  /** As its key's; a link's is full. */
  readonly access: KeyAccess;
  readonly allowedIps: readonly string[] | null;
  readonly suspended: boolean;
  readonly rateRequests: number | null;
  readonly rateAddresses: number | null;
  readonly accountLimits: AccountLimits;
}

type SessionRow = Session & Row & { hash: Buffer; is_stale: boolean };

/** Several at once, in the order of the questions. Using a session lets it live on. */
export async function findSessions(tx: Tx, hashes: readonly Buffer[]): Promise<(Session | null)[]> {
  const rows = await tx.prepared<SessionRow>(
    'find-sessions',
    `SELECT s.id, s.account_id AS "accountId", live.id AS "parentId", s.key_id AS "keyId", s.hash,
       coalesce(k.test, a.test_of IS NOT NULL) AS test, coalesce(k.manage, true) AS manage, coalesce(k.access, 'full') AS access,
       k.allowed_ips AS "allowedIps", k.rate_requests AS "rateRequests", k.rate_addresses AS "rateAddresses",
       live.suspended_at IS NOT NULL AS suspended, ${ACCOUNT_LIMITS} AS "accountLimits",
       s.seen_at < now() - make_interval(secs => ${NOTE_USE_SECONDS}) AS is_stale
     ${FROM_LIVE} AND s.hash = ANY($1)`,
    [hashes],
  );
  const stale = rows.filter(({ is_stale }) => is_stale).map(({ id }) => id);
  if (stale.length > 0)
    await tx.query('UPDATE mxproof.sessions SET seen_at = now() WHERE id = ANY($1)', [stale.sort(byNumber)]);
  return hashes.map((hash) => rows.find((row) => row.hash.equals(hash)) ?? null);
}

const byNumber = (a: number, b: number) => a - b;

/** Which of them may still be used. */
export async function validSessions(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  const rows = await tx.prepared<{ id: number }>(
    'valid-sessions',
    `SELECT s.id ${FROM_LIVE} AND s.id = ANY($1)`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

export async function insertSession(
  tx: Tx,
  session: { accountId: number; keyId: number | null; hash: Buffer },
): Promise<void> {
  await tx.query('INSERT INTO mxproof.sessions (account_id, key_id, hash) VALUES ($1, $2, $3)', [
    session.accountId,
    session.keyId,
    session.hash,
  ]);
  await end(
    tx,
    `s.id IN (
       SELECT id FROM mxproof.sessions WHERE account_id = $1 AND key_id IS NOT DISTINCT FROM $2
       ORDER BY seen_at DESC, id DESC OFFSET ${MAX_SESSIONS})`,
    [session.accountId, session.keyId],
  );
}

/** False: there is no such session any more. */
export async function endSession(tx: Tx, hash: Buffer): Promise<boolean> {
  return (await end(tx, 's.hash = $1', [hash])) === 1;
}

/** Test mode included; its keys stay. Returns how many. */
export async function endSessionsOf(tx: Tx, accountId: number): Promise<number> {
  return end(tx, 's.account_id IN (SELECT id FROM mxproof.accounts WHERE id = $1 OR test_of = $1)', [
    accountId,
  ]);
}

export async function sweepSessions(tx: Tx): Promise<void> {
  await end(tx, `NOT (${IS_IN_TIME})`, []);
}

/** With their rate windows, which go by the negated id. */
async function end(tx: Tx, which: string, values: readonly unknown[]): Promise<number> {
  const rows = await tx.query(
    `WITH ended AS (DELETE FROM mxproof.sessions s WHERE ${which} RETURNING s.id),
     freed AS (DELETE FROM mxproof.rate_windows WHERE key_id IN (SELECT -id FROM ended))
     SELECT id FROM ended`,
    values,
  );
  return rows.length;
}
