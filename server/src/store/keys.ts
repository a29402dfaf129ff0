// API keys: a hash and a prefix, never the key. Revoked keys stay, so that an operator can see them.
import { sameHash } from '../rules/api-key.ts';
import type { KeyAccess } from '../rules/key-access.ts';
import type { Row, Tx } from './database.ts';

export interface KeyOwner {
  readonly keyId: number;
  readonly accountId: number;
  /** Of a test key: the account whose test side it is; else the same. */
  readonly parentId: number;
  readonly test: boolean;
  /** It may make and delete keys. */
  readonly manage: boolean;
  readonly access: KeyAccess;
  /** Addresses and CIDR ranges; null: from anywhere. */
  readonly allowedIps: readonly string[] | null;
  /** Its account is: what reads and deletes still is answered. */
  readonly suspended: boolean;
  /** Null: the account's limit. */
  readonly rateRequests: number | null;
  readonly rateAddresses: number | null;
  readonly accountLimits: AccountLimits;
}

type OwnLimits = Readonly<Record<'requests' | 'addresses', number | null>>;

/** Of a test key those of the live account. */
export interface AccountLimits {
  /** What its keys and sessions have without limits of their own; null: the deployment's. */
  readonly base: OwnLimits;
  /** The highest that its keys have of their own; null: none has one. */
  readonly ofKeys: OwnLimits;
}

export interface KeyInfo {
  readonly id: number;
  readonly prefix: string;
  readonly label: string;
  readonly test: boolean;
  readonly manage: boolean;
  readonly access: KeyAccess;
  readonly createdAtSeconds: number;
  readonly lastUsedAtSeconds: number | null;
  readonly expiresAtSeconds: number | null;
  readonly allowedIps: readonly string[] | null;
  readonly revokedAtSeconds: number | null;
}

type OwnerRow = {
  id: number;
  account_id: number;
  parent_id: number;
  prefix: string;
  hash: Buffer;
  test: boolean;
  manage: boolean;
  access: KeyAccess;
  allowed_ips: string[] | null;
  suspended: boolean;
  rate_requests: number | null;
  rate_addresses: number | null;
  account_limits: AccountLimits;
};

export const IS_VALID = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())';

/** `live`: the account that operators know, which is `a` or the one whose test side `a` is. A deleted one admits to nothing. */
export const joinAccount = (accountId: string) => `JOIN mxproof.accounts a ON a.id = ${accountId}
  JOIN mxproof.accounts live ON live.id = coalesce(a.test_of, a.id) AND live.deleted_at IS NULL`;

/** After `joinAccount`: JSON of AccountLimits. Only operators give a key its own limits, so that there are few to look at. */
export const ACCOUNT_LIMITS = `json_build_object(
  'base', json_build_object('requests', live.rate_requests, 'addresses', live.rate_addresses),
  'ofKeys', (
    SELECT json_build_object('requests', max(rate_requests), 'addresses', max(rate_addresses)) FROM mxproof.api_keys
    WHERE account_id = a.id AND (rate_requests IS NOT NULL OR rate_addresses IS NOT NULL) AND ${IS_VALID}))`;

/**
 * Several at once: one statement serves every request that waits. The answer is in the order of the questions; null: no
 * such key, or it is revoked or expired.
 */
export async function findKeyOwners(
  tx: Tx,
  presented: readonly { prefix: string; hash: Buffer }[],
): Promise<(KeyOwner | null)[]> {
  const rows = await tx.prepared<OwnerRow>(
    'find-keys',
    `SELECT k.id, k.account_id, live.id AS parent_id, k.prefix, k.hash, k.test, k.manage, k.access, k.allowed_ips,
       live.suspended_at IS NOT NULL AS suspended, k.rate_requests, k.rate_addresses, ${ACCOUNT_LIMITS} AS account_limits
     FROM mxproof.api_keys k ${joinAccount('k.account_id')}
     WHERE k.prefix = ANY($1) AND ${IS_VALID}`,
    [[...new Set(presented.map((key) => key.prefix))]],
  );
  return presented.map(({ prefix, hash }) => {
    const row = rows.find((candidate) => candidate.prefix === prefix && sameHash(candidate.hash, hash));
    if (!row) return null;
    return {
      keyId: row.id,
      accountId: row.account_id,
      parentId: row.parent_id,
      test: row.test,
      manage: row.manage,
      access: row.access,
      allowedIps: row.allowed_ips,
      suspended: row.suspended,
      rateRequests: row.rate_requests,
      rateAddresses: row.rate_addresses,
      accountLimits: row.account_limits,
    };
  });
}

