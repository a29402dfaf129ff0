// What a claim or a mailbox stands for. Promise: deleted accounts and test sides are not found.
import type { Tx } from '../../store/database.ts';

export async function findAccountByExternalId(tx: Tx, externalId: string): Promise<number | null> {
  const [row] = await tx.query<{ id: number }>(
    'SELECT id FROM mxproof.accounts WHERE external_id = $1 AND test_of IS NULL AND deleted_at IS NULL',
    [externalId],
  );
  return row?.id ?? null;
}

/** Whether somebody could sign in with a link that is mailed there. In lower case. */
export async function isMailboxOfMember(tx: Tx, email: string): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM mxproof.members m JOIN mxproof.accounts a ON a.id = m.account_id AND a.deleted_at IS NULL
     WHERE (m.email = $1 AND m.person_id IS NULL) OR m.person_id = (SELECT id FROM mxproof.people WHERE email = $1)
     LIMIT 1`,
    [email],
  );
  return rows.length === 1;
}
