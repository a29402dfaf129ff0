// A scan of a list on behalf of a request. Promise: it ends with the request's connection, and a 429 costs nothing.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ListGone } from '../flow/read-results.ts';
import type { List } from '../rules/list.ts';
import type { Chunk } from '../store/chunks.ts';
import type { Refusal } from './errors.ts';
import { callerOf, type Parts } from './route-parts.ts';

/** When an account that has too many waiting may come back: a few of them will be over. */
const BUSY_RETRY_AFTER_MS = 2_000;

/** Null: every chunk was visited. */
export async function scanFor(
  { scans, gate }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  list: List,
  visit: (chunk: Chunk) => void,
): Promise<Refusal | null> {
  const left = new AbortController();
  const leave = () => left.abort();
  reply.raw.once('close', leave);
  try {
    const ended = await scans.run(list, left.signal, visit);
    switch (ended) {
      case 'done':
        return null;
      case 'busy':
        gate.giveBack(callerOf(request), 'requests', 1);
        return { why: 'rate_limited', retryAfterMs: BUSY_RETRY_AFTER_MS };
      case 'left':
        // The client has disconnected and does not read it.
        return { why: 'unavailable' };
      default:
        return ended satisfies never;
    }
  } catch (error) {
    if (error instanceof ListGone) return { why: 'list_not_found' };
    throw error;
  } finally {
    reply.raw.off('close', leave);
  }
}
