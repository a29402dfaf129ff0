// Sends events to endpoints, as callbacks are sent: the same guard, the same shares of accounts and receivers.
import type { Logger } from 'pino';
import type { Context } from '../../flow/context.ts';
import type { Observer } from '../../flow/observer.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import { type PostSettings, startPosts } from '../../worker/start-posts.ts';
import { attemptDelivery, recordDelivery } from './send-delivery.ts';
import { ANSWER_BYTES } from './webhook-event.ts';

export function startDeliveries(options: {
  readonly context: Context;
  readonly box: SecretBox;
  readonly settings: PostSettings;
  readonly log: Logger;
  /** Counts attempts. Unset: nothing does. */
  readonly observer?: Partial<Pick<Observer, 'webhookAttempt'>>;
  readonly stopGraceMs?: number;
}): { stop(): Promise<void> } {
  const { context, box, observer } = options;
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
      recorded: (now) => observer?.webhookAttempt?.(now === 'again' ? 'retried' : now),
    },
  });
}
