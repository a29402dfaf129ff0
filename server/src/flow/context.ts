// What every flow is handed: the database, the job engine, and the one place where small lists queue up together.
import { chunkCount } from '../rules/clean-emails.ts';
import type { List } from '../rules/list.ts';
import { creditsOf } from '../store/accounts.ts';
import { batched } from '../store/batched.ts';
import { type Database, isRefused, type Tx } from '../store/database.ts';
import type { Jobs } from '../store/jobs.ts';
import { insertPaidLists, type NewList } from '../store/lists.ts';

export interface Context {
  readonly db: Database;
  readonly jobs: Jobs;
  /** Charges and stores a small list in a transaction shared with others; null: not enough credits. */
  readonly payForSmallList: (list: NewList) => Promise<List | null>;
}

const SMALL_LISTS_AT_ONCE = 64;

export function createContext(db: Database, jobs: Jobs): Context {
  const pay = (lists: readonly NewList[]) => db.transaction((tx) => payForLists(tx, jobs, lists));
  const together = batched<NewList, List | null>(SMALL_LISTS_AT_ONCE, pay);
  return {
    db,
    jobs,
    async payForSmallList(list) {
      try {
        return await together(list);
      } catch (error) {
        // Rolled back whole: what is wrong with one list must not be its neighbours' trouble.
        if (!isRefused(error)) throw error;
        return (await pay([list]))[0]!;
      }
    },
  };
}

/** Charge, rows and jobs belong together: the caller's transaction holds all of them. */
export async function payForLists(tx: Tx, jobs: Jobs, lists: readonly NewList[]): Promise<(List | null)[]> {
  const created = await insertPaidLists(tx, lists);
  // An account that cannot pay for all of its lists at once still pays for those it can, in their order.
  const unpaid = [...lists.keys()].filter((place) => !created[place]);
  if (unpaid.length > 0 && lists.length > 1) {
    const places = await affordable(tx, lists, unpaid);
    const more = await insertPaidLists(
      tx,
      places.map((place) => lists[place]!),
    );
    for (const [index, place] of places.entries()) created[place] = more[index]!;
  }
  await jobs.enqueueLists(
    tx,
    created.flatMap((list) =>
      list ? [{ listId: list.id, chunkCount: chunkCount(list.total), single: list.single }] : [],
    ),
  );
  return created;
}

/** The accounts' rows are locked by the statement before, so the balances hold. */
async function affordable(tx: Tx, lists: readonly NewList[], places: readonly number[]): Promise<number[]> {
  const credits = await creditsOf(tx, [...new Set(places.map((place) => lists[place]!.accountId))]);
  return places.filter((place) => {
    const { accountId, emails } = lists[place]!;
    const left = (credits.get(accountId) ?? 0) - emails.total;
    if (left >= 0) credits.set(accountId, left);
    return left >= 0;
  });
}