/** Which of these keys would be admitted now. */
export async function validKeys(tx: Tx, keyIds: readonly number[]): Promise<Set<number>> {
  const rows = await tx.prepared<{ id: number }>(
    'valid-keys',
    `SELECT id FROM mxproof.api_keys WHERE id = ANY($1) AND ${IS_VALID}`,
    [keyIds],
  );
  return new Set(rows.map(({ id }) => id));
}

const INFO = `k.id, k.prefix, k.label, k.test, k.manage, k.access, k.allowed_ips AS "allowedIps",
  floor(extract(epoch FROM k.created_at))::bigint AS "createdAtSeconds",
  floor(extract(epoch FROM k.last_used_at))::bigint AS "lastUsedAtSeconds",
  floor(extract(epoch FROM k.expires_at))::bigint AS "expiresAtSeconds",
  floor(extract(epoch FROM k.revoked_at))::bigint AS "revokedAtSeconds"`;

export interface KeyToInsert {
  readonly accountId: number;
  readonly prefix: string;
  readonly hash: Buffer;
  readonly label: string;
  readonly manage: boolean;
  readonly access: KeyAccess;
  readonly expiresAtSeconds: number | null;
  readonly allowedIps: readonly string[] | null;
  readonly rateRequests: number | null;
  readonly rateAddresses: number | null;
}

export async function insertKey(tx: Tx, key: KeyToInsert): Promise<KeyInfo> {
  const [row] = await tx.query<KeyInfo & Row>(
    `INSERT INTO mxproof.api_keys AS k
       (account_id, prefix, hash, label, manage, access, expires_at, allowed_ips, rate_requests, rate_addresses)
     VALUES ($1, $2, $3, $4, $5, $6, to_timestamp($7), $8, $9, $10) RETURNING ${INFO}`,
    [
      ...[key.accountId, key.prefix, key.hash, key.label, key.manage, key.access, key.expiresAtSeconds],
      ...[key.allowedIps, key.rateRequests, key.rateAddresses],
    ],
  );
  return row!;
}

/** Of the account and, where it is a live one, of its test twin: `k` is one of theirs. */
const OF_ACCOUNT = `k.account_id IN (SELECT id FROM mxproof.accounts WHERE id = $1 OR test_of = $1)`;

/** The account's keys and its test keys; those that were revoked, of which there is no end, only where they are wanted. */
export async function keysOf(
  tx: Tx,
  accountId: number,
  wanted: { readonly revoked: boolean },
): Promise<KeyInfo[]> {
  return tx.query<KeyInfo & Row>(
    `SELECT ${INFO} FROM mxproof.api_keys k
     WHERE ${OF_ACCOUNT} ${wanted.revoked ? '' : 'AND revoked_at IS NULL'} ORDER BY k.id`,
    [accountId],
  );
}

/** Without revoked ones. */
export async function countKeys(tx: Tx, accountId: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `SELECT count(*) AS count FROM mxproof.api_keys k WHERE ${OF_ACCOUNT} AND revoked_at IS NULL`,
    [accountId],
  );
  return row!.count;
}

/** Of this account; null: of any. Returns the account, of a test key the one whose test side it is; null: no such key, or revoked before. */
export async function revokeKey(tx: Tx, keyId: number, accountId: number | null): Promise<number | null> {
  const [row] = await tx.query<{ owner: number }>(
    `UPDATE mxproof.api_keys k SET revoked_at = now()
     WHERE k.id = $2 AND revoked_at IS NULL AND ($1::bigint IS NULL OR ${OF_ACCOUNT})
     RETURNING (SELECT coalesce(a.test_of, a.id) FROM mxproof.accounts a WHERE a.id = k.account_id) AS owner`,
    [accountId, keyId],
  );
  return row?.owner ?? null;
}

/** Not again within this while: the time is for people. */
export const LAST_USED_SECONDS = 60;

/** Skips locked rows: a concurrent transaction is writing the same value. */
export async function saveLastUsed(tx: Tx, keyIds: readonly number[]): Promise<void> {
  await tx.query(
    `UPDATE mxproof.api_keys SET last_used_at = now() WHERE id IN (
       SELECT id FROM mxproof.api_keys
       WHERE id = ANY($1) AND (last_used_at IS NULL OR last_used_at < now() - make_interval(secs => ${LAST_USED_SECONDS}))
       FOR UPDATE SKIP LOCKED)`,
    [keyIds],
  );
}
