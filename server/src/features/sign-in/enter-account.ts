// Who comes in with what a provider has proved, or with a mailed link, and as a member of what.
// Promise: a person is known by issuer and subject, else by a mailbox that the provider has verified and nobody else has there, else by
// the invitation on whose page the sign-in began; whoever is none of these is let in nowhere, and nothing is kept of them. A claim makes and changes only the
// membership of its own account, and takes no account its last owner.

import { joinByInvitation, joinByMailbox, joinWith } from '../../flow/join.ts';
import { changeRole } from '../../flow/members.ts';
import { beginPersonSession, browserOf, type SessionSecrets } from '../../flow/sign-in.ts';
import type { CameFrom } from '../../rules/audit.ts';
import { ROLES } from '../../rules/roles.ts';
import { lockAccount } from '../../store/accounts.ts';
import { writeAudit } from '../../store/audit.ts';
import type { Database, Tx } from '../../store/database.ts';
import { findInvitation, type Invitation, takeInvitation } from '../../store/invitations.ts';
import { takeMailedLink } from '../../store/mailed-links.ts';
import { countMembers, insertMember, MAX_MEMBERS, membershipsOf } from '../../store/members.ts';
import {
  giveMailbox,
  hasIdentityAt,
  insertIdentity,
  insertPerson,
  personOfIdentity,
  personOfMailbox,
  removeLonePerson,
} from '../../store/people.ts';
import { findAccountByExternalId } from './stored-claims.ts';
import { type FlowKeys, type Proved, redeemFlow } from './stored-flows.ts';

type Browser = Pick<FlowKeys, 'browserHash'> & { readonly pageHash: Buffer };

/** `before`: the session that the browser had, which ends. Null: the sign-in is over, or was another browser's. */
export async function enterByProvider(
  db: Database,
  from: CameFrom,
  browser: Browser,
  before: Buffer | null,
): Promise<SessionSecrets | 'not_invited' | null> {
  return db.transaction(async (tx) => {
    const flow = await redeemFlow(tx, { ...browser, forOperators: false });
    if (!flow) return null;
    const { proved, invitationHash } = flow;
    const invitation = invitationHash && (await findInvitation(tx, invitationHash));
    const personId = await personWho(tx, proved, invitation !== null);
    if (personId === null) return 'not_invited';
    if (proved.email !== null) {
      await giveMailbox(tx, personId, proved.email);
      await joinWith(tx, from, personId, proved.email);
    }
    const memberId =
      invitationHash && invitation && (await joinInvited(tx, from, invitationHash, invitation, personId));
    await followClaims(tx, from, personId, proved);
    return enter(tx, from, { personId, memberId, before });
  });
}

/** The same with a mailed link, which proves its mailbox. Null: unknown, too old or redeemed. */
export async function enterByMail(
  db: Database,
  from: CameFrom,
  link: Buffer,
  { before }: { readonly before: Buffer | null },
): Promise<SessionSecrets | 'not_invited' | null> {
  return db.transaction(async (tx) => {
    const email = await takeMailedLink(tx, link);
    if (email === null) return null;
    const personId = await joinByMailbox(tx, from, email);
    return enter(tx, from, { personId, memberId: null, before });
  });
}

async function enter(
  tx: Tx,
  from: CameFrom,
  who: { readonly personId: number; readonly memberId: number | null; readonly before: Buffer | null },
): Promise<SessionSecrets | 'not_invited'> {
  const session = await beginPersonSession(tx, from, who);
  if (session !== null) return session;
  await removeLonePerson(tx, who.personId);
  return 'not_invited';
}

/** They are locked. Null: no person who could belong to an account. */
async function personWho(tx: Tx, proved: Proved, isInvited: boolean): Promise<number | null> {
  const known = await personOfIdentity(tx, proved);
  if (known !== null) return known;
  if (proved.email === null && !isInvited && proved.account === null) return null;
  const theirs = proved.email === null ? null : await personOfMailbox(tx, proved.email);
  // Mailboxes change hands: whom this provider knows by another subject already is somebody else.
  const isFree = theirs !== null && !(await hasIdentityAt(tx, theirs, proved.issuer));
  const personId = isFree ? theirs : await insertPerson(tx);
  if (await insertIdentity(tx, proved, personId)) return personId;
  // Another sign-in of theirs was first, and has ended meanwhile.
  await removeLonePerson(tx, personId);
  return personOfIdentity(tx, proved);
}

/** Null: the membership is another person's, who keeps its invitation. */
async function joinInvited(
  tx: Tx,
  from: CameFrom,
  hash: Buffer,
  invitation: Invitation,
  personId: number,
): Promise<number | null> {
  if (invitation.personId !== null && invitation.personId !== personId) return null;
  const taken = await takeInvitation(tx, hash);
  if (!taken || (await joinByInvitation(tx, from, taken, personId)) !== personId) return null;
  return taken.memberId;
}

async function followClaims(tx: Tx, from: CameFrom, personId: number, proved: Proved): Promise<void> {
  const role = ROLES.find((each) => each === proved.role);
  if (proved.account === null || role === undefined) return;
  const accountId = await findAccountByExternalId(tx, proved.account);
  if (accountId === null) return;
  await lockAccount(tx, accountId);
  const mine = (await membershipsOf(tx, personId)).find((each) => each.accountId === accountId);
  if (mine) {
    const actor = browserOf(from, { keyId: null, memberId: mine.memberId });
    // The last owner stays one.
    await changeRole(tx, actor, { id: mine.memberId, accountId }, role);
    return;
  }
  if ((await countMembers(tx, accountId)) >= MAX_MEMBERS) return;
  const member = await insertMember(tx, { accountId, email: null, role, personId });
  if (!member) return;
  await writeAudit(tx, browserOf(from, { keyId: null, memberId: member.id }), {
    action: 'member.joined',
    accountId,
    subjectId: member.id,
    changes: { role: [null, role] },
  });
}
