// A node that checks: claims chunks, asks about their addresses, writes back, and hands back what it cannot finish.
// Promise: what it holds is written, deferred, or claimable by the other nodes within 15 seconds of its death.
//
//   claim ─▶ check ─▶ write ─▶ (dropped)        a heartbeat every 3 s renews what is claimed
//     ▲        └── node stops, list over, nothing reachable, no heartbeat for 10 s: what is unasked goes back
import { steadyNow } from '@mxproof/common/steady-now';
import type { Checker } from '@mxproof/engine';
import type { Logger } from 'pino';
import type { Context } from '../flow/context.ts';
import type { Observer } from '../flow/observer.ts';
import type { AskAlone } from './ask-alone.ts';
import { createChunkClaimer } from './claim-chunks.ts';
import { createClaimedChunks } from './claimed-chunks.ts';
import { drainChunks } from './drain-chunks.ts';
import { createHeartbeat } from './heartbeat.ts';
import { startLoop } from './loop.ts';
import type { Message, Notifications } from './notifications.ts';
import { startWaitingReport } from './waiting-report.ts';
import { createWriter } from './writer.ts';

const POLL_MS = 500;
const HEARTBEAT_MS = 3_000;
const TICK_MS = 250;
/** How long work that was handed back because nothing is reachable waits before any node asks. */
const UNREACHABLE_WAIT_MS = 15_000;
const STOP_GRACE_MS = 10_000;

export interface Node {
  /** Hands back what is unasked at once, gives what is in flight ten seconds, writes everything. */
  stop(): Promise<void>;
}

export interface NodeOptions {
  readonly context: Context;
  readonly checker: Checker;
  readonly askAlone?: AskAlone;
  /** Source addresses of this node's checker; none: the machine's own. */
  readonly sources: readonly string[];
  readonly keepEvidence: boolean;
  readonly log: Logger;
  readonly notifications: Notifications;
  /** Lists of single checks that run on this node. Unset: none do. */
  readonly singleLists?: () => Iterable<number>;
  /** Counts what is checked here. Unset: nothing does. */
  readonly observer?: Partial<Observer> | undefined;
  /** How long stop() waits for answers to what is on the wire. */
  readonly stopGraceMs?: number;
  /** Fingerprints of the secret keys that this process has. */
  readonly keys?: () => readonly Buffer[];
}

export function startNode(options: NodeOptions): Node {
  const { context, checker, log, notifications, sources, keepEvidence } = options;
  const claimedChunks = createClaimedChunks();
  const stop = new AbortController();
  const stopping = stop.signal;
  let wasReachable = true;

  const writer = createWriter({
    context,
    claimedChunks,
    keepEvidence,
    checker,
    log,
    onMadeRoom: () => claiming.wake(),
    onDeferred: () => report.soon(),
    observer: options.observer,
  });
  const claimer = createChunkClaimer({
    context,
    checker,
    askAlone: options.askAlone,
    claimedChunks,
    others: () => heartbeat.others,
    stopping,
    log,
    onOver: writer.soon,
    onResumed: () => report.soon(),
    observer: options.observer,
  });
  const heartbeat = createHeartbeat({
    context,
    claimedChunks,
    checker,
    sources,
    keys: options.keys,
    stopping,
    log,
    onMet: () => claiming.wake(),
    onUnfinished: claimer.keepMarked,
  });

  function tick(): void {
    const nowMs = steadyNow();
    heartbeat.checkLease(nowMs);
    if (checker.reachable !== wasReachable) {
      wasReachable = checker.reachable;
      // The engine has logged why; what it has not asked waits where every node can claim it.
      if (!wasReachable) for (const chunk of claimedChunks.all()) chunk.stop(UNREACHABLE_WAIT_MS);
      claimer.delayNextTry(nowMs);
    }
    writer.tick(nowMs);
  }

  function onMessage(message: Message): void {
    if (message.what === 'finished' || message.what === 'gone') claimedChunks.stopList(message.listId);
    if (message.what === 'work' || message.what === 'missed') claiming.wake();
    if (message.what === 'missed' || message.what === 'joined') beating.wake();
  }

  const claiming = startLoop({ name: 'claim', everyMs: POLL_MS, log, run: claimer.claim });
  const beating = startLoop({ name: 'heartbeat', everyMs: HEARTBEAT_MS, log, run: heartbeat.beat });
  const report = startWaitingReport({
    db: context.db,
    checker,
    claimedChunks,
    singleLists: options.singleLists ?? (() => []),
    log,
  });
  const ticking = setInterval(tick, TICK_MS);
  const unsubscribe = notifications.subscribe(onMessage);

  return {
    async stop() {
      stop.abort();
      unsubscribe();
      await claiming.stop();
      // Without a database the other nodes notice the missing heartbeat.
      await heartbeat.leave().catch(() => {});
      await drainChunks({ claimedChunks, writer, log, graceMs: options.stopGraceMs ?? STOP_GRACE_MS });
      options.askAlone?.close();
      clearInterval(ticking);
      await beating.stop();
      await report.stop();
    },
  };
}
