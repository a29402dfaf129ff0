// Revokes an API key, for good.
import type { Actor } from '../rules/audit.ts';
import { writeAudit } from '../store/audit.ts';
import type { Database } from '../store/database.ts';
import { revokeKey as revoke } from '../store/keys.ts';

/** Of this account or its test side; null: of any account, for an operator. False: no such key, or revoked before. */
export function revokeKey(
  db: Database,
  actor: Actor,
  keyId: number,
  accountId: number | null,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const owner = await revoke(tx, keyId, accountId);
    if (owner === null) return false;
    await writeAudit(tx, actor, {
      action: 'key.revoked',
      accountId: accountId ?? owner,
      subjectId: keyId,
    });
    return true;
  });
}
