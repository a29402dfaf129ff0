// Sends events to endpoints, as callbacks are sent: the same guard, the same shares of accounts and receivers.
import type { Logger } from 'pino';
import type { Context } from '../../flow/context.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import { type PostSettings, startPosts } from '../../worker/start-posts.ts';
import { attemptDelivery, recordDelivery } from './send-delivery.ts';
import { ANSWER_BYTES } from './webhook-event.ts';

export function startDeliveries(options: {
  readonly context: Context;
  readonly box: SecretBox;
  readonly settings: PostSettings;
  readonly log: Logger;
  readonly stopGraceMs?: number;
}): { stop(): Promise<void> } {
  const { context, box } = options;
  const { jobs } = context;
  return startPosts({
    ...options,
    posts: {
      name: 'webhook',
      answerBytes: ANSWER_BYTES,
      claim: (room) => jobs.claimWebhooks(room),
      enqueue: (tx, job, delaySeconds) => jobs.enqueueWebhooks(tx, [job], delaySeconds),
      keyOf: ({ deliveryId }) => deliveryId,
      idsOf: ({ deliveryId }) => ({ deliveryId }),
      attempt: (claimed, send) => attemptDelivery(context, box, claimed, send),
      record: (claimed, attempt) => recordDelivery(context, claimed, attempt),
    },
  });
}
