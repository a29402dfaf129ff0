// Links that let a person join an account. Promise: each is redeemed at most once, within its days, whichever nodes are asked at the
// same time.
import type { Role } from '../rules/roles.ts';
import type { Row, Tx } from './database.ts';

export const INVITATION_DAYS = 7;

const isFresh = (row: string) => `${row}.created_at > now() - make_interval(days => ${INVITATION_DAYS})`;

export async function insertInvitation(
  tx: Tx,
  invitation: { readonly memberId: number; readonly hash: Buffer; readonly byMail: boolean },
): Promise<void> {
  const { memberId, hash, byMail } = invitation;
  await tx.query('INSERT INTO mxproof.invitations (hash, member_id, by_mail) VALUES ($1, $2, $3)', [
    hash,
    memberId,
    byMail,
  ]);
}

export interface Invitation {
  readonly memberId: number;
  readonly byMail: boolean;
  readonly accountId: number;
  readonly accountName: string;
  readonly email: string | null;
  readonly role: Role;
  /** The person whose membership it is; null: no one has proved who they are. */
  readonly personId: number | null;
}

/** Null: unknown, too old or redeemed. */
export async function findInvitation(tx: Tx, hash: Buffer): Promise<Invitation | null> {
  const [row] = await tx.query<Invitation & Row>(
    `SELECT m.id AS "memberId", i.by_mail AS "byMail", m.account_id AS "accountId", a.name AS "accountName", m.email, m.role,
       m.person_id AS "personId"
     FROM mxproof.invitations i JOIN mxproof.members m ON m.id = i.member_id
     JOIN mxproof.accounts a ON a.id = m.account_id AND a.deleted_at IS NULL
     WHERE i.hash = $1 AND ${isFresh('i')}`,
    [hash],
  );
  return row ?? null;
}

/** Once: redeeming consumes it. */
export async function takeInvitation(tx: Tx, hash: Buffer): Promise<Invitation | null> {
  const found = await findInvitation(tx, hash);
  if (!found) return null;
  const rows = await tx.query('DELETE FROM mxproof.invitations WHERE hash = $1 RETURNING hash', [hash]);
  return rows.length === 1 ? found : null;
}

export async function endInvitationsOf(tx: Tx, memberId: number): Promise<void> {
  await tx.query('DELETE FROM mxproof.invitations WHERE member_id = $1', [memberId]);
}

export async function endInvitationsOfAccount(tx: Tx, accountId: number): Promise<void> {
  await tx.query(
    'DELETE FROM mxproof.invitations WHERE member_id IN (SELECT id FROM mxproof.members WHERE account_id = $1)',
    [accountId],
  );
}

export async function sweepInvitations(tx: Tx): Promise<void> {
  await tx.query(`DELETE FROM mxproof.invitations i WHERE NOT (${isFresh('i')})`);
}
