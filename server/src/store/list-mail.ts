// Whether a member is mailed when a list is done.
import type { Row, Tx } from './database.ts';

export interface ListMail {
  /** Of each list that they start, unless they say otherwise. */
  readonly chosen: boolean;
  /** That they have proved; null: none, and nothing is mailed. */
  readonly mailbox: string | null;
  /** The reader of the mailbox has stopped mail to it. */
  readonly stopped: boolean;
  /** Of the last mail to it; null: it went well, or there was none. */
  readonly error: string | null;
}

/** Null: no such member. */
export async function readListMail(tx: Tx, memberId: number): Promise<ListMail | null> {
  const [row] = await tx.query<ListMail & Row>(
    `SELECT m.list_mail AS chosen, p.email AS mailbox, r.stopped_at IS NOT NULL AS stopped, r.error
     FROM mxproof.members m LEFT JOIN mxproof.people p ON p.id = m.person_id
     LEFT JOIN mxproof.mail_recipients r ON r.address = p.email WHERE m.id = $1`,
    [memberId],
  );
  return row ?? null;
}

/** On: mail that was stopped goes out again. */
export async function chooseListMail(tx: Tx, memberId: number, on: boolean): Promise<void> {
  await tx.query('UPDATE mxproof.members SET list_mail = $2 WHERE id = $1', [memberId, on]);
  if (on) await resumeMail(tx, memberId);
}

/** They have asked for some again. */
export async function resumeMail(tx: Tx, memberId: number): Promise<void> {
  await tx.query(
    `UPDATE mxproof.mail_recipients SET stopped_at = NULL
     WHERE stopped_at IS NOT NULL AND address = (
       SELECT p.email FROM mxproof.members m JOIN mxproof.people p ON p.id = m.person_id WHERE m.id = $1)`,
    [memberId],
  );
}
