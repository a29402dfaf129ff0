// One attempt at a list's callback, and its consequence: delivered, retried later, or failed for good.
// Promise: the stored bytes are signed and sent in every attempt; an attempt whose claim was lost leaves no trace
// unless it delivered.

import type { PostResult } from '../callback/post.ts';
import { callbackHeaders } from '../callback/sign.ts';
import { delayAfterFailure, isDelivered } from '../rules/callback-schedule.ts';
import { type Attempt, type Callback, findCallback, lockCallback, saveAttempt } from '../store/callbacks.ts';
import type { CallbackJob, ClaimedJob } from '../store/jobs.ts';
import { type SecretBox, WrongSecretKey } from '../store/secret-box.ts';
import { insertShownCallback } from '../store/shown-callbacks.ts';
import { readWebhookSecrets } from '../store/webhook-secrets.ts';
import type { Context } from './context.ts';

/** How often the callback of a deleted list checks whether the list was brought back, and one that must wait its turn. */
const RECHECK_SECONDS = 5;

export const SECRET_DOES_NOT_OPEN = { status: null, error: 'the webhook secret does not open' };

export type CallbackSender = (
  url: string,
  message: { readonly headers: Record<string, string>; readonly body: Buffer },
  /** Called when the request is sent; not if the receiver has no permitted address. */
  onSend: () => void,
) => Promise<PostResult | 'later' | null>;

/** Null: nothing is to be sent (any more), and the job is over. `not_now`: nothing was sent, and nothing is to be recorded. */
export async function attemptCallback(
  context: Context,
  box: SecretBox,
  claimed: ClaimedJob<CallbackJob>,
  post: CallbackSender,
): Promise<Attempt | 'not_now' | null> {
  const callback = await findCallback(context.db, claimed.job.listId);
  if (callback?.state !== 'pending') {
    await context.jobs.finish(context.db, [claimed.claim]);
    return null;
  }
  if (callback.isDeleted) {
    await recheckLater(context, claimed);
    return null;
  }
  const atSeconds = Math.floor(Date.now() / 1000);
  const beganMs = performance.now();
  const posted = await send(context, box, callback, post, atSeconds);
  if (posted === 'later') {
    await recheckLater(context, claimed);
    return null;
  }
  if (!posted) return 'not_now';
  return { atSeconds, ...posted, durationMs: Math.round(performance.now() - beganMs) };
}

async function recheckLater(context: Context, { job, claim }: ClaimedJob<CallbackJob>): Promise<void> {
  await context.db.transaction(async (tx) => {
    const ours = await context.jobs.finish(tx, [claim]);
    if (ours.has(claim.jobId)) await context.jobs.enqueueCallback(tx, job, RECHECK_SECONDS);
  });
}

async function send(
  context: Context,
  box: SecretBox,
  callback: Callback,
  post: CallbackSender,
  timestampSeconds: number,
): Promise<PostResult | 'later' | null> {
  const body = Buffer.from(callback.body);
  // The signature covers it, and a receiver of live callbacks can tell.
  const id = `${callback.saysTest ? 'test_' : ''}list.done.${callback.listId}`;
  const headers = await signedHeaders(() => readWebhookSecrets(context.db, callback.accountId, box), {
    id,
    timestampSeconds,
    body,
  });
  if (headers === null) return SECRET_DOES_NOT_OPEN;
  const show = callback.test ? once(() => showCallback(context, callback, headers)) : async () => {};
  const posted = await post(callback.url, { body, headers }, show);
  // Listeners also see attempts that found no address to send to; a deferred attempt is shown when it is made.
  if (posted && posted !== 'later') await show();
  return posted;
}

/** Null: no secret opens. The operator sees it at the attempt, and may resend once MXPROOF_SECRET_KEY is right. */
export async function signedHeaders(
  readSecrets: () => Promise<readonly string[]>,
  message: { readonly id: string; readonly timestampSeconds: number; readonly body: Buffer },
): Promise<Record<string, string> | null> {
  try {
    const [newest, ...others] = await readSecrets();
    return newest === undefined ? null : callbackHeaders([newest, ...others], message);
  } catch (error) {
    if (!(error instanceof WrongSecretKey)) throw error;
    return null;
  }
}

/** Best effort: while the database is unavailable listeners miss the attempt, but it is still made. */
async function showCallback(
  context: Context,
  { accountId, listId, url, body }: Callback,
  headers: Record<string, string>,
): Promise<void> {
  const shown = { accountId, listId, url, headers: JSON.stringify(headers), body };
  await context.db.transaction((tx) => insertShownCallback(tx, shown)).catch(() => {});
}

function once<T>(work: () => T): () => T {
  let done: { readonly value: T } | null = null;
  return () => {
    done ??= { value: work() };
    return done.value;
  };
}

/** Returns the callback's new state; null: another node has the claim. */
export async function recordAttempt(
  context: Context,
  claimed: ClaimedJob<CallbackJob>,
  attempt: Attempt,
  retrySeconds: readonly number[],
): Promise<'delivered' | 'again' | 'failed' | null> {
  const { job, claim } = claimed;
  return context.db.transaction(async (tx) => {
    const callback = await lockCallback(tx, job.listId);
    const ours = await context.jobs.finish(tx, [claim]);
    if (callback?.state !== 'pending') return null;
    if (attempt.status !== null && isDelivered(attempt.status)) {
      await saveAttempt(tx, job.listId, { attempt, state: 'delivered', nextAfterSeconds: null });
      return 'delivered';
    }
    if (!ours.has(claim.jobId)) return null;
    const made = callback.attempts.length + 1 - callback.earlier;
    const nextAfterSeconds = delayAfterFailure(made, retrySeconds);
    const state = nextAfterSeconds === null ? 'failed' : 'pending';
    await saveAttempt(tx, job.listId, { attempt, state, nextAfterSeconds });
    if (nextAfterSeconds === null) return 'failed';
    await context.jobs.enqueueCallback(tx, job, nextAfterSeconds);
    return 'again';
  });
}
