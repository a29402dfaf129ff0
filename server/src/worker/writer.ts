// Writes back what a node's chunks have found: a chunk that is over soon, one that goes on at most once a second.
// Promise: one transaction a list at a time, with everything that has come together by then; what cannot be written
// while the database is away is kept and written later.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Checker, steadyNow } from '@mxproof/engine';
import type { Logger } from 'pino';
import { type HeldChunk, nothingUnwritten, type Unwritten } from '../flow/check-chunk.ts';
import type { Context } from '../flow/context.ts';
import { failChunk } from '../flow/fail-chunk.ts';
import { type ChunkFindings, recordFindings } from '../flow/record-findings.ts';
import { packEvidence } from '../rules/evidence-pack.ts';
import { groupDeferred } from '../rules/group-deferred.ts';
import { compress } from '../store/compress.ts';
import { isUnavailable } from '../store/database.ts';
import { MACHINE_SOURCE } from '../store/jobs.ts';
import type { ClaimedChunks } from './claimed-chunks.ts';

const GOING_WRITE_MS = 1_000;
/** Positions that wait leave together, unless the chunk takes long or they are due soon. */
const LEAVING_HELD_MS = 5_000;
const DUE_SOON_MS = 2_000;
/** Chunks that end within this of each other share a transaction; with many in hand nobody waits for one of them. */
const GATHER_MS = 15;
const MANY_CHUNKS = 20;
const GATHER_MANY_MS = 250;
const LISTS_AT_ONCE = 4;
/** While somebody waits for a single answer: the database is asked about that as well. */
const LISTS_AT_ONCE_IN_A_HURRY = 1;
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 2_000;

export interface Writer {
  /** The chunk is over, or hands positions back that others should ask soon. */
  soon(listId: number): void;
  /** Looks for chunks whose second has passed. */
  tick(nowMs: number): void;
  /** True when everything that is over has been written. */
  readonly idle: boolean;
}

interface Taken {
  readonly held: HeldChunk;
  readonly unwritten: Unwritten;
  readonly over: boolean;
}

