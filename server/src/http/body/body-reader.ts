// Reads request bodies and has them parsed: small ones at once, large ones in a worker.
// Promise: bodies in progress never hold more than MAX_BYTES_IN_FLIGHT, and no other request waits for a large one.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createBodyPool } from './body-pool.ts';
import { type Bodies, parseBodies } from './parse-bodies.ts';

export const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_BYTES_IN_FLIGHT = 256 * 1024 * 1024;
/** Larger ones are parsed off the main thread. */
const PARSED_AT_ONCE_BYTES = 256 * 1024;
/** Bodies are kept in blocks that can be handed to the worker without a copy. */
const BLOCK_BYTES = 1024 * 1024;
const FIRST_BLOCK_BYTES = 16 * 1024;

export interface RawBody {
  readonly kind: 'body';
  readonly blocks: readonly Buffer[];
  readonly bytes: number;
  /** SHA-256 of the raw bytes; null if it was not requested. */
  readonly hash: Buffer | null;
  /** Gives the bytes back to the budget. */
  release(): void;
}

export type ReadBody =
  | RawBody
  | {
      readonly kind: 'refused';
      readonly why: 'body_too_large' | 'unavailable' | 'encoded_body' | 'bad_request';
    };

export interface BodyReader {
  read(raw: IncomingMessage, options: { hashed: boolean; beforeReading(): void }): Promise<ReadBody>;
  understand<Route extends keyof Bodies>(
    route: Route,
    body: RawBody,
  ): Promise<Bodies[Route] | { readonly kind: 'refused'; readonly why: 'unavailable' }>;
  close(): Promise<void>;
}

export function createBodyReader(maxBytesInFlight = MAX_BYTES_IN_FLIGHT): BodyReader {
  const pool = createBodyPool();
  let inFlight = 0;

  return {
    async read(raw, { hashed, beforeReading }) {
      const encoding = raw.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
      if (encoding !== 'identity' && encoding !== '') return { kind: 'refused', why: 'encoded_body' };
      const declared = Number(raw.headers['content-length'] ?? 0);
      if (declared > MAX_BODY_BYTES) return { kind: 'refused', why: 'body_too_large' };
      if (inFlight + declared > maxBytesInFlight) return { kind: 'refused', why: 'unavailable' };
      beforeReading();
      let bytes = 0;
      let released = false;
      const release = () => {
        if (!released) inFlight -= bytes;
        released = true;
      };
      const hash = hashed ? createHash('sha256') : null;
      const blocks = createBlocks(declared);
      const end = await consume(raw, (chunk) => {
        // Counted as they come, not as they are announced: an announcement alone must not hold up others.
        bytes += chunk.length;
        inFlight += chunk.length;
        if (bytes > MAX_BODY_BYTES) return 'body_too_large';
        if (inFlight > maxBytesInFlight) return 'unavailable';
        hash?.update(chunk);
        blocks.add(chunk);
        return null;
      });
      if (end !== null) {
        release();
        return { kind: 'refused', why: end };
      }
      return { kind: 'body', blocks: blocks.filled(), bytes, hash: hash?.digest() ?? null, release };
    },
    async understand(route, body) {
      if (body.bytes > PARSED_AT_ONCE_BYTES) return pool.run(route, body.blocks);
      return parseBodies[route](Buffer.concat(body.blocks));
    },
    close: () => pool.close(),
  };
}

/** Null: read to its end. Stops reading, without closing the connection, as soon as `take` refuses. */
function consume<Why extends string>(
  raw: IncomingMessage,
  take: (chunk: Buffer) => Why | null,
): Promise<Why | 'bad_request' | null> {
  return new Promise((resolve) => {
    const finish = (why: Why | 'bad_request' | null) => {
      raw.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      raw.pause();
      resolve(why);
    };
    const onData = (chunk: Buffer) => {
      const why = take(chunk);
      if (why !== null) finish(why);
    };
    const onEnd = () => finish(null);
    // The client disconnected: the response will not be read.
    const onGone = () => finish('bad_request');
    if (raw.destroyed) return onGone();
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
    filled(): Buffer[] {
      return blocks.map((block) => (block === current ? block.subarray(0, used) : block));
    },
  };
}
