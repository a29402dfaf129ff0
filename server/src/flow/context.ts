// What every flow is handed: the database, the job engine, and the one place where small lists queue up together.
import type { List } from '../rules/list.ts';
import { batched } from '../store/batched.ts';
import type { Database, Tx } from '../store/database.ts';
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
  const together = batched<NewList, List | null>(SMALL_LISTS_AT_ONCE, (lists) =>
    db.transaction((tx) => payForLists(tx, jobs, lists)),
  );
  return {
    db,
    jobs,
    async payForSmallList(list) {
      // An account that cannot pay for all its lists at once may still pay for this one.
      return (
        (await together(list)) ?? db.transaction(async (tx) => (await payForLists(tx, jobs, [list]))[0]!)
      );
    },
  };
}

/** Charge, rows and jobs belong together: the caller's transaction holds all of them. */
export async function payForLists(tx: Tx, jobs: Jobs, lists: readonly NewList[]): Promise<(List | null)[]> {
  const created = await insertPaidLists(tx, lists);
  await jobs.enqueueLists(
    tx,
    created.flatMap((list, place) =>
      list ? [{ listId: list.id, chunkCount: lists[place]!.chunks.length, single: list.single }] : [],
    ),
  );
  return created;
}
