// A node that checks: claims chunks, asks about their addresses, writes back, and hands back what it cannot finish.
// Promise: whatever it holds is written, handed on, or back with the others within 15 seconds of its death.
//
//   claim ─▶ ask ─▶ write ─▶ (let go)        every 3 s a heartbeat for what is held
//     ▲        └── stop, list gone, nothing reachable, no heartbeat for 10 s: what is unasked goes back
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type Checker, steadyNow } from '@mxproof/engine';
import type { Logger } from 'pino';
import { checkChunk, type HeldChunk, handBackOpen, holdChunk } from '../flow/check-chunk.ts';
import type { Context } from '../flow/context.ts';
import { failChunk } from '../flow/fail-chunk.ts';
import type { ChunkJob } from '../rules/chunk-owners.ts';
import { shareOf } from '../rules/fair-rank.ts';
import { announce } from '../store/announcements.ts';
import { readClaimed } from '../store/chunks.ts';
import { type Claimed, HEARTBEAT_SECONDS, MACHINE_SOURCE, QUEUE } from '../store/jobs.ts';
import { beginChecking, unfinishedOf } from '../store/lists.ts';
import { leaveNodes, meetNodes, type Others } from '../store/nodes.ts';
import { createClaimedChunks, type Room } from './claimed-chunks.ts';
import type { Listener, Message } from './listener.ts';
import { startLoop } from './loop.ts';
import { createWriter } from './writer.ts';

const POLL_MS = 500;
const HOLD_BACK_MS = 1_000;
const HEARTBEAT_MS = 3_000;
const TICK_MS = 250;
/** Without a heartbeat for so long the claims are somebody else's: stop asking. */
const LEASE_MS = HEARTBEAT_SECONDS * 1000;
/** While nothing is reachable, work waits so long, and one chunk at a time is tried so often: by it the engine learns. */
const UNREACHABLE_WAIT_MS = 15_000;
const UNREACHABLE_TRY_MS = 5_000;
/** Taken up at a stretch: some ten milliseconds. */
const CHUNKS_A_TURN = 8;
const STOP_GRACE_MS = 10_000;
const STOP_WRITE_MS = 5_000;
const STOP_POLL_MS = 20;

export interface Node {
  /** Hands back what is unasked at once, gives what is in flight ten seconds, writes everything. */
  stop(): Promise<void>;
}

export interface NodeOptions {
  readonly context: Context;
  readonly checker: Checker;
  /** Source addresses of this node's checker; none: the machine's own. */
  readonly sources: readonly string[];
  readonly keepEvidence: boolean;
  readonly log: Logger;
  readonly listener: Listener;
  /** How long stop() waits for answers to what is on the wire. */
  readonly stopGraceMs?: number;
}

