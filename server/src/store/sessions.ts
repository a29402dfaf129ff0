// Sessions of browsers. Promise: one that is idle for 12 hours, older than 30 days, signed out, or whose key is revoked
// or expired, or whose member is removed, or whose account is deleted, is never found; every use reads this table, on every node.
import type { KeyAccess } from '../rules/key-access.ts';
import type { Role } from '../rules/roles.ts';
import type { Row, Tx } from './database.ts';
import { ACCOUNT_LIMITS, type AccountLimits, IS_VALID, joinAccount } from './keys.ts';

const IDLE_HOURS = 12;
export const SESSION_DAYS = 30;
/** A use is written down when the last one is so old: a session may end this much early. */
const NOTE_USE_SECONDS = 60;
/** Of one key, of one member, or of all links of an account; the one of them that was used longest ago makes room. */
const MAX_SESSIONS = 20;

const IS_IN_TIME = `s.seen_at > now() - make_interval(hours => ${IDLE_HOURS})
  AND s.created_at > now() - make_interval(days => ${SESSION_DAYS})`;
const FROM_LIVE = `FROM mxproof.sessions s ${joinAccount('s.account_id')}
  LEFT JOIN mxproof.api_keys k ON k.id = s.key_id LEFT JOIN mxproof.members m ON m.id = s.member_id
  WHERE ${IS_IN_TIME} AND (s.key_id IS NULL OR (${IS_VALID}))`;

export interface Session {
  readonly id: number;
  readonly accountId: number;
  /** As of a key. */
  readonly parentId: number;
  /** Null: signed in with a link, or of a member. */
  readonly keyId: number | null;
  /** Null: it is no member's. */
  readonly memberId: number | null;
  /** The person, who may switch to their other accounts; null: no one who has proved who they are. */
  readonly personId: number | null;
  /** Of the member, at this moment. */
  readonly role: Role | null;
  readonly test: boolean;
  /** As its key; a link's and an owner's may. */
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
       s.member_id AS "memberId", s.person_id AS "personId", m.role,
       coalesce(k.test, a.test_of IS NOT NULL) AS test, coalesce(k.manage, m.role = 'owner', true) AS manage, coalesce(k.access, 'full') AS access,
       k.allowed_ips AS "allowedIps", k.rate_requests AS "rateRequests", k.rate_addresses AS "rateAddresses",
       live.suspended_at IS NOT NULL AS suspended, ${ACCOUNT_LIMITS} AS "accountLimits",
       s.seen_at < now() - make_interval(secs => ${NOTE_USE_SECONDS}) AS is_stale
     ${FROM_LIVE} AND s.hash = ANY($1)`,
    [hashes],
  );
  const stale = rows.filter(({ is_stale }) => is_stale);
  if (stale.length > 0) await noteUse(tx, stale);
  return hashes.map((hash) => rows.find((row) => row.hash.equals(hash)) ?? null);
}

async function noteUse(tx: Tx, sessions: readonly Session[]): Promise<void> {
  await tx.query('UPDATE mxproof.sessions SET seen_at = now() WHERE id = ANY($1)', [
    sessions.map(({ id }) => id).sort(byNumber),
  ]);
  const ofMembers = sessions.filter(({ memberId }) => memberId !== null);
  // As noteSeen of members.ts. One that is locked is being changed or removed.
  if (ofMembers.length > 0)
    await tx.query(
      `UPDATE mxproof.members SET last_seen_at = now() WHERE id IN (
         SELECT m.id FROM mxproof.members m JOIN mxproof.sessions s ON s.member_id = m.id
         WHERE s.id = ANY($1) AND s.person_id IS NOT DISTINCT FROM m.person_id FOR UPDATE OF m SKIP LOCKED)`,
      [ofMembers.map(({ id }) => id)],
    );
}

const byNumber = (a: number, b: number) => a - b;

/** Of those that may still be used, where each is. */
export async function validSessions(tx: Tx, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await tx.prepared<{ id: number; account_id: number }>(
    'valid-sessions',
    `SELECT s.id, s.account_id ${FROM_LIVE} AND s.id = ANY($1)`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row.account_id]));
}

/** Of a key, of a member, or of a link: neither. */
export interface SessionOwner {
  readonly accountId: number;
  readonly keyId: number | null;
  readonly memberId: number | null;
  readonly personId: number | null;
}

export async function insertSession(tx: Tx, owner: SessionOwner, hash: Buffer): Promise<void> {
  const { accountId, keyId, memberId, personId } = owner;
  await tx.query(
    'INSERT INTO mxproof.sessions (account_id, key_id, member_id, person_id, hash) VALUES ($1, $2, $3, $4, $5)',
    [accountId, keyId, memberId, personId, hash],
  );
  // A member's sessions are on either side of the account.
  const same =
    memberId === null
      ? 'account_id = $1 AND member_id IS NULL AND key_id IS NOT DISTINCT FROM $2'
      : 'member_id = $1';
  await end(
    tx,
    `s.id IN (SELECT id FROM mxproof.sessions WHERE ${same} ORDER BY seen_at DESC, id DESC OFFSET ${MAX_SESSIONS})`,
    memberId === null ? [accountId, keyId] : [memberId],
  );
}

/** To another account, or to another side of its account. */
export async function moveSession(
  tx: Tx,
  id: number,
  to: { readonly accountId: number; readonly memberId: number | null },
): Promise<void> {
  await tx.query('UPDATE mxproof.sessions SET account_id = $2, member_id = $3 WHERE id = $1', [
    id,
    to.accountId,
    to.memberId,
  ]);
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

/** Returns how many. */
export async function endSessionsOfMember(tx: Tx, memberId: number): Promise<number> {
  return end(tx, 's.member_id = $1', [memberId]);
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
