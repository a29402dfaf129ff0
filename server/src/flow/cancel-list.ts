// An owner or an operator cancels a list: it fails.
import type { Actor } from '../rules/audit.ts';
import type { List } from '../rules/list.ts';
import { writeAudit } from '../store/audit.ts';
import { findList, lockList } from '../store/lists.ts';
import type { Context } from './context.ts';
import { failLocked } from './finish-list.ts';

export type CancelResult =
  | { readonly kind: 'cancelled'; readonly list: List }
  | { readonly kind: 'not_found' | 'finished' };

/** Null account: of any, for an operator. */
export async function cancelList(
  context: Context,
  actor: Actor,
  listId: number,
  accountId: number | null,
): Promise<CancelResult> {
  // The owner is checked before the lock: no account can delay another's list.
  if (accountId !== null && !(await findList(context.db, listId, accountId))) return { kind: 'not_found' };
  return context.db.transaction(async (tx) => {
    const list = await lockList(tx, listId);
    if (!list) return { kind: 'not_found' };
    if (list.finishedAtSeconds !== null) return { kind: 'finished' };
    const who = accountId === null ? 'an operator' : 'its owner';
    const cancelled = await failLocked(tx, list, `cancelled by ${who}`);
    await writeAudit(tx, actor, {
      action: 'list.cancelled',
      accountId: list.accountId,
      subjectId: listId,
      changes: { status: [list.status, cancelled.status] },
    });
    return { kind: 'cancelled', list: cancelled };
  });
}
