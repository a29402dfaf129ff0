// Deletes a list and its data. An unfinished list is stopped, and its unused credits are refunded.

import { refundOf } from '@mxproof/common/refund';
import type { Actor } from '../rules/audit.ts';
import { writeAudit } from '../store/audit.ts';
import { settleList } from '../store/ledger.ts';
import { findList, lockList, removeList } from '../store/lists.ts';
import { notify } from '../store/notify.ts';
import { countResults } from '../store/usage.ts';
import type { Context } from './context.ts';

/** False: no such list of this account. */
export async function deleteList(
  context: Context,
  actor: Actor,
  listId: number,
  accountId: number,
): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    // The owner is checked before the lock: no account can delay another's list.
    if (!(await findList(tx, listId, accountId))) return false;
    const list = await lockList(tx, listId);
    if (!list) return false;
    await removeList(tx, listId);
    // A finished list was settled and counted when it finished.
    const isFinished = list.finishedAtSeconds !== null;
    await settleList(tx, { accountId, listId, refund: isFinished ? 0 : refundOf(list), removed: true });
    if (!isFinished) await countResults(tx, list);
    await notify(tx, { what: 'gone', listId });
    await writeAudit(tx, actor, { action: 'list.deleted', accountId, subjectId: listId });
    return true;
  });
}
