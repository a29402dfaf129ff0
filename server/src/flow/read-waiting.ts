// What an unfinished list waits for, and when it is over at the latest.
import { composeWaiting, type ListWaiting, pausedWaiting } from '../rules/list-waiting.ts';
import type { Tx } from '../store/database.ts';
import { readWaiting } from '../store/node-waiting.ts';

export interface WaitingNow extends ListWaiting {
  /** Unix seconds; null: the list is over, or paused. */
  readonly doneBy: number | null;
}

const NOTHING: WaitingNow = { pending: 0, checking: 0, groups: [], doneBy: null };

/** `listLimitMs`: the age at which lists end (worker/sweeps.ts). Null: no such list of this account. */
export async function readListWaiting(
  tx: Tx,
  listId: number,
  accountId: number,
  listLimitMs: number,
): Promise<WaitingNow | null> {
  const known = await readWaiting(tx, listId, accountId);
  if (!known || known.isFinished) return known && NOTHING;
  const waiting = composeWaiting(known.pending, known.parts);
  if (known.isPaused) return { ...pausedWaiting(waiting), doneBy: null };
  return { ...waiting, doneBy: Math.ceil(known.createdAtSeconds + listLimitMs / 1000) };
}
