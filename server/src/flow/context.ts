// What every flow needs: the database, the jobs, and the places where submissions queue up.
// Promise: an account whose submissions take long delays no other account's: neither by the connections they use nor by
// the lock on its own balance.
import type { KeyObject } from 'node:crypto';
import { holderOf } from '@mxproof/common/fair-share';
import { createFairSemaphore } from '../rules/fair-semaphore.ts';
import type { List } from '../rules/list.ts';
import { batched } from '../store/batched.ts';
import type { Database, Tx } from '../store/database.ts';
import { readErasureKey } from '../store/erasure-key.ts';
import type { Jobs } from '../store/jobs.ts';
import type { NewList } from '../store/lists.ts';
import type { SecretBox } from '../store/secret-box.ts';
import { chargeLists, type NotCharged } from './charge-lists.ts';

export interface Context {
  readonly db: Database;
  readonly jobs: Jobs;
  /** Charges and stores a small list in a transaction shared with others. */
  readonly chargeSmallList: (list: NewList) => Promise<List | NotCharged>;
  /** Runs work that charges an account in a transaction of its own; accounts share the connections for it fairly. */
  readonly withSlot: <T>(charged: SlotRequest, work: () => Promise<T>) => Promise<T>;
  /** The key of the hashes by which addresses are found (rules/erased-hash.ts). Read once, by the first caller's connection. */
  readonly addressKey: (tx: Tx) => Promise<KeyObject>;
}

interface SlotRequest {
  readonly accountId: number;
  readonly single: boolean;
  /** It keeps the account's balance locked for a while. */
  readonly isLong: boolean;
}

const SMALL_LISTS_AT_ONCE = 64;
/** Of the node's connections to the database. */
const OWN_TRANSACTIONS_PART = 1 / 2;

/** Null `box`: for commands that store no results. */
export function createContext(db: Database, jobs: Jobs, box: SecretBox | null): Context {
  const charge = (lists: readonly NewList[]) => db.transaction((tx) => chargeLists(tx, jobs, lists));
  const together = batched<NewList, List | NotCharged>(SMALL_LISTS_AT_ONCE, charge);
  const slots = createFairSemaphore(Math.ceil(db.poolSize * OWN_TRANSACTIONS_PART));
  /** Accounts with a long transaction, and how many. */
  const long = new Map<number, number>();

  function countLong(accountId: number, by: 1 | -1): void {
    const now = (long.get(accountId) ?? 0) + by;
    if (now > 0) long.set(accountId, now);
    else long.delete(accountId);
  }

  async function withSlot<T>({ accountId, single, isLong }: SlotRequest, work: () => Promise<T>): Promise<T> {
    const end = await slots.acquire(holderOf(accountId, single));
    if (isLong) countLong(accountId, 1);
    try {
      return await work();
    } finally {
      if (isLong) countLong(accountId, -1);
      end?.();
    }
  }

  let key: Promise<KeyObject> | undefined;
  async function readKey(tx: Tx): Promise<KeyObject> {
    if (!box) throw new Error('a hash of an address without the secret key');
    return (await readErasureKey(tx, box)).secret;
  }

  return {
    db,
    jobs,
    withSlot,
    addressKey(tx) {
      key ??= readKey(tx).catch((error: unknown) => {
        // A database that was away may be asked again.
        key = undefined;
        throw error;
      });
      return key;
    },
    async chargeSmallList(list) {
      // Every list in the shared transaction would wait for the lock on the account's balance.
      if (long.has(list.accountId))
        return withSlot({ ...list, isLong: false }, async () => (await charge([list]))[0]!);
      return together(list);
    },
  };
}
