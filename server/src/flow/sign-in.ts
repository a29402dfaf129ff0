// Signs a browser in, with a key, with a one-time link or as a person, and out.
// Promise: the secrets in the answer are stored nowhere; a link that was redeemed has made exactly one session.
import { randomBytes } from 'node:crypto';
import { readKey } from '../rules/api-key.ts';
import type { Actor, CameFrom } from '../rules/audit.ts';
import { makeSession, makeToken, SESSION_RANDOM_BYTES, TOKEN_RANDOM_BYTES } from '../rules/bearer-token.ts';
import { isWithin } from '../rules/cidr.ts';
import { writeAudit } from '../store/audit.ts';
import type { Database, Tx } from '../store/database.ts';
import { endInvitationsOfAccount } from '../store/invitations.ts';
import { findKeyOwners } from '../store/keys.ts';
import { membershipsOf, noteSeen } from '../store/members.ts';
import { endSession, endSessionsOf, insertSession, type SessionOwner } from '../store/sessions.ts';
import { endLinksOf, insertLink, takeLink } from '../store/sign-in-links.ts';

export interface SessionSecrets {
  /** For the cookie. */
  readonly token: string;
  /** For the storage of the page. */
  readonly proof: string;
}

export interface NewSession extends SessionSecrets {
  readonly accountId: number;
  readonly test: boolean;
}

/** `before`: the session the browser had, which ends. Null: not a key that may sign in, or not from there. */
export async function signInWithKey(
  db: Database,
  from: CameFrom,
  { apiKey, ip, before }: { apiKey: string; ip: string; before: Buffer | null },
): Promise<NewSession | null> {
  const key = readKey(apiKey);
  if (!key) return null;
  return db.transaction(async (tx) => {
    const [owner] = await findKeyOwners(tx, [key]);
    // Such a key is in a form's program, not in a person's hands.
    if (!owner || owner.access === 'verify') return null;
    if (owner.allowedIps !== null && !isWithin(ip, owner.allowedIps)) return null;
    const { accountId, keyId, test } = owner;
    const session = { ...OF_NOBODY, accountId, keyId };
    return { accountId, test, ...(await beginSession(tx, from, session, before)) };
  });
}

/** Null: unknown, too old or redeemed before. */
export async function redeemLink(
  db: Database,
  from: CameFrom,
  hash: Buffer,
  { before }: { readonly before: Buffer | null },
): Promise<SessionSecrets | null> {
  return db.transaction(async (tx) => {
    const accountId = await takeLink(tx, hash);
    return accountId === null ? null : beginSession(tx, from, { ...OF_NOBODY, accountId }, before);
  });
}

/**
 * For a person who has just proved who they are. `memberId`: to this membership of theirs; else to the one they used last. Null: no account
 * has them as a member.
 */
export async function beginPersonSession(
  tx: Tx,
  from: CameFrom,
  { personId, memberId, before }: { personId: number; memberId?: number | null; before: Buffer | null },
): Promise<SessionSecrets | null> {
  const theirs = await membershipsOf(tx, personId);
  const to = theirs.find((each) => each.memberId === memberId) ?? theirs[0];
  if (!to) return null;
  const session = { accountId: to.accountId, keyId: null, memberId: to.memberId, personId };
  return beginSession(tx, from, session, before);
}

/** Its token, for a URL. */
export async function makeSignInLink(tx: Tx, actor: Actor, accountId: number): Promise<string> {
  const { token, hash } = makeToken(randomBytes(TOKEN_RANDOM_BYTES));
  await insertLink(tx, accountId, hash);
  await writeAudit(tx, actor, { action: 'link.created', accountId });
  return token;
}

/** Of one browser. Nothing happens where its session is over already. */
export async function signOut(
  db: Database,
  from: CameFrom,
  session: Pick<SessionOwner, 'accountId' | 'keyId' | 'memberId'> & { readonly hash: Buffer },
): Promise<void> {
  const { accountId, hash } = session;
  await db.transaction(async (tx) => {
    if (!(await endSession(tx, hash))) return;
    await writeAudit(tx, browserOf(from, session), { action: 'session.ended', accountId });
  });
}

/** Every browser of an account, test mode included, and the links that could begin another session. Returns how many sessions. */
export async function signAllOut(tx: Tx, actor: Actor, accountId: number): Promise<number> {
  await endLinksOf(tx, accountId);
  await endInvitationsOfAccount(tx, accountId);
  const ended = await endSessionsOf(tx, accountId);
  await writeAudit(tx, actor, { action: 'sessions.ended', accountId, changes: { sessions: [ended, 0] } });
  return ended;
}

const OF_NOBODY = { keyId: null, memberId: null, personId: null };

/** `before`: the session the browser had, which ends. */
export async function beginSession(
  tx: Tx,
  from: CameFrom,
  owner: SessionOwner,
  before: Buffer | null,
): Promise<SessionSecrets> {
  if (before) await endSession(tx, before);
  const { token, proof, hash } = makeSession(randomBytes(SESSION_RANDOM_BYTES));
  await insertSession(tx, owner, hash);
  if (owner.memberId !== null) await noteSeen(tx, owner.memberId, owner.personId);
  await writeAudit(tx, browserOf(from, owner), { action: 'session.begun', accountId: owner.accountId });
  return { token, proof };
}

export function browserOf(
  from: CameFrom,
  { keyId, memberId }: Pick<SessionOwner, 'keyId' | 'memberId'>,
): Actor {
  return memberId === null
    ? { ...from, kind: 'session', id: keyId, name: null }
    : { ...from, kind: 'member', id: memberId, name: null };
}
