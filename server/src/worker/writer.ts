// Writes back what a node's chunks have found: a chunk that is over at once, one that goes on at most once a second.
// Promise: one transaction per list at a time, with everything found by then, and accounts take turns: thousands of small
// lists of one account delay no other's; what cannot be written while the database is unavailable is kept and written later.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FairShare, type Holder, holderOf } from '@mxproof/common/fair-share';
import { steadyNow } from '@mxproof/common/steady-now';
import type { Checker } from '@mxproof/engine';
import type { Logger } from 'pino';
import type { Context } from '../flow/context.ts';
import { failChunk } from '../flow/fail-chunk.ts';
import type { Observer } from '../flow/observer.ts';
import { type ChunkFindings, recordFindings } from '../flow/record-findings.ts';
import { groupDeferred } from '../rules/group-deferred.ts';
import { compress } from '../store/compress.ts';
import { isUnavailable } from '../store/database.ts';
import { MACHINE_SOURCE } from '../store/jobs.ts';
import type { ClaimedChunk, UnwrittenResults } from './claimed-chunk.ts';
import type { ClaimedChunks } from './claimed-chunks.ts';

/** Chunks of a list that end within this of each other share a transaction; with many claimed, they gather for longer. */
const GATHER_MS = 15;
const MANY_CHUNKS = 20;
const GATHER_MANY_MS = 250;
const LISTS_AT_ONCE = 4;
/** While a single check is on its way: its own statements need the database too. */
const LISTS_AT_ONCE_MAKING_WAY = 1;
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 2_000;

export interface Writer {
  /** A chunk of the list is over: write it within a moment. */
  soon(listId: number): void;
  /** Looks for chunks that are due. */
  tick(nowMs: number): void;
  /** True when everything that is over has been written. */
  readonly idle: boolean;
}

interface ChunkWrite {
  readonly chunk: ClaimedChunk;
  readonly unwritten: UnwrittenResults;
}