export function startNode(options: NodeOptions): Node {
  const { context, checker, log, listener } = options;
  const ownSources = [...options.sources, MACHINE_SOURCE];
  const claimedChunks = createClaimedChunks();
  const begun = new Set<number>();
  const nodeId = randomUUID();
  /** Null: not met yet, and nothing is claimed before. */
  let others: Others | null = null;
  let leaseMs = steadyNow();
  let stopping = false;
  let wasReachable = true;
  let triedMs = 0;
  let sharedMs = steadyNow();

  const writer = createWriter({
    context,
    claimedChunks,
    keepEvidence: options.keepEvidence,
    checker,
    log,
    onMadeRoom: () => claiming.wake(),
  });

  async function claim(): Promise<void> {
    while (!stopping && others) {
      const room = checker.reachable ? claimedChunks.room() : roomForOneTry();
      if (!room) return;
      const limit = others.count === 0 ? room.limit : await withinShare(room.limit, others.count + 1);
      if (limit === 0) return;
      const claimed = await context.jobs.claimChunks({ ...room, limit, notFrom: others.sources });
      if (claimed.length === 0) return;
      await takeUp(claimed);
      for (const held of claimedChunks.tooMuch()) held.stop.abort();
      if (claimed.length < room.limit) return;
    }
  }

  /** What the others leave for long they may not take at all, having their hands full: then one at a time is anybody's. */
  async function withinShare(limit: number, nodes: number): Promise<number> {
    const share = shareOf(await context.jobs.countChunks(), claimedChunks.size, nodes);
    if (share > 0 || steadyNow() - sharedMs > HOLD_BACK_MS) {
      sharedMs = steadyNow();
      return Math.min(limit, Math.max(1, share));
    }
    return 0;
  }

  function roomForOneTry(): Room | null {
    if (claimedChunks.size > 0 || steadyNow() - triedMs < UNREACHABLE_TRY_MS) return null;
    triedMs = steadyNow();
    return { limit: 1 };
  }

  async function takeUp(claimed: readonly Claimed<ChunkJob>[]): Promise<void> {
    const claimedAtMs = steadyNow();
    const chunks = await readClaimed(
      context.db,
      claimed.map(({ job }) => job),
    );
    const byPlace = new Map(chunks.map((chunk) => [`${chunk.listId} ${chunk.n}`, chunk]));
    const idle: Claimed<ChunkJob>[] = [];
    const taken: HeldChunk[] = [];
    for (const one of claimed) {
      const chunk = byPlace.get(`${one.job.listId} ${one.job.n}`);
      try {
        const held = chunk && holdChunk(one, chunk, claimedAtMs);
        if (held && held.asked.length > 0) taken.push(held);
        else idle.push(one);
      } catch (error) {
        log.error({ listId: one.job.listId, chunk: one.job.n, err: error }, 'a chunk cannot be read');
        await failChunk(context, one, error);
      }
    }
    await context.jobs.finish(
      context.db,
      QUEUE.chunk,
      idle.map((one) => one.claim),
    );
    await begin(taken);
    for (const [index, held] of taken.entries()) {
      claimedChunks.add(held);
      void checkChunk(checker, held).then(() => writer.soon(held.listId));
      // Others get their turn in between; one by one, sessions would leave half empty.
      if (index % CHUNKS_A_TURN === CHUNKS_A_TURN - 1) await nextTurn();
    }
  }

  async function begin(taken: readonly HeldChunk[]): Promise<void> {
    const fresh = [...new Set(taken.map(({ listId }) => listId))].filter((listId) => !begun.has(listId));
    if (fresh.length === 0) return;
    await beginChecking(context.db, fresh);
    for (const listId of fresh) begun.add(listId);
  }

  async function meet(): Promise<void> {
    const first = others === null;
    others = await meetNodes(context.db, nodeId, ownSources);
    if (!first) return;
    // The others must know what this node owns before its work waits for it.
    await announce(context.db, { what: 'joined' });
    claiming.wake();
  }

  async function beat(): Promise<void> {
    const sentMs = steadyNow();
    if (!stopping) await meet();
    const held = claimedChunks
      .all()
      .filter(({ lost, claimed }) => !lost && !claimedChunks.writing.has(claimed.claim.id));
    const still = await context.jobs.hold(
      context.db,
      QUEUE.chunk,
      held.map(({ claimed }) => claimed.claim),
    );
    leaseMs = sentMs;
    for (const one of held) {
      const { id } = one.claimed.claim;
      // It may have been finished while the heartbeat was on its way.
      if (still.has(id) || claimedChunks.writing.has(id) || !claimedChunks.ofList(one.listId).includes(one))
        continue;
      log.warn({ listId: one.listId, chunk: one.n }, 'a claim was lost: another node goes on with it');
      claimedChunks.lose(one);
    }
    const listIds = [...new Set(claimedChunks.all().map(({ listId }) => listId))];
    const open = await unfinishedOf(context.db, listIds);
    for (const listId of listIds) if (!open.has(listId)) claimedChunks.forgetList(listId);
    for (const listId of begun) if (!open.has(listId)) begun.delete(listId);
  }

  function tick(): void {
    const nowMs = steadyNow();
    if (nowMs - leaseMs > LEASE_MS)
      for (const held of claimedChunks.all())
        if (nowMs - held.heldSinceMs > LEASE_MS && !held.stop.signal.aborted) {
          log.warn({ listId: held.listId, chunk: held.n }, 'no heartbeat for too long: asking stops');
          held.stop.abort();
        }
    if (checker.reachable !== wasReachable) {
      wasReachable = checker.reachable;
      if (!wasReachable) letGo();
      triedMs = nowMs;
    }
    writer.tick(nowMs);
  }

  /** The engine has said why; what it has not asked yet waits where every node sees it. */
  function letGo(): void {
    for (const held of claimedChunks.all()) {
      held.handBackAfterMs = UNREACHABLE_WAIT_MS;
      held.stop.abort();
    }
  }

  function hear(message: Message): void {
    if (message.what === 'finished' || message.what === 'gone') claimedChunks.forgetList(message.listId);
    if (message.what === 'work' || message.what === 'missed') claiming.wake();
    if (message.what === 'missed' || message.what === 'joined') beating.wake();
  }

  const claiming = startLoop({ name: 'claim', everyMs: POLL_MS, log, run: claim });
  const beating = startLoop({ name: 'heartbeat', everyMs: HEARTBEAT_MS, log, run: beat });
  const ticking = setInterval(tick, TICK_MS);
  const unhear = listener.hear(hear);

  async function until(done: () => boolean, limitMs: number): Promise<void> {
    const deadline = steadyNow() + limitMs;
    while (!done() && steadyNow() < deadline) await sleep(STOP_POLL_MS);
  }

  return {
    async stop() {
      stopping = true;
      unhear();
      await claiming.stop();
      // Nobody leaves a share to a node that takes nothing more.
      await leaveNodes(context.db, nodeId).catch(() => {});
      for (const held of claimedChunks.all()) held.stop.abort();
      writer.tick(steadyNow());
      await until(() => claimedChunks.all().every((held) => held.over), options.stopGraceMs ?? STOP_GRACE_MS);
      for (const held of claimedChunks.all()) if (!held.over) handBackOpen(held);
      writer.tick(steadyNow());
      await until(() => claimedChunks.size === 0 && writer.idle, STOP_WRITE_MS);
      if (claimedChunks.size > 0)
        log.warn({ chunks: claimedChunks.size }, 'stopped with work unwritten: others will ask again');
      clearInterval(ticking);
      await beating.stop();
    },
  };
}
