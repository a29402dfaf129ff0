// Sends a finished callback again: the same bytes, with a full schedule of attempts.
import type { Actor } from '../rules/audit.ts';
import { receiverOf } from '../rules/callback-schedule.ts';
import { writeAudit } from '../store/audit.ts';
import { lockCallback, reopenCallback } from '../store/callbacks.ts';
import type { Context } from './context.ts';

export type ResendResult = 'resent' | 'no_callback' | 'still_pending';

export async function resendCallback(context: Context, actor: Actor, listId: number): Promise<ResendResult> {
  return context.db.transaction(async (tx) => {
    const callback = await lockCallback(tx, listId);
    if (!callback || callback.isDeleted) return 'no_callback';
    if (callback.state === 'pending') return 'still_pending';
    const { accountId, state, url } = callback;
    await reopenCallback(tx, listId);
    await context.jobs.enqueueCallback(tx, { listId, accountId, receiver: receiverOf(accountId, url) }, 0);
    await writeAudit(tx, actor, {
      action: 'callback.resent',
      accountId,
      subjectId: listId,
      changes: { state: [state, 'pending'] },
    });
    return 'resent';
  });
}
