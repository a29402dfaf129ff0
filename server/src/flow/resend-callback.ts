// Sends a finished callback again: the same bytes, with a full schedule of attempts.
import { receiverOf } from '../rules/callback-schedule.ts';
import { lockCallback, reopenCallback } from '../store/callbacks.ts';
import type { Context } from './context.ts';

export type ResendResult = 'resent' | 'no_callback' | 'still_pending';

export async function resendCallback(context: Context, listId: number): Promise<ResendResult> {
  return context.db.transaction(async (tx) => {
    const callback = await lockCallback(tx, listId);
    if (!callback || callback.isDeleted) return 'no_callback';
    if (callback.state === 'pending') return 'still_pending';
    await reopenCallback(tx, listId);
    await context.jobs.enqueueCallback(
      tx,
      { listId, accountId: callback.accountId, receiver: receiverOf(callback.accountId, callback.url) },
      0,
    );
    return 'resent';
  });
}
