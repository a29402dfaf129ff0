// Makes and revokes keys of operators. Promise: each is one row in the audit trail; the key is shown once and stored as a hash.
import { randomBytes } from 'node:crypto';
import { KEY_RANDOM_BYTES, makeAdminKey } from '../../rules/api-key.ts';
import { type Actor, changesBetween } from '../../rules/audit.ts';
import { writeAudit } from '../../store/audit.ts';
import type { Database } from '../../store/database.ts';
import { type AdminKeyInfo, type AdminScope, insertAdminKey, revokeAdminKey } from './stored-admin-keys.ts';

export interface NewAdminKey {
  readonly label: string;
  readonly scope: AdminScope;
  readonly expiresAtSeconds: number | null;
  readonly allowedIps: readonly string[] | null;
}

export function createAdminKey(
  db: Database,
  actor: Actor,
  wanted: NewAdminKey,
): Promise<{ readonly key: AdminKeyInfo; readonly adminKey: string }> {
  return db.transaction(async (tx) => {
    const { key: adminKey, prefix, hash } = makeAdminKey(randomBytes(KEY_RANDOM_BYTES));
    const key = await insertAdminKey(tx, { ...wanted, prefix, hash });
    await writeAudit(tx, actor, {
      action: 'admin_key.created',
      accountId: null,
      subjectId: key.id,
      changes: changesBetween({}, { scope: wanted.scope, expires_at: wanted.expiresAtSeconds }),
      changed: wanted.allowedIps === null ? ['label'] : ['label', 'allowed_ips'],
    });
    return { key, adminKey };
  });
}

/** False: no such key, or revoked before. */
export function endAdminKey(db: Database, actor: Actor, id: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await revokeAdminKey(tx, id))) return false;
    await writeAudit(tx, actor, { action: 'admin_key.revoked', accountId: null, subjectId: id });
    return true;
  });
}