export function createWriter(options: {
  readonly context: Context;
  readonly claimedChunks: ClaimedChunks;
  readonly keepEvidence: boolean;
  readonly checker: Pick<Checker, 'isMakingWay'>;
  readonly log: Logger;
  readonly onMadeRoom: () => void;
}): Writer {
  const { context, claimedChunks, log } = options;
  /** Lists with something to write, and when to. */
  const waiting = new Map<number, number>();
  const running = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;

  const atOnce = () => (options.checker.isMakingWay ? LISTS_AT_ONCE_IN_A_HURRY : LISTS_AT_ONCE);

  function wait(listId: number, ms: number): void {
    if (!waiting.has(listId)) waiting.set(listId, steadyNow() + ms);
    schedule();
  }

  function schedule(): void {
    clearTimeout(timer);
    // Whoever is through makes the next one start; with nobody writing, somebody always may.
    if (waiting.size === 0 || running.size >= atOnce()) return;
    let nextMs = Number.POSITIVE_INFINITY;
    for (const [listId, dueMs] of waiting) if (!running.has(listId)) nextMs = Math.min(nextMs, dueMs);
    if (Number.isFinite(nextMs)) timer = setTimeout(start, Math.max(0, nextMs - steadyNow()));
  }

  function start(): void {
    const nowMs = steadyNow();
    for (const [listId, dueMs] of waiting) {
      if (running.size >= atOnce()) break;
      if (dueMs > nowMs || running.has(listId)) continue;
      waiting.delete(listId);
      running.add(listId);
      void write(listId).finally(() => {
        running.delete(listId);
        schedule();
      });
    }
    schedule();
  }

  const backoffMs = () => Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(failures, 10));

  async function write(listId: number): Promise<void> {
    const nowMs = steadyNow();
    const taken = claimedChunks.ofList(listId).flatMap((held) => take(held, nowMs));
    if (taken.length === 0) return;
    try {
      await record(listId, taken);
      failures = 0;
    } catch (error) {
      if (isUnavailable(error)) return again(listId, taken, error);
      // One of them is defective: alone, each shows whether it is the one.
      for (const one of taken) {
        try {
          await record(listId, [one]);
        } catch (own) {
          if (isUnavailable(own)) again(listId, [one], own);
          else one.held.defect ??= own;
        }
      }
    }
    for (const { held, over } of taken) if (over && held.defect !== null) await fail(held);
    options.onMadeRoom();
  }

  function again(listId: number, taken: readonly Taken[], error: unknown): void {
    for (const one of taken) putBack(one);
    if (failures++ === 0) log.warn({ err: error }, 'findings cannot be written: kept until they can');
    wait(listId, backoffMs());
  }

  async function record(listId: number, taken: readonly Taken[]): Promise<void> {
    for (const { held } of taken) claimedChunks.writing.add(held.claimed.claim.id);
    try {
      const findings: ChunkFindings[] = [];
      for (const one of taken) {
        findings.push(toFindings(one));
        // Packing forty chunks at a stretch would hold up whoever waits for an answer by a tenth of a second.
        await nextTurn();
      }
      const recorded = await recordFindings(context, listId, findings);
      for (const { held, over } of taken) {
        if (recorded.lost.has(held.claimed.claim.id)) claimedChunks.lose(held);
        if (over && held.defect === null) claimedChunks.drop(held);
      }
      if (recorded.list === 'finished') log.info({ listId }, 'list done');
      if (recorded.list !== 'open') claimedChunks.forgetList(listId);
    } finally {
      for (const { held } of taken) claimedChunks.writing.delete(held.claimed.claim.id);
    }
  }

  async function fail(held: HeldChunk): Promise<void> {
    log.error(
      { listId: held.listId, chunk: held.n, err: held.defect },
      'work on a chunk failed inside the service',
    );
    try {
      if (!held.lost && (await failChunk(context, held.claimed, held.defect)) === 'failed')
        log.error({ listId: held.listId, chunk: held.n }, 'list failed');
    } catch (error) {
      // Its claim lapses, and another try finds the same defect or not.
      log.warn({ listId: held.listId, err: error }, 'a failure could not be counted');
    }
    claimedChunks.drop(held);
  }

  function toFindings({ held, unwritten, over }: Taken): ChunkFindings {
    const kept = options.keepEvidence && unwritten.evidence.length > 0;
    return {
      n: held.n,
      verdicts: unwritten.verdicts,
      evidence: kept ? compress(packEvidence(unwritten.evidence)) : null,
      claimed: held.lost ? null : held.claimed,
      // A defective chunk keeps its job, for failChunk to count on.
      over: over && held.defect === null,
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
      for (const held of claimedChunks.all())
        if (isDue(held, nowMs)) wait(held.listId, failures > 0 ? backoffMs() : 0);
    },
    get idle() {
      return waiting.size === 0 && running.size === 0;
    },
  };
}

function isDue(held: HeldChunk, nowMs: number): boolean {
  if (held.over) return true;
  if (nowMs - held.writtenAtMs < GOING_WRITE_MS) return false;
  return held.unwritten.verdicts.size > 0 || leavingIsDue(held, nowMs);
}

function leavingIsDue({ unwritten, deferredSinceMs }: HeldChunk, nowMs: number): boolean {
  if (unwritten.deferred.length === 0) return false;
  if (nowMs - deferredSinceMs >= LEAVING_HELD_MS) return true;
  return unwritten.deferred.some(({ notBeforeMs }) => notBeforeMs - nowMs < DUE_SOON_MS);
}

/** What there is to write of a chunk now, taken out of it. */
function take(held: HeldChunk, nowMs: number): Taken[] {
  const over = held.over;
  const deferred = over || leavingIsDue(held, nowMs) ? held.unwritten.deferred : [];
  if (!over && held.unwritten.verdicts.size === 0 && deferred.length === 0) return [];
  const unwritten = { ...held.unwritten, deferred };
  held.unwritten = { ...nothingUnwritten(), deferred: deferred.length > 0 ? [] : held.unwritten.deferred };
  held.writtenAtMs = nowMs;
  return [{ held, unwritten, over }];
}

function putBack({ held, unwritten }: Taken): void {
  const { verdicts, evidence, deferred } = held.unwritten;
  held.unwritten = {
    verdicts: new Map([...unwritten.verdicts, ...verdicts]),
    evidence: [...unwritten.evidence, ...evidence],
    deferred: [...unwritten.deferred, ...deferred],
  };
}
