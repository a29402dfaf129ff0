// The threads in which larger bodies are parsed: one pool for ordinary lists, whose threads end when idle; one for
// huge bodies, whose thread ends after each, so that its memory is released; one for bounces, which are read there as well
// and take longer than a list of their size.
// Promise: accounts share the threads fairly. At most MAX_WAITING bodies of an account wait in each; more are refused with a 503. A
// thread that dies fails only its own body.
import { availableParallelism } from 'node:os';
import type { Holder } from '@mxproof/common/fair-share';
import type { ReplyReport } from '@mxproof/engine';
import { Piscina } from 'piscina';
import { createFairSemaphore, type FairSemaphore } from '../../rules/fair-semaphore.ts';
import type { Understood } from './parse-bodies.ts';
import { knownFields } from './request-schemas.ts';

const MAX_WAITING = 64;
/** A hundred thousand ordinary addresses are below. */
const ORDINARY_BODY_BYTES = 8 * 1024 * 1024;
/** The worst that read-json.ts parses at a time fits; a small heap is swept before it grows. */
const HEAP_MB = 192;
/** Long enough that lists submitted one after another reuse the thread (ADR 0023). */
const IDLE_MS = 60_000;
/** Addresses live until the list is created: in a larger young generation they would only be copied. */
const NURSERY_MB = 12;
/** A bounce that takes longer is given up with its thread; the worst of the largest size takes some seconds of a processor. */
const BOUNCE_MAX_MS = 30_000;

export interface BodyJob {
  readonly route: keyof Understood;
  readonly blocks: readonly Uint8Array[];
  /** Names of fields that the route knows. */
  readonly known: readonly string[];
}

/** Of a message that was sent. */
export interface BouncedReply {
  readonly text: string;
  /** Who runs the recipient's mail exchanger, in the API's word; empty: not known. */
  readonly provider: string;
  readonly recipient: string;
}

export type BouncedReading = Pick<ReplyReport, 'meaning' | 'reason'>;

interface ParseOptions {
  readonly holder: Holder;
  /** Gives the body up while it waits. */
  readonly signal: AbortSignal;
  /** It is being parsed, and can no longer be given up. */
  onBegin(): void;
}

interface Threads {
  readonly pool: Piscina;
  readonly slots: FairSemaphore;
}

export interface BodyPool {
  run<Route extends keyof Understood>(
    route: Route,
    blocks: readonly Buffer[],
    options: ParseOptions,
  ): Promise<Understood[Route] | { readonly kind: 'refused'; readonly why: 'unavailable' }>;
  /** Null: too many wait, or it takes too long. */
  readReplies(replies: readonly BouncedReply[], holder: Holder): Promise<readonly BouncedReading[] | null>;
  close(): Promise<void>;
}

export function createBodyPool(bounceMaxMs = BOUNCE_MAX_MS): BodyPool {
  const ordinary = createThreads(availableParallelism() > 2 ? 2 : 1, IDLE_MS);
  const huge = createThreads(1, 0);
  const bounces = createThreads(1, IDLE_MS);
  return {
    async run(route, blocks, { holder, signal, onBegin }) {
      const bytes = blocks.reduce((sum, block) => sum + block.length, 0);
      const isBounce = route === 'reply';
      const { pool, slots } = isBounce ? bounces : bytes > ORDINARY_BODY_BYTES ? huge : ordinary;
      const end = slots.waitingOf(holder) < MAX_WAITING && (await slots.acquire(holder, signal));
      if (!end) return { kind: 'refused', why: 'unavailable' };
      onBegin();
      const job: BodyJob = { route, blocks, known: knownFields(route) };
      const overdue = isBounce ? AbortSignal.timeout(bounceMaxMs) : null;
      try {
        return await pool.run(job, {
          transferList: blocks.map((block) => block.buffer as ArrayBuffer),
          signal: overdue,
        });
      } catch (error) {
        if (overdue?.aborted) return { kind: 'refused', why: 'unavailable' };
        // A thread that died is replaced when the next body comes: those that wait must not wait for that.
        if (pool.queueSize > 0) pool.run({ ...job, blocks: [] } satisfies BodyJob).catch(() => {});
        throw error;
      } finally {
        end();
      }
    },
    async readReplies(replies, holder) {
      const { pool, slots } = bounces;
      const end = slots.waitingOf(holder) < MAX_WAITING && (await slots.acquire(holder));
      if (!end) return null;
      const overdue = AbortSignal.timeout(bounceMaxMs);
      try {
        return await pool.run(replies, { name: 'readReplies', signal: overdue });
      } catch (error) {
        if (overdue.aborted) return null;
        throw error;
      } finally {
        end();
      }
    },
    async close() {
      await Promise.all([ordinary, huge, bounces].map(({ pool }) => pool.destroy()));
    },
  };
}

function createThreads(maxThreads: number, idleTimeout: number): Threads {
  const pool = new Piscina({
    filename: new URL('./body-worker.ts', import.meta.url).href,
    name: 'parseBody',
    minThreads: 0,
    maxThreads,
    idleTimeout,
    // A thread blocked in Atomics.wait between two bodies could not collect the garbage of the first.
    atomics: 'disabled',
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: NURSERY_MB },
  });
  // A thread that dies while idle fails no request.
  pool.on('error', () => {});
  return { pool, slots: createFairSemaphore(maxThreads) };
}
