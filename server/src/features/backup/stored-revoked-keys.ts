// Revoked keys, of accounts and of operators, as the file beside backups knows them.
import type { Row, Tx } from '../../store/database.ts';

/** The newest, so that the file stays below what is read of it. */
const KEYS_MAX = 100_000;

export interface RevokedKey {
  readonly revokedAt: Date;
  /** In hex. */
  readonly hash: string;
}

const KEY_TABLES = ['api_keys', 'admin_keys'];
const REVOKED = KEY_TABLES.map(
  (table) => `SELECT revoked_at, hash FROM mxproof.${table} WHERE revoked_at IS NOT NULL`,
).join(' UNION ALL ');

export async function revokedKeys(tx: Tx): Promise<RevokedKey[]> {
  return tx.query<Row & RevokedKey>(
    `SELECT revoked_at AS "revokedAt", encode(hash, 'hex') AS hash
     FROM (${REVOKED}) AS revoked ORDER BY revoked_at DESC LIMIT ${KEYS_MAX}`,
  );
}

/** Another with each revocation. */
export async function latestRevocation(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ latest: string }>(
    `SELECT concat(count(*), ' ', max(revoked_at)) AS latest FROM (${REVOKED}) AS revoked`,
  );
  return row!.latest;
}

/** In a restored store. Returns the prefixes of those that were valid in it. */
export async function revokeAgain(tx: Tx, keys: readonly RevokedKey[]): Promise<string[]> {
  const prefixes: string[] = [];
  for (const table of KEY_TABLES) {
    const revoked = await tx.query<{ prefix: string }>(
      `UPDATE mxproof.${table} k SET revoked_at = known.at
       FROM unnest($1::text[], $2::timestamptz[]) AS known (hash, at)
       WHERE k.hash = decode(known.hash, 'hex') AND k.revoked_at IS NULL RETURNING k.prefix`,
      [keys.map(({ hash }) => hash), keys.map(({ revokedAt }) => revokedAt)],
    );
    prefixes.push(...revoked.map(({ prefix }) => prefix));
  }
  return prefixes;
}
