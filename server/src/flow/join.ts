// How a person becomes a member: by an invitation's link, or by proving the mailbox that was invited.
// Promise: a membership is a person's only by their proof, or because they were signed in as themselves when they redeemed its link; one
// that a person has is never given to another. The link that an owner has seen proves no mailbox: it opens this membership alone.
import { randomBytes } from 'node:crypto';
import type { Actor, CameFrom } from '../rules/audit.ts';
import { makeToken, TOKEN_RANDOM_BYTES } from '../rules/bearer-token.ts';
import { writeAudit } from '../store/audit.ts';
import type { Database, Tx } from '../store/database.ts';
import { endInvitationsOf, type Invitation, insertInvitation, takeInvitation } from '../store/invitations.ts';
import { attachMemberships, joinMember } from '../store/members.ts';
import { lockPerson, personOfMailbox, removeLonePerson } from '../store/people.ts';
import { findSessions } from '../store/sessions.ts';
import { beginSession, browserOf, type SessionSecrets } from './sign-in.ts';

/** Its token, for a URL. Those made before work until they are redeemed: see endInvitationsOf. */
export async function makeInvitation(tx: Tx, memberId: number, byMail: boolean): Promise<string> {
  const { token, hash } = makeToken(randomBytes(TOKEN_RANDOM_BYTES));
  await insertInvitation(tx, { memberId, hash, byMail });
  return token;
}

/** The person who has proved this mailbox. All memberships that were invited with it become theirs, except those of another person. */
export async function joinByMailbox(tx: Tx, from: CameFrom, email: string): Promise<number> {
  const personId = await personOfMailbox(tx, email);
  await joinWith(tx, from, personId, email);
  return personId;
}

/** As `joinByMailbox`, of a person who is known by something else too. They are locked. */
export async function joinWith(tx: Tx, from: CameFrom, personId: number, email: string): Promise<void> {
  for (const { id, accountId } of await attachMemberships(tx, personId, email)) {
    await endInvitationsOf(tx, id);
    await noteJoined(tx, from, id, accountId);
  }
}

/** `personId`: who has proved something and is locked, or null. Returns whose the membership is then. */
export async function joinByInvitation(
  tx: Tx,
  from: CameFrom,
  { memberId, accountId }: Pick<Invitation, 'memberId' | 'accountId'>,
  personId: number | null,
): Promise<number | null> {
  const joined = await joinMember(tx, memberId, personId);
  if (joined.isNew) await noteJoined(tx, from, memberId, accountId);
  // No other link is needed, and no one else should have one.
  if (joined.personId !== null && joined.personId === personId) await endInvitationsOf(tx, memberId);
  return joined.personId;
}

/**
 * `before`: the session that the browser had, which ends; `asPerson`: it joins as the person who is signed in there. Null: unknown, too
 * old or redeemed before.
 */
export async function redeemInvitation(
  db: Database,
  from: CameFrom,
  hash: Buffer,
  { before, asPerson }: { readonly before: Buffer | null; readonly asPerson: boolean },
): Promise<SessionSecrets | null> {
  return db.transaction(async (tx) => {
    const invitation = await takeInvitation(tx, hash);
    if (!invitation) return null;
    const { memberId, accountId } = invitation;
    const proved = await provedPerson(tx, from, invitation, asPerson ? before : null);
    const theirs = await joinByInvitation(tx, from, invitation, proved);
    const personId = theirs === proved ? proved : null;
    // Who has proved the mailbox of a membership that is another's, and belongs to no account.
    if (proved !== null && personId === null) await removeLonePerson(tx, proved);
    return beginSession(tx, from, { accountId, keyId: null, memberId, personId }, before);
  });
}

async function provedPerson(
  tx: Tx,
  from: CameFrom,
  { byMail, email }: Invitation,
  before: Buffer | null,
): Promise<number | null> {
  const [session] = before ? await findSessions(tx, [before]) : [];
  const personId = session?.personId ?? null;
  if (personId !== null && (await lockPerson(tx, personId))) return personId;
  return byMail && email !== null ? joinByMailbox(tx, from, email) : null;
}

async function noteJoined(tx: Tx, from: CameFrom, memberId: number, accountId: number): Promise<void> {
  const actor: Actor = browserOf(from, { keyId: null, memberId });
  await writeAudit(tx, actor, { action: 'member.joined', accountId, subjectId: memberId });
}
