// Single checks: started at once by the node that took the request, and waited for there, whichever node finishes them.
// Promise: a check that this node cannot finish is taken over by its job; a waiting caller learns of the end from this
// node's own write, from NOTIFY, or at the latest from the poll.
//
//   begin ─▶ asking ─▶ final: written ─▶ finished
//               └────▶ later, unasked: its job asks, here or elsewhere, and NOTIFY says when it is finished
import { setTimeout as sleep } from 'node:timers/promises';
import { steadyNow } from '@mxproof/common/steady-now';
import type { Checker, Outcome } from '@mxproof/engine';
import type { Logger } from 'pino';
import type { Context } from '../flow/context.ts';
import { moveSingle } from '../flow/move-single.ts';
import type { Observer } from '../flow/observer.ts';
import type { SingleChecks } from '../flow/verify-one.ts';
import { type RowVerdict, singleResults, storedVerdict } from '../rules/chunk-results.ts';
import { addressHash } from '../rules/erased-hash.ts';
import { packEvidence } from '../rules/evidence-pack.ts';
import { batched } from '../store/batched.ts';
import { compress } from '../store/compress.ts';
import { isDeadlock, isUnavailable } from '../store/database.ts';
import { beginChecking, unfinishedOf } from '../store/lists.ts';
import { type FoundSingle, finishSingles } from '../store/singles.ts';
import { onSteadyClock } from './check-chunk.ts';
import { startLoop } from './loop.ts';
import type { Notifications } from './notifications.ts';
import { testChecker } from './test-checker.ts';
import { waitUntil } from './wait-until.ts';

/** How long a dead node's single checks wait before another node takes them; a live node postpones its own in time. */
export const SAFETY_NET_SECONDS = 15;
const POSTPONE_MS = 5_000;
const POLL_MS = 500;
/** Most checks are over by then, and need not be reported as waiting. */
const LONG_MS = 1_000;
const SINGLES_AT_ONCE = 64;
const STOP_GRACE_MS = 10_000;
/** Retries while the database is unavailable: an answer that is not written would be asked for again. */
const WRITE_AGAIN_MS = 250;
const WRITE_TRIES = 120;

export interface RunningSingles extends SingleChecks {
  /** Lists of the checks that have run for a while. */
  longRunning(): number[];
  /** Gives what is in flight ten seconds; the rest is left to its jobs. */
  stop(): Promise<void>;
}

interface RunningCheck {
  /** When its safety net was last postponed. */
  postponedMs: number;
  readonly begunMs: number;
  /** Its list's status is `checking`; a check that ends at once never gets there. */
  shown: boolean;
}

