// Mails that carry a link, sent at once: invitations, and links that sign in. Asked for here, sent by features/mail.
// Promise: no mailbox gets more mails in an hour than its limit, nor two within a minute, however often they are requested; a token is
// stored nowhere but as a hash.
import type { Tx } from './database.ts';

/** Of mail to one mailbox. */
export const BETWEEN_MAILS_SECONDS = 60;
/** Of each kind: a stranger who asks for sign-in links keeps no invitation away. */
export const MAILS_AN_HOUR = 5;
/** Of an account: mail goes out in the operator's name, to people who have not asked for it. */
const INVITATIONS_A_DAY = 200;
/** For all sign-in links together: a limit for the relay. */
const SIGN_INS_AN_HOUR = 5_000;

const BOUNDS_LOCK = 0x6d78_6c6d;

/** The member is told at their mailbox. False: too many were mailed to it, or for the account; nothing is sent. */
export async function askForInvitationMail(
  tx: Tx,
  { id, accountId, email }: { readonly id: number; readonly accountId: number; readonly email: string },
): Promise<boolean> {
  await lockBounds(tx);
  const rows = await tx.query(
    `INSERT INTO mxproof.link_mails (kind, email, account_id, member_id, created_at, next_at)
     SELECT 'invitation', $1, $2, $3, turn, turn FROM ${ITS_TURN}
     WHERE ${underBound("kind = 'invitation' AND email = $1", '1 hour', MAILS_AN_HOUR)}
       AND ${underBound('account_id = $2', '1 day', INVITATIONS_A_DAY)} RETURNING id`,
    [email, accountId, id],
  );
  return rows.length === 1;
}

/**
 * `email` as `mailboxIn` writes it. False: no person or member has this mailbox, one is on its way there, or too many were mailed. A
 * client must not learn which.
 */
export async function askForSignInMail(tx: Tx, email: string): Promise<boolean> {
  await lockBounds(tx);
  const rows = await tx.query(
    `INSERT INTO mxproof.link_mails (kind, email, created_at, next_at) SELECT 'sign_in', $1, turn, turn FROM ${ITS_TURN}
     WHERE NOT EXISTS (SELECT FROM mxproof.link_mails WHERE kind = 'sign_in' AND email = $1 AND next_at IS NOT NULL)
       AND (EXISTS (SELECT FROM mxproof.people WHERE email = $1)
         OR EXISTS (SELECT FROM mxproof.members WHERE email = $1 AND person_id IS NULL))
       AND ${underBound("kind = 'sign_in' AND email = $1", '1 hour', MAILS_AN_HOUR)}
       AND ${underBound("kind = 'sign_in'", '1 hour', SIGN_INS_AN_HOUR)} RETURNING id`,
    [email],
  );
  return rows.length === 1;
}

/** Until the transaction ends, no other transaction counts. */
async function lockBounds(tx: Tx): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [BOUNDS_LOCK]);
}

/** A minute after the last one to this mailbox, and from then on it counts. */
const ITS_TURN = `(SELECT greatest(now(), max(created_at) + make_interval(secs => ${BETWEEN_MAILS_SECONDS})) AS turn
  FROM mxproof.link_mails WHERE email = $1) its`;

const underBound = (which: string, span: string, most: number) =>
  `(SELECT count(*) FROM mxproof.link_mails WHERE ${which} AND created_at > now() - interval '${span}') < ${most}`;

/** For a sign-in link: redeeming it proves this mailbox. */
export async function insertMailedLink(tx: Tx, email: string, hash: Buffer): Promise<void> {
  await tx.query('INSERT INTO mxproof.mailed_links (hash, email) VALUES ($1, $2)', [hash, email]);
}
