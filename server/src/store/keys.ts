// API keys: a hash and a prefix, never the key. Revoked keys stay, so that an operator can see them.
import { sameHash } from '../rules/api-key.ts';
import type { Tx } from './database.ts';

export interface KeyOwner {
  readonly keyId: number;
  readonly accountId: number;
  /** Null: the deployment's limit. */
  readonly rateRequests: number | null;
  readonly rateAddresses: number | null;
}

export interface KeyInfo {
  readonly id: number;
  readonly accountId: number;
  readonly prefix: string;
  readonly label: string;
  readonly createdAtSeconds: number;
  readonly revokedAtSeconds: number | null;
}

type OwnerRow = {
  id: number;
  account_id: number;
  prefix: string;
  hash: Buffer;
  rate_requests: number | null;
  rate_addresses: number | null;
};

/** Several at once: one statement serves every request that waits. The answer is in the order of the questions. */
export async function findKeyOwners(
  tx: Tx,
  presented: readonly { prefix: string; hash: Buffer }[],
): Promise<(KeyOwner | null)[]> {
  const rows = await tx.prepared<OwnerRow>(
    'find-keys',
    `SELECT id, account_id, prefix, hash, rate_requests, rate_addresses
     FROM mxproof.api_keys WHERE prefix = ANY($1) AND revoked_at IS NULL`,
    [[...new Set(presented.map((key) => key.prefix))]],
  );
  return presented.map(({ prefix, hash }) => {
    const row = rows.find((candidate) => candidate.prefix === prefix && sameHash(candidate.hash, hash));
    if (!row) return null;
    return {
      keyId: row.id,
      accountId: row.account_id,
      rateRequests: row.rate_requests,
      rateAddresses: row.rate_addresses,
    };
  });
}

/** Which of these keys would be admitted now. */
export async function validKeys(tx: Tx, keyIds: readonly number[]): Promise<Set<number>> {
  const rows = await tx.prepared<{ id: number }>(
    'valid-keys',
    'SELECT id FROM mxproof.api_keys WHERE id = ANY($1) AND revoked_at IS NULL',
    [keyIds],
  );
  return new Set(rows.map(({ id }) => id));
}

export async function insertKey(
  tx: Tx,
  key: {
    accountId: number;
    prefix: string;
    hash: Buffer;
    label: string;
    rateRequests: number | null;
    rateAddresses: number | null;
  },
): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `INSERT INTO mxproof.api_keys (account_id, prefix, hash, label, rate_requests, rate_addresses)
     VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
    [key.accountId, key.prefix, key.hash, key.label, key.rateRequests, key.rateAddresses],
  );
  return row!.id;
}

export async function keysOf(tx: Tx, accountId: number): Promise<KeyInfo[]> {
  return tx.query<KeyInfo & Record<string, unknown>>(
    `SELECT id, account_id AS "accountId", prefix, label,
            floor(extract(epoch FROM created_at))::bigint AS "createdAtSeconds",
            floor(extract(epoch FROM revoked_at))::bigint AS "revokedAtSeconds"
     FROM mxproof.api_keys WHERE account_id = $1 ORDER BY id`,
    [accountId],
  );
}

/** False: no such key, or revoked before. */
export async function revokeKey(tx: Tx, keyId: number): Promise<boolean> {
  const rows = await tx.query(
    'UPDATE mxproof.api_keys SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id',
    [keyId],
  );
  return rows.length === 1;
}