export function createSingleChecks(options: {
  readonly context: Context;
  /** Null on a node that does not check. */
  readonly checker: Checker | null;
  readonly keepEvidence: boolean;
  readonly log: Logger;
  readonly notifications: Notifications;
  /** Counts verdicts. Unset: nothing does. */
  readonly observer?: Partial<Pick<Observer, 'checked'>> | undefined;
  /** How long stop() waits for answers to what is on the wire. */
  readonly stopGraceMs?: number;
}): RunningSingles {
  const { context, checker, log, notifications } = options;
  const stopping = new AbortController();
  const running = new Map<number, RunningCheck>();
  /** Called with the verdict by this node's own write, with null by NOTIFY. */
  const waiting = new Map<number, Set<(verdict: RowVerdict | null) => void>>();

  const write = batched<FoundSingle, number>(SINGLES_AT_ONCE, async (found) => {
    const { atSeconds, asked } = await finishSingles(context.db, found).catch((error: unknown) => {
      // A deadlock: refunds of two nodes locked two accounts in opposite order. The transaction is retried.
      if (!isDeadlock(error)) throw error;
      return context.db.transaction((tx) => finishSingles(tx, found));
    });
    // A single check begins without reading what its account has asked at other nodes: this one learns it by its writes.
    for (const { accountId, ...domain } of asked) checker?.learnAsked(accountId, domain);
    return found.map(() => atSeconds);
  });

  /** Returns when it was stored. */
  async function writeWithPatience(found: FoundSingle): Promise<number> {
    for (let tries = 1; ; tries++) {
      try {
        return await write(found);
      } catch (error) {
        if (!isUnavailable(error) || tries >= WRITE_TRIES || stopping.signal.aborted) throw error;
        await sleep(WRITE_AGAIN_MS);
      }
    }
  }

  function notify(listId: number, verdict: RowVerdict | null): void {
    for (const resolve of waiting.get(listId) ?? []) resolve(verdict);
  }

  async function check(
    checking: Pick<Checker, 'ask'>,
    listId: number,
    account: number,
    email: string,
  ): Promise<void> {
    let outcome: Outcome = { kind: 'unasked' };
    const begunMs = steadyNow();
    await checking.ask([{ email }], {
      priority: 'single',
      account,
      lot: listId,
      signal: stopping.signal,
      onOutcome: (_, given) => {
        outcome = given;
      },
    });
    const given = onSteadyClock(outcome as Outcome);
    switch (given.kind) {
      case 'final': {
        const verdict = storedVerdict(given.finding);
        if (checking !== testChecker) options.observer?.checked?.(verdict, 'single', steadyNow() - begunMs);
        const checkedAtSeconds = await writeWithPatience(await toFound(listId, email, given));
        return notify(listId, { ...verdict, checkedAtSeconds });
      }
      case 'later':
        return moveSingle(context, listId, { resume: given.resume, notBeforeMs: given.notBeforeMs });
      case 'unasked':
        return moveSingle(context, listId, { notBeforeMs: steadyNow() });
      default:
        given satisfies never;
    }
  }

  async function toFound(
    listId: number,
    email: string,
    { finding, asked }: Extract<Outcome, { kind: 'final' }>,
  ): Promise<FoundSingle> {
    const key = await context.addressKey(context.db);
    return {
      listId,
      state: finding.state,
      results: singleResults(finding),
      evidence: options.keepEvidence ? compress(packEvidence([[0, finding.evidence]])) : null,
      asked,
      hash: addressHash(key, email),
    };
  }

  async function show(): Promise<void> {
    const fresh = [...running].filter(([, check]) => !check.shown);
    if (fresh.length === 0) return;
    await beginChecking(
      context.db,
      fresh.map(([listId]) => listId),
    );
    for (const [, check] of fresh) check.shown = true;
  }

  async function postpone(): Promise<void> {
    const nowMs = steadyNow();
    const long = [...running].filter(([, { postponedMs }]) => nowMs - postponedMs >= POSTPONE_MS);
    if (long.length === 0) return;
    await context.jobs.postponeSafetyNets(
      context.db,
      long.map(([listId]) => listId),
    );
    for (const [, check] of long) check.postponedMs = nowMs;
  }

  const unsubscribe = notifications.subscribe((message) => {
    if (message.what === 'finished' || message.what === 'gone') notify(message.listId, null);
    else if (message.what === 'missed') polling.wake();
  });
  const polling = startLoop({
    name: 'single checks',
    everyMs: POLL_MS,
    log,
    async run() {
      const waitedFor = [...waiting.keys()].filter((listId) => !running.has(listId));
      const open = await unfinishedOf(context.db, waitedFor);
      for (const listId of waitedFor) if (!open.has(listId)) notify(listId, null);
      await show();
      await postpone();
    },
  });

  return {
    makeWay: () => checker?.makeWay() ?? (() => {}),
    begin(listId, accountId, email, isTest) {
      if (!checker) return;
      const begunMs = steadyNow();
      running.set(listId, { begunMs, postponedMs: begunMs, shown: false });
      check(isTest ? testChecker : checker, listId, accountId, email)
        .catch((error: unknown) => {
          // Its job takes over; the loops log an unavailable database.
          if (!isUnavailable(error))
            log.error({ listId, err: error }, 'single check failed with an internal error');
        })
        .finally(() => running.delete(listId));
    },
    finished(listId, waitMs) {
      return new Promise((resolve) => {
        const resolvers = waiting.get(listId) ?? new Set();
        waiting.set(listId, resolvers);
        const done = (verdict: RowVerdict | null) => {
          clearTimeout(timer);
          resolvers.delete(done);
          if (resolvers.size === 0) waiting.delete(listId);
          resolve(verdict);
        };
        const timer = setTimeout(done, waitMs, null);
        resolvers.add(done);
        // A repeat may ask about a check that was over before it came.
        if (!running.has(listId)) polling.wake();
      });
    },
    longRunning() {
      const beforeMs = steadyNow() - LONG_MS;
      return [...running].filter(([, { begunMs }]) => begunMs <= beforeMs).map(([listId]) => listId);
    },
    async stop() {
      stopping.abort();
      await waitUntil(() => running.size === 0, options.stopGraceMs ?? STOP_GRACE_MS);
      // What has no answer by now goes on elsewhere at once, instead of when its safety net is due.
      await Promise.allSettled(
        [...running.keys()].map((listId) => moveSingle(context, listId, { notBeforeMs: steadyNow() })),
      );
      unsubscribe();
      await polling.stop();
      for (const listId of [...waiting.keys()]) notify(listId, null);
    },
  };
}
