// What every flow is handed: the database, the job engine, and the places where submissions queue up.
// Promise: an account whose submissions take long delays no other account's: neither by the connections they use nor by
// the lock on its own balance.
import { holderOf } from '@mxproof/engine';
import type { List } from '../rules/list.ts';
import { createTurns } from '../rules/turns.ts';
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
  /** For a transaction that charges an account and may take long: accounts take turns. */
  readonly inTurn: <T>(charged: Charged, work: () => Promise<T>) => Promise<T>;
}

type Charged = Pick<NewList, 'accountId' | 'single'>;

const SMALL_LISTS_AT_ONCE = 64;
/** Of the node's connections to the database. */
const LONG_TRANSACTIONS_PART = 1 / 2;

export function createContext(db: Database, jobs: Jobs): Context {
  const charge = (lists: readonly NewList[]) => db.transaction((tx) => chargeLists(tx, jobs, lists));
  const together = batched<NewList, List | null>(SMALL_LISTS_AT_ONCE, charge);
  const turns = createTurns(Math.ceil(db.poolSize * LONG_TRANSACTIONS_PART));
  /** Accounts with such a transaction, and how many. */
  const long = new Map<number, number>();

  async function inTurn<T>({ accountId, single }: Charged, work: () => Promise<T>): Promise<T> {
    long.set(accountId, (long.get(accountId) ?? 0) + 1);
    const end = await turns.take(holderOf(accountId, single));
    try {
      return await work();
    } finally {
      end?.();
      const left = long.get(accountId)! - 1;
      if (left > 0) long.set(accountId, left);
      else long.delete(accountId);
    }
  }

  return {
    db,
    jobs,
    inTurn,
    async chargeSmallList(list) {
      // The account's balance may be locked for a while, and everybody in the shared transaction would wait for it.
      if (long.has(list.accountId)) return inTurn(list, async () => (await charge([list]))[0]!);
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
