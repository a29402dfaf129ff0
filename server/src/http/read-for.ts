// Routes that read what is stored, in turns of accounts (flow/reading-turns.ts).
// Promise: a reading ends with the request's connection, and the 429 of an account that has too many costs nothing.
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify';
import { ListGone } from '../flow/read-results.ts';
import { ReaderLeft, type Reading } from '../flow/reading-turns.ts';
import { type Refusal, refuse } from './errors.ts';
import { callerOf, type Parts } from './route-parts.ts';

/** When an account that has too many may come back: a few of them will be over. */
const BUSY_RETRY_AFTER_MS = 2_000;
/** Entries written as text in one go. */
const ENTRIES_AT_ONCE = 250;

type ExpiredWord = 'results_expired' | 'nothing_to_retry' | 'nothing_to_correct';

type Handler<R extends RouteGenericInterface> = (
  request: FastifyRequest<R>,
  reply: FastifyReply,
) => Promise<unknown>;

/** A handler that reads in several steps. `expired`: what it answers if results expire between two of them. */
export function reads<R extends RouteGenericInterface>(
  { turns, gate }: Pick<Parts, 'turns' | 'gate'>,
  handler: (request: FastifyRequest<R>, reply: FastifyReply, reading: Reading) => Promise<unknown>,
  expired: ExpiredWord = 'results_expired',
): Handler<R> {
  return async (request, reply) => {
    const caller = callerOf(request);
    const reading = turns.begin(caller.accountId, closingOf(reply));
    if (!reading) {
      gate.giveBack(caller, 'requests', 1);
      return refuse(request, reply, { why: 'rate_limited', retryAfterMs: BUSY_RETRY_AFTER_MS });
    }
    try {
      return await handler(request, reply, reading);
    } catch (error) {
      return refuse(request, reply, refusalOfReading(error, expired));
    }
  };
}

/** A handler whose few statements are one step. */
export function readsOnce<R extends RouteGenericInterface>(
  parts: Pick<Parts, 'turns' | 'gate'>,
  handler: Handler<R>,
): Handler<R> {
  return reads<R>(parts, (request, reply, reading) => reading.step(() => handler(request, reply)));
}

/** `{"<name>": […]}`, a piece at a time. */
export async function sendEntries<Entry>(
  reply: FastifyReply,
  name: string,
  entries: readonly Entry[],
  toWire: (entry: Entry) => unknown,
): Promise<FastifyReply> {
  const pieces: string[] = [];
  for (let from = 0; from < entries.length; from += ENTRIES_AT_ONCE) {
    const piece = entries.slice(from, from + ENTRIES_AT_ONCE).map((entry) => JSON.stringify(toWire(entry)));
    pieces.push(piece.join());
    await nextTurn();
  }
  return reply.type('application/json; charset=utf-8').send(`{"${name}":[${pieces.join()}]}`);
}

/** Before an answer that is to be late; less if its reader leaves. */
export async function waitForReader(reply: FastifyReply, ms: number): Promise<void> {
  await wait(ms, undefined, { signal: closingOf(reply) }).catch(() => {});
}

function closingOf({ raw }: FastifyReply): AbortSignal {
  const closing = new AbortController();
  if (raw.closed || raw.destroyed) closing.abort();
  else raw.once('close', () => closing.abort());
  return closing.signal;
}

function refusalOfReading(error: unknown, expired: ExpiredWord): Refusal {
  if (error instanceof ListGone) return { why: error.isExpired ? expired : 'list_not_found' };
  // The client has disconnected and does not read it.
  if (error instanceof ReaderLeft) return { why: 'unavailable' };
  throw error;
}
