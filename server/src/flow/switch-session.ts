// A browser goes to another account of its person, or to the other side of its account.
// Promise: only to an account whose member this very person is; one that was begun with a key stays where it is.
import type { CameFrom } from '../rules/audit.ts';
import { findTestTwin } from '../store/accounts.ts';
import { writeAudit } from '../store/audit.ts';
import type { Database, Tx } from '../store/database.ts';
import { membershipsOf } from '../store/members.ts';
import { moveSession, type Session } from '../store/sessions.ts';
import { testTwinOf } from './add-key.ts';
import { browserOf } from './sign-in.ts';

/** A live account; null: the one where it is. */
export interface SwitchTo {
  readonly accountId: number | null;
  readonly test: boolean;
}

export function switchSession(
  db: Database,
  from: CameFrom,
  session: Session,
  to: SwitchTo,
): Promise<'switched' | 'no_other_side' | 'bad_account_id'> {
  return db.transaction(async (tx) => {
    if (session.keyId !== null) return 'no_other_side';
    const accountId = to.accountId ?? session.parentId;
    if (accountId !== session.parentId) {
      const theirs = session.personId === null ? [] : await membershipsOf(tx, session.personId);
      const membership = theirs.find((each) => each.accountId === accountId);
      if (!membership) return 'bad_account_id';
      await move(tx, session, { accountId, memberId: membership.memberId }, to.test);
      await writeAudit(tx, browserOf(from, session), {
        ...{ action: 'session.ended', accountId: session.parentId },
      });
      await writeAudit(tx, browserOf(from, { keyId: null, memberId: membership.memberId }), {
        ...{ action: 'session.begun', accountId },
      });
    } else await move(tx, session, { accountId, memberId: session.memberId }, to.test);
    return 'switched';
  });
}

async function move(
  tx: Tx,
  { id }: Session,
  { accountId, memberId }: { readonly accountId: number; readonly memberId: number | null },
  test: boolean,
): Promise<void> {
  // The test side of an account is made when it is first wanted.
  const side = test ? ((await findTestTwin(tx, accountId)) ?? (await testTwinOf(tx, accountId))) : accountId;
  await moveSession(tx, id, { accountId: side, memberId });
}
