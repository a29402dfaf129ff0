// An owner pauses a list, and resumes it. Nodes stop asking about a paused list: what is at a mail server ends first, and what
// they hand back is parked with what has not been claimed (ADR 0085). No credit moves.
//
//   unfinished ──pauseList──▶ paused ──resumeList──▶ unfinished
//        └── done, failed ◀─────┴── the last address in flight ends, the list is cancelled or deleted, 30 days pass
import type { List } from '../rules/list.ts';
import { MAX_PAUSE_DAYS } from '../rules/long-pause.ts';
import type { Tx } from '../store/database.ts';
import { findList, lockList } from '../store/lists.ts';
import { notify } from '../store/notify.ts';
import { parkJobs, unparkJobs } from '../store/parked-jobs.ts';
import { beginPause, endPause, type LongPause } from '../store/paused-lists.ts';
import type { Context } from './context.ts';
import { failLocked } from './finish-list.ts';

export type PauseResult =
  | { readonly kind: 'changed'; readonly list: List }
  | {
      readonly kind: 'list_not_found' | 'single_check' | 'list_finished' | 'list_paused' | 'list_not_paused';
    };

export function pauseList(context: Context, listId: number, accountId: number): Promise<PauseResult> {
  return change(context, listId, accountId, async (tx, { pausedAtSeconds }) => {
    if (pausedAtSeconds !== null) return { kind: 'list_paused' };
    const list = await beginPause(tx, listId);
    await parkJobs(tx, listId);
    await notify(tx, { what: 'gone', listId });
    return { kind: 'changed', list };
  });
}

export function resumeList(context: Context, listId: number, accountId: number): Promise<PauseResult> {
  return change(context, listId, accountId, async (tx, { pausedAtSeconds }) => {
    if (pausedAtSeconds === null) return { kind: 'list_not_paused' };
    const list = await endPause(tx, listId);
    await unparkJobs(tx, listId);
    await notify(tx, { what: 'work' });
    return { kind: 'changed', list };
  });
}

/** False: it was resumed or has ended meanwhile. */
export function endLongPause(context: Context, { id, pausedAtSeconds }: LongPause): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    const list = await lockList(tx, id);
    if (list?.pausedAtSeconds !== pausedAtSeconds) return false;
    await failLocked(tx, list, `paused for ${MAX_PAUSE_DAYS} days`);
    return true;
  });
}

/** Of an unfinished list that can be paused, under its lock. */
function change(
  context: Context,
  listId: number,
  accountId: number,
  act: (tx: Tx, list: List) => Promise<PauseResult>,
): Promise<PauseResult> {
  return context.db.transaction(async (tx) => {
    // The owner is checked before the lock: no account can delay another's list.
    const found = await findList(tx, listId, accountId);
    if (!found) return { kind: 'list_not_found' };
    if (found.single) return { kind: 'single_check' };
    const list = await lockList(tx, listId);
    if (!list) return { kind: 'list_not_found' };
    return list.finishedAtSeconds === null ? act(tx, list) : { kind: 'list_finished' };
  });
}
