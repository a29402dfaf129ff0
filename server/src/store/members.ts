// Members of accounts. Promise: a membership that a person has is never given to another; an account that had a joined owner has one.
// Mailboxes come as `mailboxIn` writes them, accounts are live ones.
import type { Role } from '../rules/roles.ts';
import type { Row, Tx } from './database.ts';

export const MAX_MEMBERS = 1_000;

export interface Member {
  readonly id: number;
  readonly accountId: number;
  readonly email: string | null;
  readonly role: Role;
  /** Null: no one has proved who they are yet. */
  readonly personId: number | null;
  readonly createdAtSeconds: number;
  /** Null: invited. */
  readonly joinedAtSeconds: number | null;
  readonly lastSeenAtSeconds: number | null;
  readonly listMail: boolean;
  /** Of the last mail to them: of the invitation until they have proved a mailbox. Null: it went well, or there was none. */
  readonly mailError: string | null;
}

type MemberRow = Member & Row;

const seconds = (column: string) => `floor(extract(epoch FROM ${column}))::bigint`;
const COLUMNS = `m.id, m.account_id AS "accountId", m.email, m.role, m.person_id AS "personId",
  ${seconds('m.created_at')} AS "createdAtSeconds", ${seconds('m.joined_at')} AS "joinedAtSeconds",
  ${seconds('m.last_seen_at')} AS "lastSeenAtSeconds", m.list_mail AS "listMail",
  CASE WHEN m.person_id IS NULL
    THEN (SELECT error FROM mxproof.link_mails WHERE member_id = m.id ORDER BY created_at DESC LIMIT 1)
    ELSE (SELECT r.error FROM mxproof.people p JOIN mxproof.mail_recipients r ON r.address = p.email WHERE p.id = m.person_id)
  END AS "mailError"`;

export async function membersOf(tx: Tx, accountId: number): Promise<Member[]> {
  return tx.query<MemberRow>(
    `SELECT ${COLUMNS} FROM mxproof.members m WHERE m.account_id = $1 ORDER BY m.id`,
    [accountId],
  );
}

export async function countMembers(tx: Tx, accountId: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    'SELECT count(*) AS count FROM mxproof.members WHERE account_id = $1',
    [accountId],
  );
  return row!.count;
}

/** Until the transaction ends, nothing about it changes. */
export async function lockMember(tx: Tx, id: number, accountId: number): Promise<Member | null> {
  const [row] = await tx.query<MemberRow>(
    `SELECT ${COLUMNS} FROM mxproof.members m WHERE m.id = $1 AND m.account_id = $2 FOR UPDATE`,
    [id, accountId],
  );
  return row ?? null;
}

/** `personId`: joined at once. Null: the account has a member with this mailbox, or of this person. */
export async function insertMember(
  tx: Tx,
  member: {
    readonly accountId: number;
    readonly email: string | null;
    readonly role: Role;
    readonly personId?: number;
  },
): Promise<Member | null> {
  const { accountId, email, role, personId = null } = member;
  const [row] = await tx.query<MemberRow>(
    `INSERT INTO mxproof.members AS m (account_id, email, role, person_id, joined_at)
     VALUES ($1, $2, $3, $4, CASE WHEN $4::bigint IS NOT NULL THEN now() END)
     ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    [accountId, email, role, personId],
  );
  return row ?? null;
}

export async function setRole(tx: Tx, id: number, role: Role): Promise<Member> {
  const [row] = await tx.query<MemberRow>(
    `UPDATE mxproof.members m SET role = $2 WHERE m.id = $1 RETURNING ${COLUMNS}`,
    [id, role],
  );
  return row!;
}

/** Sessions and invitations go with it. */
export async function deleteMember(tx: Tx, id: number): Promise<void> {
  await tx.query('DELETE FROM mxproof.members WHERE id = $1', [id]);
}

/** Joined ones. */
export async function hasOtherOwner(tx: Tx, { accountId, id }: Member): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM mxproof.members
     WHERE account_id = $1 AND id <> $2 AND role = 'owner' AND joined_at IS NOT NULL LIMIT 1`,
    [accountId, id],
  );
  return rows.length === 1;
}

/**
 * A person joined, with or without a proof of who they are. `personId`: the membership becomes theirs unless it is a person's already, or
 * they have another one of this account. Returns whose it is then, and whether it was an invitation until now.
 */
export async function joinMember(
  tx: Tx,
  id: number,
  personId: number | null,
): Promise<{ personId: number | null; isNew: boolean }> {
  const [before] = await tx.query<{ isNew: boolean }>(
    'SELECT joined_at IS NULL AS "isNew" FROM mxproof.members WHERE id = $1 FOR UPDATE',
    [id],
  );
  const [row] = await tx.query<{ personId: number | null }>(
    `UPDATE mxproof.members m SET joined_at = coalesce(joined_at, now()),
       person_id = coalesce(person_id, CASE WHEN NOT EXISTS (
         SELECT FROM mxproof.members o WHERE o.account_id = m.account_id AND o.person_id = $2::bigint) THEN $2::bigint END)
     WHERE id = $1 RETURNING person_id AS "personId"`,
    [id, personId],
  );
  return { personId: row!.personId, isNew: before!.isNew };
}

export interface Joined {
  readonly id: number;
  readonly accountId: number;
}

/**
 * Of this mailbox's memberships those that have no person yet become this person's, one of each account; who was seen there before may
 * have been somebody else. Returns those that are new.
 */
export async function attachMemberships(tx: Tx, personId: number, email: string): Promise<Joined[]> {
  return tx.query<Joined & Row>(
    `WITH free AS (
       SELECT id, joined_at FROM mxproof.members m WHERE email = $2 AND person_id IS NULL
         AND NOT EXISTS (SELECT FROM mxproof.members o WHERE o.account_id = m.account_id AND o.person_id = $1)
       ORDER BY id FOR UPDATE)
     UPDATE mxproof.members m SET person_id = $1, joined_at = coalesce(m.joined_at, now()), last_seen_at = NULL
     FROM free WHERE m.id = free.id RETURNING m.id, m.account_id AS "accountId"`,
    [personId, email],
  );
}

export interface Membership {
  readonly memberId: number;
  readonly accountId: number;
  readonly accountName: string;
  readonly email: string | null;
  readonly role: Role;
}

const MEMBERSHIPS = `SELECT m.id AS "memberId", m.account_id AS "accountId", a.name AS "accountName", m.email, m.role
  FROM mxproof.members m JOIN mxproof.accounts a ON a.id = m.account_id AND a.deleted_at IS NULL`;

/** The one that was used last is first. */
export async function membershipsOf(tx: Tx, personId: number): Promise<Membership[]> {
  return tx.query<Membership & Row>(
    `${MEMBERSHIPS} WHERE m.person_id = $1 ORDER BY m.last_seen_at DESC NULLS LAST, m.id`,
    [personId],
  );
}

export async function findMembership(tx: Tx, memberId: number): Promise<Membership | null> {
  const [row] = await tx.query<Membership & Row>(`${MEMBERSHIPS} WHERE m.id = $1`, [memberId]);
  return row ?? null;
}

/** Of a membership that a person has, others with its link are not that person. */
export async function noteSeen(tx: Tx, memberId: number, personId: number | null): Promise<void> {
  await tx.query(
    `UPDATE mxproof.members SET last_seen_at = now()
     WHERE id = $1 AND person_id IS NOT DISTINCT FROM $2::bigint`,
    [memberId, personId],
  );
}
