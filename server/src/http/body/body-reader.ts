// Reads request bodies and has them parsed: small ones at once, large ones and bounces in a worker.
// Promise: bodies in progress never hold more than MAX_BYTES_IN_FLIGHT and a tenth, shared fairly among accounts
// (body-budget.ts); one that hardly moves is ended; and no other request waits for a large one.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { free } from '../free-buffers.ts';
import { type BodyReservation, createBodyBudget } from './body-budget.ts';
import { type BodyPool, createBodyPool } from './body-pool.ts';
import { parseBody, type Understood } from './parse-bodies.ts';

export const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_BYTES_IN_FLIGHT = 256 * 1024 * 1024;
/** The slowest a client may send: so much of a body must come in each such while, or its rest. */
const LEAST_BYTES = 10 * 1024;
const STALL_MS = 10_000;
/** Larger ones are parsed off the main thread. */
const PARSED_AT_ONCE_BYTES = 256 * 1024;
/** Bodies are kept in blocks that can be handed to the worker without a copy. */
const BLOCK_BYTES = 1024 * 1024;
const FIRST_BLOCK_BYTES = 16 * 1024;

interface RawBody {
  readonly kind: 'body';
  readonly blocks: readonly Buffer[];
  readonly bytes: number;
  /** SHA-256 of the raw bytes; null if it was not requested. */
  readonly hash: Buffer | null;
  /** Its bytes in the budget, to be released. */
  readonly reservation: BodyReservation;
}

type ReadBody =
  | RawBody
  | {
      readonly kind: 'refused';
      readonly why: 'too_large' | 'unavailable' | 'timed_out' | 'encoded_body' | 'invalid_request';
    };

export interface BodyReader {
  read(
    raw: IncomingMessage,
    options: { accountId: number; hashed: boolean; maxBytes: number; beforeReading(): void },
  ): Promise<ReadBody>;
  understand<Route extends keyof Understood>(
    route: Route,
    body: RawBody,
  ): Promise<Understood[Route] | { readonly kind: 'refused'; readonly why: 'unavailable' }>;
  /** Replies that came with bounces, in the thread that reads bounces. */
  readonly readReplies: BodyPool['readReplies'];
  close(): Promise<void>;
}

export function createBodyReader(maxBytesInFlight = MAX_BYTES_IN_FLIGHT, stallMs = STALL_MS): BodyReader {
  const pool = createBodyPool();
  const budget = createBodyBudget(maxBytesInFlight);

  return {
    async read(raw, { accountId, hashed, maxBytes, beforeReading }) {
      const encoding = raw.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
      if (encoding !== 'identity' && encoding !== '') return { kind: 'refused', why: 'encoded_body' };
      const length = raw.headers['content-length'];
      const declared = length === undefined ? null : Number(length);
      if ((declared ?? 0) > maxBytes) return { kind: 'refused', why: 'too_large' };
      if (!budget.mayBegin(accountId, declared)) return { kind: 'refused', why: 'unavailable' };
      beforeReading();
      let bytes = 0;
      const reservation = budget.begin(accountId, declared);
      const hash = hashed ? createHash('sha256') : null;
      const blocks = createBlocks(declared ?? 0);
      const end = await consume(raw, stallMs, reservation, (chunk) => {
        bytes += chunk.length;
        if (bytes > maxBytes) return 'too_large';
        // Counted as they come, not as they are announced: an announcement alone must not hold up others.
        if (!reservation.grow(chunk.length)) return 'unavailable';
        hash?.update(chunk);
        blocks.add(chunk);
        return null;
      });
      if (end !== null) {
        reservation.release();
        blocks.free();
        return { kind: 'refused', why: end };
      }
      return { kind: 'body', blocks: blocks.filled(), bytes, hash: hash?.digest() ?? null, reservation };
    },
    async understand(route, { bytes, blocks, reservation }) {
      // Every byte of a bounce is looked at by hundreds of patterns.
      if (route !== 'reply' && bytes <= PARSED_AT_ONCE_BYTES)
        return parseBody(route, Buffer.concat(blocks)) as Understood[typeof route];
      const stop = new AbortController();
      reservation.cut = () => stop.abort();
      const onBegin = () => {
        reservation.cut = null;
      };
      return pool.run(route, blocks, { holder: reservation.holder, signal: stop.signal, onBegin });
    },
    readReplies: (...replies) => pool.readReplies(...replies),
    close: () => pool.close(),
  };
}

type StopReason = 'invalid_request' | 'unavailable' | 'timed_out';

/** Null: read to its end. Stops reading, without closing the connection, as soon as `take` refuses. */
function consume<Why extends string>(
  raw: IncomingMessage,
  stallMs: number,
  reservation: BodyReservation,
  take: (chunk: Buffer) => Why | null,
): Promise<Why | StopReason | null> {
  return new Promise((resolve) => {
    let recentBytes = 0;
    const stalling = setInterval(() => {
      if (recentBytes < LEAST_BYTES) finish('timed_out');
      recentBytes = 0;
    }, stallMs);
    const finish = (why: Why | StopReason | null) => {
      clearInterval(stalling);
      reservation.cut = null;
      raw.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      raw.pause();
      resolve(why);
    };
    const onData = (chunk: Buffer) => {
      recentBytes += chunk.length;
      const why = take(chunk);
      if (why !== null) finish(why);
    };
    const onEnd = () => finish(null);
    // The client disconnected: the response will not be read.
    const onGone = () => finish('invalid_request');
    if (raw.destroyed) return onGone();
    reservation.cut = () => finish('unavailable');
    raw.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

function createBlocks(declared: number) {
  const blocks: Buffer[] = [];
  let current = Buffer.alloc(0);
  let used = 0;
  let total = 0;
  const room = () =>
    declared > total
      ? Math.min(declared - total, BLOCK_BYTES)
      : blocks.length === 0
        ? FIRST_BLOCK_BYTES
        : BLOCK_BYTES;
  return {
    add(chunk: Buffer) {
      for (let start = 0; start < chunk.length; ) {
        if (used === current.length) {
          // Not from Node's shared slab, so that the worker can have it whole.
          current = Buffer.allocUnsafeSlow(room());
          used = 0;
          blocks.push(current);
        }
        const copied = chunk.copy(current, used, start);
        start += copied;
        used += copied;
        total += copied;
      }
    },
    free: () => free(blocks),
    filled(): Buffer[] {
      return blocks.map((block) => (block === current ? block.subarray(0, used) : block));
    },
  };
}
