// Posts what is queued: callbacks of lists, and what endpoints of accounts are told.
// Promise: attempts begin within a second of their time, unless the account or the receiver has its share of attempts under
// way already (callback-slots.ts): slow receivers delay no other account's.
import { setTimeout as sleep } from 'node:timers/promises';
import { holderOf } from '@mxproof/common/fair-share';
import type { ReadingWatch } from '@mxproof/common/watchdog';
import type { Logger } from 'pino';
import { post } from '../callback/post.ts';
import type { Context } from '../flow/context.ts';
import type { CallbackSender } from '../flow/send-callback.ts';
import type { PortRange } from '../rules/callback-targets.ts';
import { createFairSemaphore } from '../rules/fair-semaphore.ts';
import type { Attempt } from '../store/callbacks.ts';
import type { Tx } from '../store/database.ts';
import { isUnavailable } from '../store/database.ts';
import type { ClaimedJob, Jobs, PostJob } from '../store/jobs.ts';
import { CallbackSlots, type ClaimedPost } from './callback-slots.ts';
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

/** Of the target, and for tests. */
export interface PostSettings {
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

export type Recorded = 'delivered' | 'again' | 'failed';

/** What is posted: where it comes from, and what becomes of it. */
export interface Posts<Job extends PostJob, Made extends Attempt> {
  /** For the log: one of them. */
  readonly name: string;
  claim(room: Parameters<Jobs['claimCallbacks']>[0]): Promise<ClaimedJob<Job>[]>;
  enqueue(tx: Tx, job: Job, delaySeconds: number): Promise<void>;
  /** What fails alone. */
  keyOf(job: Job): number;
  /** For the log. */
  idsOf(job: Job): { readonly listId?: number; readonly deliveryId?: number };
  /** Null: nothing is to be sent (any more), and the job is over. `not_now`: nothing was sent, and nothing is to be recorded. */
  attempt(claimed: ClaimedJob<Job>, send: CallbackSender): Promise<Made | 'not_now' | null>;
  /** Null: another node has the claim, or nothing is to be said. */
  record(claimed: ClaimedJob<Job>, made: Made): Promise<Recorded | null>;
  /** So much of an answer's body is kept. */
  readonly answerBytes?: number;
  recorded?(now: Recorded, durationMs: number): void;
}

export function startPosts<Job extends PostJob, Made extends Attempt>(options: {
  readonly context: Context;
  readonly posts: Posts<Job, Made>;
  readonly settings: PostSettings;
  readonly log: Logger;
  /** Unset: it polls alone. */
  readonly notifications?: Notifications;
  /** How long stop() waits for attempts under way; one that is cut off is made again. */
  readonly stopGraceMs?: number | undefined;
}): { stop(): Promise<void> } {
  const { context, posts, settings, log } = options;
  const slots = new CallbackSlots<Job>(settings.atOnce);
  const records = createFairSemaphore(RECORDS_AT_ONCE);
  const trials = createTargetTrials(context.db);
  const isolated = createIsolation<number>({ name: `${posts.name}s`, log });
  let stopping = false;

  const sendFor =
    (one: ClaimedPost<Job>): CallbackSender =>
    async (url, message, onSend) => {
      const trial = trials.begin(one.accountId);
      const posted = await post(url, message, {
        mayTry: trial.mayTry,
        ports: settings.ports,
        listId: posts.idsOf(one.claimed.job).listId,
        keepBytes: posts.answerBytes,
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
      const claimed = await posts.claim(room);
      for (const one of claimed) slots.add(one);
      await Promise.all(slots.tooMany().map(putBack));
      beginWaiting();
      if (claimed.length < room.limit) return;
    }
  }

  function beginWaiting(): void {
    if (stopping) return;
    for (const one of slots.begin())
      isolated
        .run(posts.keyOf(one.claimed.job), () => deliver(one))
        // A database that does not answer, which the loops log.
        .catch(() => {})
        .finally(() => {
          // It failed, or rests: its claim lapses, and the attempt is made again.
          if (one.isUnderWay) slots.drop(one);
          beginWaiting();
          claiming.wake();
        });
  }

  async function deliver(one: ClaimedPost<Job>): Promise<void> {
    const { claimed } = one;
    const attempt = await posts.attempt(claimed, sendFor(one));
    if (attempt === 'not_now') return stopping ? putBack(one) : slots.waitAgain(one);
    const now = attempt && (await recordFairly(one, attempt));
    slots.drop(one);
    if (!attempt) return;
    const ids = posts.idsOf(claimed.job);
    const { status, error, durationMs } = attempt;
    if (now) posts.recorded?.(now, durationMs);
    if (now === 'delivered') log.info({ ...ids, status, durationMs }, `${posts.name} delivered`);
    else if (now)
      log.warn(
        { ...ids, status, error, durationMs },
        now === 'again' ? `${posts.name} attempt failed, retrying` : `${posts.name} failed`,
      );
  }

  /** A thousand attempts that end together would take every connection there is. */
  async function recordFairly(one: ClaimedPost<Job>, attempt: Made) {
    const end = await records.acquire(holderOf(one.accountId, false));
    return record(one.claimed, attempt).finally(() => end?.());
  }

  /** Retries while the database is unavailable: an attempt that is not recorded would be made again. */
  async function record(claimed: ClaimedJob<Job>, attempt: Made) {
    for (let tries = 1; ; tries++) {
      try {
        return await posts.record(claimed, attempt);
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

  const claiming = startLoop({ name: `${posts.name}s`, everyMs: POLL_MS, log, run: claim });
  const beating = startLoop({ name: `${posts.name} heartbeat`, everyMs: HEARTBEAT_MS, log, run: beat });
  const unsubscribe = options.notifications?.subscribe(({ what }) => {
    if (what === 'callback' || what === 'missed') claiming.wake();
  });

  async function putBack(one: ClaimedPost<Job>): Promise<void> {
    slots.drop(one);
    const { claim: own, job } = one.claimed;
    await context.db.transaction(async (tx) => {
      const ours = await context.jobs.finish(tx, [own]);
      if (ours.has(own.jobId)) await posts.enqueue(tx, job, 0);
    });
  }

  return {
    async stop() {
      stopping = true;
      unsubscribe?.();
      await claiming.stop();
      await Promise.allSettled(slots.waiting().map(putBack));
      await waitUntil(() => slots.size === 0, options.stopGraceMs ?? STOP_GRACE_MS);
      await beating.stop();
    },
  };
}
