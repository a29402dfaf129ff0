// Who is mailed when a list is done: the member who starts it, if they want it and have proved a mailbox.
import type { Database } from '../store/database.ts';
import { chooseListMail, type ListMail, readListMail, resumeMail } from '../store/list-mail.ts';

/** Null: it is no member's. */
type MemberId = number | null;
export type ListMailRefusal = 'no_member' | 'no_mail_sent' | 'mailbox_not_proved';

/** `wanted`: null, as the member has chosen for all. Returns the member of the list; null: no one is mailed. */
export async function mailMemberFor(
  db: Database,
  memberId: MemberId,
  { wanted, sendsMail }: { readonly wanted: boolean | null; readonly sendsMail: boolean },
): Promise<{ readonly memberId: number | null } | ListMailRefusal> {
  if (wanted === false) return { memberId: null };
  if (wanted === null) return { memberId: await chosenMailMember(db, memberId) };
  if (memberId === null) return 'no_member';
  const known = await readListMail(db, memberId);
  const refusal = refusalOf(known, sendsMail);
  if (refusal) return refusal;
  if (known?.stopped) await resumeMail(db, memberId);
  return { memberId };
}

/** Of a list of which nothing was said. */
export async function chosenMailMember(db: Database, memberId: MemberId): Promise<number | null> {
  const known = memberId === null ? null : await readListMail(db, memberId);
  return known?.chosen ? memberId : null;
}

export async function changeListMail(
  db: Database,
  memberId: MemberId,
  { wanted, sendsMail }: { readonly wanted: boolean; readonly sendsMail: boolean },
): Promise<'changed' | ListMailRefusal> {
  if (memberId === null) return 'no_member';
  return db.transaction(async (tx) => {
    const refusal = wanted ? refusalOf(await readListMail(tx, memberId), sendsMail) : null;
    if (refusal) return refusal;
    await chooseListMail(tx, memberId, wanted);
    return 'changed';
  });
}

function refusalOf(known: ListMail | null, sendsMail: boolean): ListMailRefusal | null {
  if (!known) return 'no_member';
  if (!sendsMail) return 'no_mail_sent';
  return known.mailbox === null ? 'mailbox_not_proved' : null;
}
