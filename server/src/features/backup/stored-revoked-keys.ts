// Revoked keys, of accounts and of operators, as the file beside backups knows them.
import type { Actor, AuditNote } from '../../rules/audit.ts';
import { writeAudit } from '../../store/audit.ts';
import type { Row, Tx } from '../../store/database.ts';

/** The newest, so that the file stays below what is read of it. */
const KEYS_MAX = 100_000;

export interface RevokedKey {
  readonly revokedAt: Date;
  /** In hex. */
  readonly hash: string;
}

/** `owner`: the account that operators know it under. */
const KEY_TABLES = [
  {
    table: 'api_keys',
    action: 'key.revoked',
    owner: '(SELECT coalesce(a.test_of, a.id) FROM mxproof.accounts a WHERE a.id = k.account_id)',
  },
  { table: 'admin_keys', action: 'admin_key.revoked', owner: 'NULL::bigint' },
] as const;
const REVOKED = KEY_TABLES.map(
  ({ table }) => `SELECT revoked_at, hash FROM mxproof.${table} WHERE revoked_at IS NOT NULL`,
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

/** In a restored store. Returns the prefixes of those that were valid in it; each is in the trail of its account, or in the deployment's. */
export async function revokeAgain(tx: Tx, actor: Actor, keys: readonly RevokedKey[]): Promise<string[]> {
  const prefixes: string[] = [];
  for (const { table, action, owner } of KEY_TABLES) {
    const revoked = await tx.query<{ id: number; prefix: string; owner: number | null }>(
      `UPDATE mxproof.${table} k SET revoked_at = known.at
       FROM unnest($1::text[], $2::timestamptz[]) AS known (hash, at)
       WHERE k.hash = decode(known.hash, 'hex') AND k.revoked_at IS NULL RETURNING k.id, k.prefix, ${owner} AS owner`,
      [keys.map(({ hash }) => hash), keys.map(({ revokedAt }) => revokedAt)],
    );
    for (const { id, prefix, owner: accountId } of revoked) {
      prefixes.push(prefix);
      await writeAudit(tx, actor, { action, accountId, subjectId: id });
    }
  }
  return prefixes;
}

/** What was done again, for the audit trail; null: it was not known. */
export function againChanges({
  erased,
  revoked,
}: {
  readonly erased: { readonly erasures: number } | null;
  readonly revoked: readonly string[] | null;
}): NonNullable<AuditNote['changes']> {
  return {
    erased_again: [null, erased === null ? null : erased.erasures],
    revoked_again: [null, revoked === null ? null : revoked.length],
  };
}
