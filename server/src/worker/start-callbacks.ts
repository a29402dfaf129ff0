// Delivers callbacks.
// Promise: attempts begin within a second of their time, unless the account or the receiver has its share of attempts under
// way already (callback-slots.ts): slow receivers delay no other account's callbacks.
import { setTimeout as sleep } from 'node:timers/promises';
import { holderOf } from '@mxproof/common/fair-share';
import type { ReadingWatch } from '@mxproof/common/watchdog';
import type { Logger } from 'pino';
import { post } from '../callback/post.ts';
import type { Context } from '../flow/context.ts';
import type { Observer } from '../flow/observer.ts';
import { attemptCallback, type CallbackSender, recordAttempt } from '../flow/send-callback.ts';
import type { PortRange } from '../rules/callback-targets.ts';
import { createFairSemaphore } from '../rules/fair-semaphore.ts';
import type { Attempt } from '../store/callbacks.ts';
import { isUnavailable } from '../store/database.ts';
import type { CallbackJob, ClaimedJob } from '../store/jobs.ts';
import type { SecretBox } from '../store/secret-box.ts';
import { CallbackSlots, type ClaimedCallback } from './callback-slots.ts';
import { createIsolation } from './isolate.ts';
import { startLoop } from './loop.ts';
import type { Notifications } from './notifications.ts';
import { createTargetTrials } from './target-trials.ts';
import { waitUntil } from './wait-until.ts';

const POLL_MS = 500;
const HEARTBEAT_MS = 3_000;
const STOP_GRACE_MS = 11_000;
const RECORD_AGAIN_MS = 500;
const RECORD_TRIES = 60;
const RECORDS_AT_ONCE = 4;

export interface CallbackSettings {
  readonly retryMs: readonly number[];
  /** isPublicAddress of the engine, or everything where private targets are allowed. */
  readonly isAllowed: (ip: string) => boolean;
  readonly dnsServers: readonly { readonly host: string; readonly port: number }[];
  readonly ca?: string;
  /** Null or unset: any. */
  readonly ports?: readonly PortRange[] | null;
  readonly watchdog?: ReadingWatch;
  /** For tests: how long an attempt may take. */
  readonly limitMs?: number;
  /** For tests: how many attempts may be under way. */
  readonly atOnce?: number;
}

export function startCallbacks(options: {
  readonly context: Context;
  readonly box: SecretBox;
  readonly settings: CallbackSettings;
  readonly log: Logger;
  readonly notifications: Notifications;
  /** Counts attempts. Unset: nothing does. */
  readonly observer?: Partial<Pick<Observer, 'callbackAttempt'>> | undefined;
  /** How long stop() waits for attempts under way; one that is cut off is made again. */
  readonly stopGraceMs?: number;
}): { stop(): Promise<void> } {
  const { context, box, settings, log } = options;
  const retrySeconds = settings.retryMs.map((ms) => ms / 1000);
  const slots = new CallbackSlots(settings.atOnce);
  const records = createFairSemaphore(RECORDS_AT_ONCE);
  const trials = createTargetTrials(context.db);
  const callbacks = createIsolation<number>({ name: 'callbacks', log });
  let stopping = false;

  const sendFor =
    (one: ClaimedCallback): CallbackSender =>
    async (url, message, onSend) => {
      const trial = trials.begin(one.accountId);
      const posted = await post(url, message, {
        mayTry: trial.mayTry,
        ports: settings.ports,
        listId: one.claimed.job.listId,
        watchdog: settings.watchdog,
        isAllowed: settings.isAllowed,
        dnsServers: settings.dnsServers,
        ca: settings.ca,
        mayConnect: (ips, port) => {
          const may = slots.mayConnect(one, ips, port);
          if (may) onSend();
          return may;
        },
        ...(settings.limitMs === undefined ? {} : { limitMs: settings.limitMs }),
      });
      await trial.end(posted === null || posted === 'later' ? null : posted.status !== null);
      return posted;
    };

  async function claim(): Promise<void> {
    for (let room = slots.room(); room && !stopping; room = slots.room()) {
      const claimed = await context.jobs.claimCallbacks(room);
      for (const one of claimed) slots.add(one);
      await Promise.all(slots.tooMany().map(putBack));
      beginWaiting();
      if (claimed.length < room.limit) return;
    }
  }

  function beginWaiting(): void {
    if (stopping) return;
    for (const one of slots.begin())
      callbacks
        .run(one.claimed.job.listId, () => deliver(one))
        // A database that does not answer, which the loops log.
        .catch(() => {})
        .finally(() => {
          // It failed, or rests: its claim lapses, and the attempt is made again.
          if (one.isUnderWay) slots.drop(one);
          beginWaiting();
          claiming.wake();
        });
  }

  async function deliver(one: ClaimedCallback): Promise<void> {
    const { claimed } = one;
    const attempt = await attemptCallback(context, box, claimed, sendFor(one));
    if (attempt === 'not_now') return stopping ? putBack(one) : slots.waitAgain(one);
    const now = attempt && (await recordFairly(one, attempt));
    slots.drop(one);
    if (!attempt) return;
    const { listId } = claimed.job;
    const { status, error, durationMs } = attempt;
    if (now) options.observer?.callbackAttempt?.(now === 'again' ? 'retried' : now, durationMs);
    if (now === 'delivered') log.info({ listId, status, durationMs }, 'callback delivered');
    else if (now)
      log.warn(
        { listId, status, error, durationMs },
        now === 'again' ? 'callback attempt failed, retrying' : 'callback failed',
      );
  }

  /** A thousand attempts that end together would take every connection there is. */
  async function recordFairly(one: ClaimedCallback, attempt: Attempt) {
    const end = await records.acquire(holderOf(one.accountId, false));
    return record(one.claimed, attempt).finally(() => end?.());
  }

  /** Retries while the database is unavailable: an attempt that is not recorded would be made again. */
  async function record(claimed: ClaimedJob<CallbackJob>, attempt: Attempt) {
    for (let tries = 1; ; tries++) {
      try {
        return await recordAttempt(context, claimed, attempt, retrySeconds);
      } catch (error) {
        if (!isUnavailable(error) || tries >= RECORD_TRIES || stopping) throw error;
        await sleep(RECORD_AGAIN_MS);
      }
    }
  }

  async function beat(): Promise<void> {
    const before = slots.all();
    const claims = before.map(({ claimed }) => claimed.claim);
    const still = await context.jobs.renew(claims);
    // One that is under way may have ended meanwhile, or still deliver.
    for (const one of before) if (!still.has(one.claimed.claim.jobId) && !one.isUnderWay) slots.drop(one);
  }

  const claiming = startLoop({ name: 'callbacks', everyMs: POLL_MS, log, run: claim });
  const beating = startLoop({ name: 'callback heartbeat', everyMs: HEARTBEAT_MS, log, run: beat });
  const unsubscribe = options.notifications.subscribe(({ what }) => {
    if (what === 'callback' || what === 'missed') claiming.wake();
  });

  async function putBack(one: ClaimedCallback): Promise<void> {
    slots.drop(one);
    const { claim: own, job } = one.claimed;
    await context.db.transaction(async (tx) => {
      const ours = await context.jobs.finish(tx, [own]);
      if (ours.has(own.jobId)) await context.jobs.enqueueCallback(tx, job, 0);
    });
  }

  return {
    async stop() {
      stopping = true;
      unsubscribe();
      await claiming.stop();
      await Promise.allSettled(slots.waiting().map(putBack));
      await waitUntil(() => slots.size === 0, options.stopGraceMs ?? STOP_GRACE_MS);
      await beating.stop();
    },
  };
}
