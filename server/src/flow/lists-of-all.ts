// The lists of all accounts, for the operator: the newest, or those that are stuck, and what each waits for.
import type { List } from '../rules/list.ts';
import { composeWaiting, type Group, pausedWaiting } from '../rules/list-waiting.ts';
import type { Tx } from '../store/database.ts';
import { findLists } from '../store/lists.ts';
import { idsOfAllLists } from '../store/lists-of-all.ts';
import { readWaiting } from '../store/node-waiting.ts';

export interface AnyList {
  readonly list: List;
  readonly pending: number;
  /** Addresses that are being asked about. */
  readonly checking: number;
  /** What it waits for, the largest group first. */
  readonly groups: readonly Group[];
}

interface Page {
  /** Unfinished and not paused, nothing of it is being asked, and nothing of it waits for a time that is known. */
  readonly isStuck: boolean;
  /** Null: of all. */
  readonly accountId: number | null;
  readonly status: List['status'] | null;
  readonly offset: number;
  readonly limit: number;
}

/** Looked through for those that are stuck, the oldest first. */
const MOST_UNFINISHED = 1_000;

/** Newest first, those that are stuck oldest first; test lists and single checks are not among them. */
export async function listsOfAllAccounts(
  tx: Tx,
  { isStuck, accountId, status, offset, limit }: Page,
): Promise<AnyList[]> {
  if (!isStuck)
    return look(tx, await idsOfAllLists(tx, { accountId, status, isUnfinished: false, offset, limit }));
  const ids = await idsOfAllLists(tx, {
    ...{ accountId, status, isUnfinished: true },
    ...{ offset: 0, limit: MOST_UNFINISHED },
  });
  return (await look(tx, ids)).filter(isWithoutProspect).slice(offset, offset + limit);
}

function isWithoutProspect({ list, checking, groups }: AnyList): boolean {
  const isGoing = list.finishedAtSeconds === null && list.pausedAtSeconds === null;
  return isGoing && checking === 0 && groups.every(({ nextAttemptAt }) => nextAttemptAt === null);
}

async function look(tx: Tx, ids: readonly number[]): Promise<AnyList[]> {
  const lists = await findLists(tx, ids);
  const looked: AnyList[] = [];
  for (const id of ids) {
    const list = lists.get(id);
    if (list === undefined) continue;
    const known = list.finishedAtSeconds === null ? await readWaiting(tx, id, list.accountId) : null;
    const composed = known === null ? null : composeWaiting(known.pending, known.parts);
    const now = composed && known?.isPaused ? pausedWaiting(composed) : composed;
    looked.push({
      list,
      pending: now?.pending ?? 0,
      checking: now?.checking ?? 0,
      groups: now?.groups ?? [],
    });
  }
  return looked;
}
