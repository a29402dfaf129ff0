// Keys of operators, mx_admin_…: a hash and a prefix, never the key. Revoked ones stay, so that the trail's numbers have a row.
// Promise: one that is revoked or expired is never found; every use reads this table, on every node.
import type { Row, Tx } from '../../store/database.ts';

const ADMIN_SCOPES = ['read', 'write'] as const;
/** read: every GET. write: everything. */
export type AdminScope = (typeof ADMIN_SCOPES)[number];

export interface AdminKeyInfo {
  readonly id: number;
  readonly prefix: string;
  readonly label: string;
  readonly scope: AdminScope;
  readonly allowedIps: readonly string[] | null;
  readonly createdAtSeconds: number;
  readonly lastUsedAtSeconds: number | null;
  readonly expiresAtSeconds: number | null;
  readonly revokedAtSeconds: number | null;
}

/** Of a row `k`. */
export const IS_VALID_ADMIN_KEY = 'k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())';
/** Not again within this while: the time is for people. */
const LAST_USED_SECONDS = 60;

const INFO = `k.id, k.prefix, k.label, k.scope, k.allowed_ips AS "allowedIps",
  floor(extract(epoch FROM k.created_at))::bigint AS "createdAtSeconds",
  floor(extract(epoch FROM k.last_used_at))::bigint AS "lastUsedAtSeconds",
  floor(extract(epoch FROM k.expires_at))::bigint AS "expiresAtSeconds",
  floor(extract(epoch FROM k.revoked_at))::bigint AS "revokedAtSeconds"`;

export async function insertAdminKey(
  tx: Tx,
  key: {
    readonly prefix: string;
    readonly hash: Buffer;
    readonly label: string;
    readonly scope: AdminScope;
    readonly expiresAtSeconds: number | null;
    readonly allowedIps: readonly string[] | null;
  },
): Promise<AdminKeyInfo> {
  const [row] = await tx.query<AdminKeyInfo & Row>(
    `INSERT INTO mxproof.admin_keys AS k (prefix, hash, label, scope, expires_at, allowed_ips)
     VALUES ($1, $2, $3, $4, to_timestamp($5), $6) RETURNING ${INFO}`,
    [key.prefix, key.hash, key.label, key.scope, key.expiresAtSeconds, key.allowedIps],
  );
  return row!;
}

/** Oldest first, revoked ones included. */
export async function adminKeys(tx: Tx): Promise<AdminKeyInfo[]> {
  return tx.query<AdminKeyInfo & Row>(`SELECT ${INFO} FROM mxproof.admin_keys k ORDER BY k.id`);
}

export interface FoundAdminKey {
  readonly keyId: number;
  readonly scope: AdminScope;
  readonly allowedIps: readonly string[] | null;
}

/** Several at once, in the order of the questions. Notes their use. */
export async function findAdminKeys(tx: Tx, hashes: readonly Buffer[]): Promise<(FoundAdminKey | null)[]> {
  const rows = await tx.prepared<FoundAdminKey & Row & { hash: Buffer; isStale: boolean }>(
    'find-admin-keys',
    `SELECT k.id AS "keyId", k.scope, k.allowed_ips AS "allowedIps", k.hash,
       k.last_used_at IS NULL OR k.last_used_at < now() - make_interval(secs => ${LAST_USED_SECONDS}) AS "isStale"
     FROM mxproof.admin_keys k WHERE k.hash = ANY($1) AND ${IS_VALID_ADMIN_KEY}`,
    [hashes],
  );
  const stale = rows.filter(({ isStale }) => isStale).map(({ keyId }) => keyId);
  if (stale.length > 0)
    await tx.query(
      `UPDATE mxproof.admin_keys SET last_used_at = now() WHERE id IN (
         SELECT id FROM mxproof.admin_keys WHERE id = ANY($1) ORDER BY id FOR UPDATE SKIP LOCKED)`,
      [stale],
    );
  return hashes.map((hash) => {
    const row = rows.find((each) => each.hash.equals(hash));
    return row ? { keyId: row.keyId, scope: row.scope, allowedIps: row.allowedIps } : null;
  });
}

/** With the sessions that it has begun. False: no such key, or revoked before. */
export async function revokeAdminKey(tx: Tx, id: number): Promise<boolean> {
  const rows = await tx.query(
    'UPDATE mxproof.admin_keys SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id',
    [id],
  );
  if (rows.length === 1) await tx.query('DELETE FROM mxproof.operator_sessions WHERE key_id = $1', [id]);
  return rows.length === 1;
}