export function createWriter(options: {
  readonly context: Context;
  readonly claimedChunks: ClaimedChunks;
  readonly keepEvidence: boolean;
  readonly checker: Pick<Checker, 'isMakingWay'>;
  readonly log: Logger;
  readonly onMadeRoom: () => void;
  /** Positions went on in jobs of their own. */
  readonly onDeferred: () => void;
  /** Counts lists. Unset: nothing does. */
  readonly observer?: Partial<Pick<Observer, 'listDone'>> | undefined;
}): Writer {
  const { context, claimedChunks, log } = options;
  /** Lists with something to write, and when to write it. */
  const waiting = new Map<number, number>();
  const running = new Set<number>();
  /** Those of `waiting` that are due. */
  const due = new Set<number>();
  const share = new FairShare<number>(LISTS_AT_ONCE);
  let timer: NodeJS.Timeout | undefined;
  /** When it wakes. */
  let nextMs = Number.POSITIVE_INFINITY;
  let failures = 0;

  const atOnce = () => (options.checker.isMakingWay ? LISTS_AT_ONCE_MAKING_WAY : LISTS_AT_ONCE);

  function wait(listId: number, ms: number): void {
    if (waiting.has(listId)) return;
    const dueMs = steadyNow() + ms;
    waiting.set(listId, dueMs);
    if (dueMs < nextMs) wakeAt(dueMs);
  }

  function wakeAt(dueMs: number): void {
    clearTimeout(timer);
    nextMs = dueMs;
    if (Number.isFinite(dueMs)) timer = setTimeout(start, Math.max(0, dueMs - steadyNow()));
  }

  function start(): void {
    const nowMs = steadyNow();
    let laterMs = Number.POSITIVE_INFINITY;
    for (const [listId, dueMs] of waiting) {
      // A write that ends starts the next ones.
      if (running.has(listId) || due.has(listId)) continue;
      if (dueMs > nowMs) {
        laterMs = Math.min(laterMs, dueMs);
        continue;
      }
      due.add(listId);
      share.wait(holderOfList(listId), listId);
    }
    wakeAt(laterMs);
    share.capacity = atOnce();
    for (let next = share.next(); next; next = share.next()) {
      const { holder, waiter: listId } = next;
      due.delete(listId);
      waiting.delete(listId);
      running.add(listId);
      share.take(holder);
      void write(listId).finally(() => {
        running.delete(listId);
        share.release(holder);
        start();
      });
    }
  }

  /** A list with no chunks left here has nothing to write: any key will do. */
  function holderOfList(listId: number): Holder {
    const [chunk] = claimedChunks.ofList(listId);
    return chunk ? holderOf(chunk.accountId, chunk.isSingle) : '';
  }

  const backoffMs = () => Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(failures, 10));

  async function write(listId: number): Promise<void> {
    const nowMs = steadyNow();
    const writes: ChunkWrite[] = [];
    for (const chunk of claimedChunks.ofList(listId)) {
      const unwritten = chunk.takeUnwritten(nowMs);
      if (unwritten) writes.push({ chunk, unwritten });
    }
    if (writes.length === 0) return;
    try {
      await record(listId, writes);
      failures = 0;
    } catch (error) {
      if (isUnavailable(error)) return again(listId, writes, error);
      // One of them is defective: each is written alone to find out which.
      for (const one of writes) {
        try {
          await record(listId, [one]);
        } catch (own) {
          if (isUnavailable(own)) again(listId, [one], own);
          else one.chunk.blame(own);
        }
      }
    }
    for (const { chunk, unwritten } of writes)
      if (unwritten.isLast && chunk.defect !== null) await fail(chunk);
    options.onMadeRoom();
  }

  function again(listId: number, writes: readonly ChunkWrite[], error: unknown): void {
    for (const { chunk, unwritten } of writes) chunk.putBack(unwritten);
    if (failures++ === 0) log.warn({ listId, err: error }, 'cannot write findings, retrying');
    wait(listId, backoffMs());
  }

  async function record(listId: number, writes: readonly ChunkWrite[]): Promise<void> {
    try {
      const findings: ChunkFindings[] = [];
      for (const one of writes) {
        findings.push(toFindings(one));
        // Packing many chunks without yielding would block the event loop.
        await nextTurn();
      }
      const recorded = await recordFindings(context, listId, findings);
      for (const { chunk, unwritten } of writes) {
        if (recorded.lost.has(chunk.jobId)) chunk.lose();
        if (unwritten.isLast && chunk.defect === null) claimedChunks.drop(chunk);
      }
      if (writes.some(({ unwritten }) => unwritten.deferred.length > 0)) options.onDeferred();
      if (recorded.list === 'finished') log.info({ listId }, 'list done');
      const isCounted = writes.some(({ chunk }) => !chunk.isTest && !chunk.isSingle);
      if (isCounted && recorded.tookSeconds !== undefined) options.observer?.listDone?.(recorded.tookSeconds);
      if (recorded.list !== 'open') claimedChunks.stopList(listId);
    } finally {
      for (const { chunk } of writes) chunk.endWrite();
    }
  }

  async function fail(chunk: ClaimedChunk): Promise<void> {
    log.error(
      { listId: chunk.listId, chunk: chunk.n, err: chunk.defect },
      'chunk failed with an internal error',
    );
    try {
      if (!chunk.isLost && (await failChunk(context, chunk.claimed, chunk.defect)) === 'failed')
        log.error({ listId: chunk.listId, chunk: chunk.n }, 'list failed');
    } catch (error) {
      // The claim lapses, and the next node to take the chunk finds the defect again or does not.
      log.warn({ listId: chunk.listId, chunk: chunk.n, err: error }, 'cannot count chunk failure');
    }
    claimedChunks.drop(chunk);
  }

  function toFindings({ chunk, unwritten }: ChunkWrite): ChunkFindings {
    return {
      n: chunk.n,
      verdicts: unwritten.verdicts,
      asked: unwritten.asked,
      evidence: options.keepEvidence ? unwritten.evidence.map((pack) => compress(pack.text())) : [],
      claimed: chunk.isLost ? null : chunk.claimed,
      // A defective chunk keeps its job: failChunk counts the failure and ends it.
      over: unwritten.isLast && chunk.defect === null,
      deferred: groupDeferred(unwritten.deferred, steadyNow(), ({ resume }) =>
        resume ? (resume.source ?? MACHINE_SOURCE) : null,
      ),
    };
  }

  return {
    soon(listId) {
      wait(
        listId,
        failures > 0 ? backoffMs() : claimedChunks.size > MANY_CHUNKS ? GATHER_MANY_MS : GATHER_MS,
      );
    },
    tick(nowMs) {
      for (const chunk of claimedChunks.all())
        if (chunk.isDue(nowMs)) wait(chunk.listId, failures > 0 ? backoffMs() : 0);
      // There is no event for the end of making way: every tick tries again.
      start();
    },
    get idle() {
      return waiting.size === 0 && running.size === 0;
    },
  };
}
