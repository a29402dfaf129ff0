// An owner cancels a list: it fails, as when an operator cancels it.
import type { List } from '../rules/list.ts';
import { findList } from '../store/lists.ts';
import type { Context } from './context.ts';
import { failList } from './finish-list.ts';

export type CancelResult =
  | { readonly kind: 'cancelled'; readonly list: List }
  | { readonly kind: 'not_found' | 'finished' };

export async function cancelList(context: Context, listId: number, accountId: number): Promise<CancelResult> {
  // The owner is checked before the lock: no account can delay another's list.
  if (!(await findList(context.db, listId, accountId))) return { kind: 'not_found' };
  const list = await failList(context, listId, 'cancelled by its owner');
  if (list) return { kind: 'cancelled', list };
  return { kind: (await findList(context.db, listId, accountId)) ? 'finished' : 'not_found' };
}
