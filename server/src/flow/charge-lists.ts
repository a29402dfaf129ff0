// Charges lists and creates them. Promise: charge, rows and jobs are one transaction, the caller's; a list that its
// account cannot pay for, or has no room for, is not created and does not affect the others.
import { chunkCount } from '../rules/clean-emails.ts';
import type { List } from '../rules/list.ts';
import { creditsOf, fullOfTests } from '../store/accounts.ts';
import type { Tx } from '../store/database.ts';
import type { Jobs } from '../store/jobs.ts';
import { topUpTests } from '../store/ledger.ts';
import { insertPaidLists, type NewList } from '../store/lists.ts';
import { TEST_CREDITS, TEST_NOTE } from './add-key.ts';

/** Why a list was not created. */
export type NotCharged = 'insufficient_credits' | 'test_lists_full';

/** In the order given. */
export async function chargeLists(
  tx: Tx,
  jobs: Jobs,
  lists: readonly NewList[],
): Promise<(List | NotCharged)[]> {
  const created = await insertPaidLists(tx, lists);
  const refused = [...lists.keys()].filter((place) => !created[place]);
  const full = refused.length > 0 ? await fullOfTests(tx, accountsOf(lists, refused)) : new Set<number>();
  // An account that cannot pay for all of its lists at once still pays for those it can, in their order.
  const unpaid = refused.filter((place) => !full.has(lists[place]!.accountId));
  if (unpaid.length > 0 && ((await topUp(tx, lists, unpaid)) || lists.length > 1)) {
    const places = await affordable(tx, lists, unpaid);
    const more = await insertPaidLists(
      tx,
      places.map((place) => lists[place]!),
    );
    for (const [index, place] of places.entries()) created[place] = more[index]!;
  }
  await jobs.enqueueLists(
    tx,
    created.flatMap((list) => {
      if (!list) return [];
      const { id: listId, accountId, total, single } = list;
      return [{ listId, accountId, chunkCount: chunkCount(total), single }];
    }),
  );
  return created.map(
    (list, place) => list ?? (full.has(lists[place]!.accountId) ? 'test_lists_full' : 'insufficient_credits'),
  );
}

const accountsOf = (lists: readonly NewList[], places: readonly number[]) => [
  ...new Set(places.map((place) => lists[place]!.accountId)),
];

function topUp(tx: Tx, lists: readonly NewList[], places: readonly number[]): Promise<boolean> {
  return topUpTests(tx, accountsOf(lists, places), TEST_CREDITS, TEST_NOTE);
}

/** The accounts' rows are locked by the statement before, so the balances hold. */
async function affordable(tx: Tx, lists: readonly NewList[], places: readonly number[]): Promise<number[]> {
  const credits = await creditsOf(tx, accountsOf(lists, places));
  return places.filter((place) => {
    const { accountId, emails } = lists[place]!;
    const left = (credits.get(accountId) ?? 0) - emails.total;
    if (left >= 0) credits.set(accountId, left);
    return left >= 0;
  });
}
