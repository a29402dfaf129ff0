// A node's heartbeat: tells the other nodes that it lives, renews its claims, learns what it has lost, and gives back
// what dead nodes have.
// Promise: a chunk whose claim is lost, whose list is over, or whose claim could not be renewed in time is asked about
// no more.
import { steadyNow } from '@mxproof/common/steady-now';
import type { Checker } from '@mxproof/engine';
import type { Logger } from 'pino';
import type { Context } from '../flow/context.ts';
import { hasSeveralAccounts } from '../store/accounts.ts';
import { MACHINE_SOURCE } from '../store/jobs.ts';
import { unfinishedOf } from '../store/lists.ts';
import { LEASE_SECONDS, leaveNodes, machineOf, meetNodes, type OtherNodes } from '../store/nodes.ts';
import { notify } from '../store/notify.ts';
import type { ClaimedChunks } from './claimed-chunks.ts';

/** Claims that were not renewed for so long are given to other nodes. */
const LEASE_MS = LEASE_SECONDS * 1000;

export interface Heartbeat {
  /** Null before the first beat: nothing is claimed until then. */
  readonly others: OtherNodes | null;
  beat(): Promise<void>;
  /** Stops asking about chunks whose claims were not renewed in time. */
  checkLease(nowMs: number): void;
  /** Tells the other nodes to leave no share of the work to this one. */
  leave(): Promise<void>;
}

export function createHeartbeat(options: {
  readonly context: Context;
  readonly claimedChunks: ClaimedChunks;
  /** Told how many nodes share what all of them together may ask, and whether for several accounts. */
  readonly checker: Pick<Checker, 'liveNodes' | 'hasSeveralPayers'>;
  /** Source addresses of this node's checker. */
  readonly sources: readonly string[];
  /** Fingerprints of the secret keys that this process has. */
  readonly keys?: (() => readonly Buffer[]) | undefined;
  readonly stopping: AbortSignal;
  readonly log: Logger;
  /** The other nodes are known: work can be claimed. */
  readonly onMet: () => void;
  /** Lists of claimed chunks that are not over. */
  readonly onUnfinished: (listIds: ReadonlySet<number>) => void;
}): Heartbeat {
  const { context, claimedChunks, log } = options;
  const ownSources = [...options.sources, MACHINE_SOURCE];
  const { nodeId } = context.jobs;
  let others: OtherNodes | null = null;
  let renewedAtMs = steadyNow();
  /** Until then the other nodes may be silent for the same reason as this one was: the database. */
  let judgesFromMs = 0;

  async function meet(): Promise<void> {
    const isFirst = others === null;
    others = await meetNodes(context.db, nodeId, ownSources, options.keys?.());
    options.checker.liveNodes = others.count + 1;
    options.checker.hasSeveralPayers = await hasSeveralAccounts(context.db);
    if (!isFirst) return;
    // The others must know which sources this node owns before work waits for one of them.
    await notify(context.db, { what: 'joined' });
    options.onMet();
  }

  async function renewClaims(): Promise<void> {
    const sentAtMs = steadyNow();
    // Those being written included: a write may take longer than a claim lasts.
    const chunks = claimedChunks.all().filter((one) => !one.isLost);
    const claims = chunks.map(({ claimed }) => claimed.claim);
    const ours = await context.jobs.renew(claims);
    renewedAtMs = sentAtMs;
    for (const [index, one] of chunks.entries()) {
      // The job of a chunk that is over may have been ended by the writer, which learns by itself of a claim it lost.
      if (ours.has(one.jobId) || one.isOver) continue;
      // This node has claimed it again while the renewal was on its way.
      if (one.claimed.claim !== claims[index]) continue;
      log.warn({ listId: one.listId, chunk: one.n }, 'claim lost to another node');
      one.lose();
    }
  }

  async function giveBackLapsed(): Promise<void> {
    if (steadyNow() < judgesFromMs) return;
    const { alone, dead } = await context.jobs.giveBackLapsed();
    for (const [node, jobs] of dead)
      log.warn(
        { node, machine: await machineOf(context.db, node), jobs },
        'node has fallen silent: its work is taken over',
      );
    for (const { listId, n } of alone)
      log.warn(
        { listId, chunk: n },
        'chunk was present at two deaths of a node, goes on in a process of its own',
      );
  }

  async function stopFinished(): Promise<void> {
    const listIds = claimedChunks.listIds();
    const unfinished = await unfinishedOf(context.db, listIds);
    for (const listId of listIds) if (!unfinished.has(listId)) claimedChunks.stopList(listId);
    options.onUnfinished(unfinished);
  }

  return {
    get others() {
      return others;
    },
    async beat() {
      const wasCutOff = steadyNow() - renewedAtMs > LEASE_MS;
      if (!options.stopping.aborted) await meet();
      await renewClaims();
      if (wasCutOff) judgesFromMs = steadyNow() + LEASE_MS;
      await giveBackLapsed();
      await stopFinished();
    },
    checkLease(nowMs) {
      if (nowMs - renewedAtMs <= LEASE_MS) return;
      for (const chunk of claimedChunks.all()) {
        if (chunk.isStopping || nowMs - chunk.claimedSinceMs <= LEASE_MS) continue;
        log.warn({ listId: chunk.listId, chunk: chunk.n }, 'claim expired without a heartbeat');
        chunk.stop();
      }
    },
    leave: () => leaveNodes(context.db, nodeId),
  };
}
