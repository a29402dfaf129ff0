// Delivers callbacks.
// Promise: attempts begin within a second of their time; a receiver has at most four attempts under way, so that a slow
// one does not delay the others.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadingWatch } from '@mxproof/engine';
import type { Logger } from 'pino';
import { post } from '../callback/post.ts';
import type { Context } from '../flow/context.ts';
import { attemptCallback, recordAttempt } from '../flow/send-callback.ts';
import type { Attempt } from '../store/callbacks.ts';
import { isUnavailable } from '../store/database.ts';
import { type CallbackJob, type Claimed, QUEUE } from '../store/jobs.ts';
import type { SecretBox } from '../store/secret-box.ts';
import type { Listener } from './listener.ts';
import { startLoop } from './loop.ts';
import { waitUntil } from './wait-until.ts';

const POLL_MS = 500;
const HEARTBEAT_MS = 3_000;
/** Many receivers must take their full ten seconds before they delay one that does not. */
const AT_ONCE = 1_000;
const AT_ONCE_PER_RECEIVER = 4;
/** One claim may bring this many for one receiver; those above its limit wait here. */
const CLAIM_LIMIT = 50;
const STOP_GRACE_MS = 11_000;
const RECORD_AGAIN_MS = 500;
const RECORD_TRIES = 60;

export interface CallbackSettings {
  readonly retryMs: readonly number[];
  /** isPublicAddress of the engine, or everything where private targets are allowed. */
  readonly isAllowed: (ip: string) => boolean;
  readonly dnsServers: readonly { readonly host: string; readonly port: number }[];
  readonly ca?: string;
  readonly watchdog?: ReadingWatch;
  /** For tests: how long an attempt may take. */
  readonly limitMs?: number;
}

interface HeldCallback {
  readonly claimed: Claimed<CallbackJob>;
}

export function startCallbacks(options: {
  readonly context: Context;
  readonly box: SecretBox;
  readonly settings: CallbackSettings;
  readonly log: Logger;
  readonly listener: Listener;
  /** How long stop() waits for attempts under way; one that is cut off is made again. */
  readonly stopGraceMs?: number;
}): { stop(): Promise<void> } {
  const { context, box, settings, log } = options;
  const retrySeconds = settings.retryMs.map((ms) => ms / 1000);
  const held = new Set<HeldCallback>();
  /** Claimed and not begun: their receivers are at their limit. */
  const waiting = new Set<HeldCallback>();
  /** Attempts by receiver. */
  const underWay = new Map<string, number>();
  let stopping = false;

  const send = (listId: number, url: string, message: Parameters<typeof post>[1]) =>
    post(url, message, {
      listId,
      watchdog: settings.watchdog,
      isAllowed: settings.isAllowed,
      dnsServers: settings.dnsServers,
      ca: settings.ca,
      ...(settings.limitMs === undefined ? {} : { limitMs: settings.limitMs }),
    });

  const isBusy = (receiver: string) => (underWay.get(receiver) ?? 0) >= AT_ONCE_PER_RECEIVER;

  async function claim(): Promise<void> {
    while (!stopping && held.size < AT_ONCE) {
      // A receiver with something waiting here is at its limit already.
      const notFor = [...underWay.keys()].filter(isBusy);
      const limit = Math.min(CLAIM_LIMIT, AT_ONCE - held.size);
      const claimed = await context.jobs.claimCallbacks({ limit, notFor });
      for (const one of claimed) {
        const fresh = { claimed: one };
        held.add(fresh);
        waiting.add(fresh);
      }
      beginWaiting();
      if (claimed.length < limit) return;
    }
  }

  function beginWaiting(): void {
    if (stopping) return;
    for (const one of waiting) {
      const { receiver, listId } = one.claimed.job;
      if (isBusy(receiver)) continue;
      waiting.delete(one);
      underWay.set(receiver, (underWay.get(receiver) ?? 0) + 1);
      deliver(one.claimed)
        .catch((error: unknown) => {
          // The claim lapses, and the attempt is made again.
          if (!isUnavailable(error))
            log.error({ listId, err: error }, 'callback attempt failed with an internal error');
        })
        .finally(() => {
          held.delete(one);
          const left = underWay.get(receiver)! - 1;
          if (left > 0) underWay.set(receiver, left);
          else underWay.delete(receiver);
          beginWaiting();
          claiming.wake();
        });
    }
  }

  async function deliver(claimed: Claimed<CallbackJob>): Promise<void> {
    const { listId } = claimed.job;
    const attempt = await attemptCallback(context, box, claimed, (url, message) =>
      send(listId, url, message),
    );
    if (!attempt) return;
    const now = await record(claimed, attempt);
    const { status, error, durationMs } = attempt;
    if (now === 'delivered') log.info({ listId, status, durationMs }, 'callback delivered');
    else if (now)
      log.warn(
        { listId, status, error, durationMs },
        now === 'again' ? 'callback attempt failed, retrying' : 'callback failed',
      );
  }

  /** Retries while the database is unavailable: an attempt that is not recorded would be made again. */
  async function record(claimed: Claimed<CallbackJob>, attempt: Attempt) {
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
    const before = [...held];
    const claims = before.map(({ claimed }) => claimed.claim);
    const still = await context.jobs.hold(context.db, QUEUE.callback, claims);
    for (const one of before) if (!still.has(one.claimed.claim.id) && waiting.delete(one)) held.delete(one);
  }

  const claiming = startLoop({ name: 'callbacks', everyMs: POLL_MS, log, run: claim });
  const beating = startLoop({ name: 'callback heartbeat', everyMs: HEARTBEAT_MS, log, run: beat });
  const unhear = options.listener.hear(({ what }) => {
    if (what === 'callback' || what === 'missed') claiming.wake();
  });

  async function putBack(one: HeldCallback): Promise<void> {
    waiting.delete(one);
    held.delete(one);
    const { claim: own, job } = one.claimed;
    await context.db.transaction(async (tx) => {
      const ours = await context.jobs.finish(tx, QUEUE.callback, [own]);
      if (ours.has(own.id)) await context.jobs.enqueueCallback(tx, job, 0);
    });
  }

  return {
    async stop() {
      stopping = true;
      unhear();
      await claiming.stop();
      await Promise.allSettled([...waiting].map(putBack));
      await waitUntil(() => held.size === 0, options.stopGraceMs ?? STOP_GRACE_MS);
      await beating.stop();
    },
  };
}
