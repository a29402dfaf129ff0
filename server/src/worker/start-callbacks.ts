// Delivers the callbacks of lists.
import type { Logger } from 'pino';
import type { Context } from '../flow/context.ts';
import type { Observer } from '../flow/observer.ts';
import { attemptCallback, recordAttempt } from '../flow/send-callback.ts';
import type { SecretBox } from '../store/secret-box.ts';
import type { Notifications } from './notifications.ts';
import { type PostSettings, startPosts } from './start-posts.ts';

export interface CallbackSettings extends PostSettings {
  readonly retryMs: readonly number[];
}

export function startCallbacks(options: {
  readonly context: Context;
  readonly box: SecretBox;
  readonly settings: CallbackSettings;
  readonly log: Logger;
  readonly notifications: Notifications;
  /** Counts attempts. Unset: nothing does. */
  readonly observer?: Partial<Pick<Observer, 'callbackAttempt'>> | undefined;
  readonly stopGraceMs?: number;
}): { stop(): Promise<void> } {
  const { context, box, settings, observer } = options;
  const { jobs } = context;
  const retrySeconds = settings.retryMs.map((ms) => ms / 1000);
  return startPosts({
    ...options,
    posts: {
      name: 'callback',
      claim: (room) => jobs.claimCallbacks(room),
      enqueue: (tx, job, delaySeconds) => jobs.enqueueCallback(tx, job, delaySeconds),
      keyOf: ({ listId }) => listId,
      idsOf: ({ listId }) => ({ listId }),
      attempt: (claimed, send) => attemptCallback(context, box, claimed, send),
      record: (claimed, attempt) => recordAttempt(context, claimed, attempt, retrySeconds),
      recorded: (now, durationMs) =>
        observer?.callbackAttempt?.(now === 'again' ? 'retried' : now, durationMs),
    },
  });
}
