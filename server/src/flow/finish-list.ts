// Ends a list: refunds, closes it and enqueues the callback in the caller's transaction, which holds the list's lock.
//
//   processing ─▶ checking ─▶ done      every address is final: unknown ones refunded, callback enqueued
//        └────────────┴─────▶ failed    the service cannot finish, or the list is cancelled: never-checked ones
//                                       refunded too, no callback
import { refundOf } from '@mxproof/common/refund';
import { receiverOf } from '../rules/callback-schedule.ts';
import { type List, listSummary } from '../rules/list.ts';
import { insertCallback } from '../store/callbacks.ts';
import type { Tx } from '../store/database.ts';
import { settleList } from '../store/ledger.ts';
import { closeList, lockList } from '../store/lists.ts';
import { notify } from '../store/notify.ts';
import { countResults } from '../store/usage.ts';
import type { Context } from './context.ts';

/** Returns the list as it then is. */
export async function finishList(context: Pick<Context, 'jobs'>, tx: Tx, list: List): Promise<List> {
  const closed = await closeList(tx, list.id, { status: 'done', failure: null });
  const { accountId } = closed;
  if (closed.callbackUrl !== null) {
    await insertCallback(tx, {
      listId: closed.id,
      accountId,
      url: closed.callbackUrl,
      body: JSON.stringify({ event: 'list.done', list: listSummary(closed) }),
    });
    await context.jobs.enqueueCallback(
      tx,
      { listId: closed.id, accountId, receiver: receiverOf(accountId, closed.callbackUrl) },
      0,
    );
  }
  await settleList(tx, {
    accountId: list.accountId,
    listId: list.id,
    refund: refundOf(closed),
    removed: false,
  });
  await countResults(tx, closed);
  await notify(tx, { what: 'finished', listId: list.id });
  return closed;
}

/** Returns the list as it then is; null: no such list, or finished before. */
export async function failList(context: Context, listId: number, failure: string): Promise<List | null> {
  return context.db.transaction(async (tx) => {
    const list = await lockList(tx, listId);
    if (!list || list.finishedAtSeconds !== null) return null;
    return failLocked(tx, list, failure);
  });
}

/** The caller holds the lock of the list, which is unfinished. */
export async function failLocked(tx: Tx, list: List, failure: string): Promise<List> {
  const { id: listId, accountId } = list;
  const closed = await closeList(tx, listId, { status: 'failed', failure });
  await settleList(tx, { accountId, listId, refund: refundOf(list), removed: false });
  await countResults(tx, list);
  await notify(tx, { what: 'gone', listId });
  return closed;
}
