// Members of an account: invited, given another role, removed.
// Promise: what changes a member and what the audit trail says of it are one transaction; an account that has a joined owner keeps one;
// a removed member's sessions and invitations end with the membership. Who changes members of one account does so in turn.
import { type Actor, changesBetween } from '../rules/audit.ts';
import type { Role } from '../rules/roles.ts';
import { lockAccount } from '../store/accounts.ts';
import { writeAudit } from '../store/audit.ts';
import type { Tx } from '../store/database.ts';
import { endInvitationsOf } from '../store/invitations.ts';
import { askForInvitationMail } from '../store/link-mails.ts';
import {
  countMembers,
  deleteMember,
  hasOtherOwner,
  insertMember,
  lockMember,
  MAX_MEMBERS,
  type Member,
  setRole,
} from '../store/members.ts';
import { removeLonePerson } from '../store/people.ts';
import { endSessionsOfMember } from '../store/sessions.ts';
import { makeInvitation } from './join.ts';

/** Of a live account. */
export interface OfAccount {
  readonly id: number;
  readonly accountId: number;
}

export interface Invited {
  readonly member: Member;
  /** Of the link for the owner to hand on. */
  readonly token: string;
  /** Another link is mailed to the member. */
  readonly mailed: boolean;
}

export async function inviteMember(
  tx: Tx,
  actor: Actor,
  { accountId, email, role }: { accountId: number; email: string; role: Role },
  sendsMail = false,
): Promise<Invited | 'already_member' | 'too_many_members'> {
  await lockAccount(tx, accountId);
  if ((await countMembers(tx, accountId)) >= MAX_MEMBERS) return 'too_many_members';
  const member = await insertMember(tx, { accountId, email, role });
  if (!member) return 'already_member';
  const token = await makeInvitation(tx, member.id, false);
  await writeAudit(tx, actor, {
    ...{ action: 'member.invited', accountId, subjectId: member.id, changed: ['email'] },
    changes: changesBetween({}, { role }),
  });
  return { member, token, mailed: sendsMail && (await mailInvitation(tx, member)) };
}

/** Another link for them; those made before end. */
export async function renewInvitation(
  tx: Tx,
  actor: Actor,
  { id, accountId }: OfAccount,
  sendsMail = false,
): Promise<Invited | 'member_not_found'> {
  const member = await lockMember(tx, id, accountId);
  if (!member) return 'member_not_found';
  await endInvitationsOf(tx, id);
  const token = await makeInvitation(tx, id, false);
  await writeAudit(tx, actor, { action: 'member.link_created', accountId, subjectId: id });
  return { member, token, mailed: sendsMail && (await mailInvitation(tx, member)) };
}

/** Who has proved who they are needs no proof of the mailbox. */
async function mailInvitation(tx: Tx, { id, accountId, email, personId }: Member): Promise<boolean> {
  return email !== null && personId === null && askForInvitationMail(tx, { id, accountId, email });
}

export async function changeRole(
  tx: Tx,
  actor: Actor,
  { id, accountId }: OfAccount,
  role: Role,
): Promise<Member | 'member_not_found' | 'last_owner'> {
  await lockAccount(tx, accountId);
  const before = await lockMember(tx, id, accountId);
  if (!before) return 'member_not_found';
  if (before.role === role) return before;
  if (await isLastOwner(tx, before)) return 'last_owner';
  const member = await setRole(tx, id, role);
  await writeAudit(tx, actor, {
    ...{ action: 'member.changed', accountId, subjectId: id },
    changes: changesBetween({ role: before.role }, { role }),
  });
  return member;
}

export async function removeMember(
  tx: Tx,
  actor: Actor,
  { id, accountId }: OfAccount,
): Promise<'removed' | 'member_not_found' | 'last_owner'> {
  await lockAccount(tx, accountId);
  const member = await lockMember(tx, id, accountId);
  if (!member) return 'member_not_found';
  if (await isLastOwner(tx, member)) return 'last_owner';
  const sessions = await endSessionsOfMember(tx, id);
  await deleteMember(tx, id);
  if (member.personId !== null) await removeLonePerson(tx, member.personId);
  await writeAudit(tx, actor, {
    ...{ action: 'member.removed', accountId, subjectId: id },
    changes: { role: [member.role, null], sessions: [sessions, 0] },
  });
  return 'removed';
}

/** Of those who have joined: one who was invited might never come. */
async function isLastOwner(tx: Tx, member: Member): Promise<boolean> {
  return member.role === 'owner' && member.joinedAtSeconds !== null && !(await hasOtherOwner(tx, member));
}
