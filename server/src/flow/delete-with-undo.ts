// Deletes a finished list so that it can be brought back for a while; then worker/sweeps.ts removes its data.
//
//   deleteWithUndo ─▶ hidden ─┬─ undeleteList, in time ─▶ as before
//                             └─ its time is over ──────▶ removed
//
// Credits do not move: the list was settled when it finished. A pending callback waits as long as its list is hidden
// (send-callback.ts).
import type { Actor } from '../rules/audit.ts';
import type { List } from '../rules/list.ts';
import { writeAudit } from '../store/audit.ts';
import { hideList, restoreList } from '../store/deleted-lists.ts';
import { findList } from '../store/lists.ts';
import { notify } from '../store/notify.ts';
import type { Context } from './context.ts';

export async function deleteWithUndo(
  context: Context,
  actor: Actor,
  listId: number,
  accountId: number,
  undoSeconds: number,
): Promise<'deleted' | 'not_found' | 'unfinished'> {
  return context.db.transaction(async (tx) => {
    const list = await findList(tx, listId, accountId);
    if (!list) return 'not_found';
    if (list.finishedAtSeconds === null) return 'unfinished';
    if (!(await hideList(tx, listId, accountId, undoSeconds))) return 'not_found';
    await notify(tx, { what: 'gone', listId });
    await writeAudit(tx, actor, {
      action: 'list.deleted',
      accountId,
      subjectId: listId,
      changes: { undo_seconds: [null, undoSeconds] },
    });
    return 'deleted';
  });
}

/** The list as it is then, also where it was not deleted; null: no such list of this account, or its undo is over. */
export async function undeleteList(
  context: Context,
  actor: Actor,
  listId: number,
  accountId: number,
): Promise<List | null> {
  return context.db.transaction(async (tx) => {
    if (await restoreList(tx, listId, accountId))
      await writeAudit(tx, actor, { action: 'list.restored', accountId, subjectId: listId });
    return findList(tx, listId, accountId);
  });
}
