// What every flow needs: the database, the job engine, and the batching of small lists.
import type { List } from '../rules/list.ts';
import { batched } from '../store/batched.ts';
import { type Database, isRefused } from '../store/database.ts';
import type { Jobs } from '../store/jobs.ts';
import type { NewList } from '../store/lists.ts';
import { chargeLists } from './charge-lists.ts';

export interface Context {
  readonly db: Database;
  readonly jobs: Jobs;
  /** Charges and stores a small list in a transaction shared with others; null: not enough credits. */
  readonly chargeSmallList: (list: NewList) => Promise<List | null>;
}

const SMALL_LISTS_AT_ONCE = 64;

export function createContext(db: Database, jobs: Jobs): Context {
  const charge = (lists: readonly NewList[]) => db.transaction((tx) => chargeLists(tx, jobs, lists));
  const together = batched<NewList, List | null>(SMALL_LISTS_AT_ONCE, charge);
  return {
    db,
    jobs,
    async chargeSmallList(list) {
      try {
        return await together(list);
      } catch (error) {
        // Rolled back whole: what is wrong with one list must not be its neighbours' trouble.
        if (!isRefused(error)) throw error;
        return (await charge([list]))[0]!;
      }
    },
  };
}
