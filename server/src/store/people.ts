// People: who has proved something, a mailbox or to be who a sign-in provider says.
// Promise: an issuer's subject, and a mailbox, are one person's; what is found here stays until the transaction ends. Mailboxes come as
// `mailboxIn` writes them.
import type { Tx } from './database.ts';

/** Made where there is none. */
export async function personOfMailbox(tx: Tx, email: string): Promise<number> {
  // Of two that come together, the second waits and finds what the first has made.
  const [row] = await tx.query<{ id: number }>(
    `INSERT INTO mxproof.people (email) VALUES ($1)
     ON CONFLICT (email) DO UPDATE SET email = excluded.email RETURNING id`,
    [email],
  );
  return row!.id;
}

/** Of no mailbox, for an identity. */
export async function insertPerson(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ id: number }>('INSERT INTO mxproof.people DEFAULT VALUES RETURNING id');
  return row!.id;
}

/** What becomes theirs is decided for one at a time. False: there is no such person any more. */
export async function lockPerson(tx: Tx, id: number): Promise<boolean> {
  return (await tx.query('SELECT FROM mxproof.people WHERE id = $1 FOR UPDATE', [id])).length === 1;
}

/** As an OpenID provider tells it. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

export async function personOfIdentity(tx: Tx, { issuer, subject }: Identity): Promise<number | null> {
  const [row] = await tx.query<{ id: number }>(
    `SELECT p.id FROM mxproof.people p JOIN mxproof.person_identities i ON i.person_id = p.id
     WHERE i.issuer = $1 AND i.subject = $2 FOR UPDATE OF p`,
    [issuer, subject],
  );
  return row?.id ?? null;
}

/** Whether the issuer knows the person already. */
export async function hasIdentityAt(tx: Tx, personId: number, issuer: string): Promise<boolean> {
  const rows = await tx.query(
    'SELECT FROM mxproof.person_identities WHERE person_id = $1 AND issuer = $2 LIMIT 1',
    [personId, issuer],
  );
  return rows.length === 1;
}

/** False: it is a person's already. */
export async function insertIdentity(
  tx: Tx,
  { issuer, subject }: Identity,
  personId: number,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO mxproof.person_identities (issuer, subject, person_id) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING RETURNING person_id`,
    [issuer, subject, personId],
  );
  return rows.length === 1;
}

/** Unless the person has one, or it is another's. */
export async function giveMailbox(tx: Tx, personId: number, email: string): Promise<void> {
  await tx.query(
    `UPDATE mxproof.people SET email = $2 WHERE id = $1 AND email IS NULL
       AND NOT EXISTS (SELECT FROM mxproof.people WHERE email = $2)`,
    [personId, email],
  );
}

export interface Person {
  readonly id: number;
  /** Null: no mailbox is proved. */
  readonly email: string | null;
  /** Of an identity; null: there is none. */
  readonly issuer: string | null;
}

export async function findPerson(tx: Tx, id: number): Promise<Person | null> {
  const [row] = await tx.query<{ id: number; email: string | null; issuer: string | null }>(
    `SELECT id, email, (SELECT min(issuer) FROM mxproof.person_identities WHERE person_id = p.id) AS issuer
     FROM mxproof.people p WHERE id = $1`,
    [id],
  );
  return row ?? null;
}

/** Unless they have a membership: nothing is kept about a person who belongs to no account. */
export async function removeLonePerson(tx: Tx, id: number): Promise<void> {
  // A membership that becomes theirs meanwhile is seen by the next statement.
  await lockPerson(tx, id);
  await tx.query(
    `DELETE FROM mxproof.people p WHERE id = $1
       AND NOT EXISTS (SELECT FROM mxproof.members WHERE person_id = p.id)`,
    [id],
  );
}
