// Notes what accounts change and are refused, and writes it down in batches.
// Promise: a request is noted after its answer and waits for nothing; one statement a second writes what was gathered. Without a
// database it is kept, within the bounds of the batch. A stop writes what is left, and a kill loses the last second.
import { steadyNow } from '@mxproof/common/steady-now';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { keyIdOf } from '../../http/check-access.ts';
import { inTime } from '../../http/in-time.ts';
import { type Database, isUnavailable } from '../../store/database.ts';
import { startLoop } from '../../worker/loop.ts';
import { type LoggedRequest, RequestBatch } from './request-batch.ts';
import { shownClient } from './shown-client.ts';
import { insertRequests } from './stored-requests.ts';

const WRITE_EVERY_MS = 1_000;
const WRITTEN_AT_ONCE = 1_000;
/** A stop waits no longer for the database. */
const STOP_LIMIT_MS = 2_000;
const SAY_DROPPED_EVERY_MS = 60_000;

/** Of all requests below it. */
export function keepRequests(v1: FastifyInstance, db: Database): void {
  const batch = new RequestBatch();
  let saidAtMs = Number.NEGATIVE_INFINITY;

  function sayDropped(): void {
    if (steadyNow() - saidAtMs < SAY_DROPPED_EVERY_MS) return;
    const dropped = batch.takeDropped();
    if (dropped === 0) return;
    saidAtMs = steadyNow();
    v1.log.warn(
      { dropped },
      'requests are missing in the request log: they came faster than they are written',
    );
  }

  async function write(): Promise<void> {
    sayDropped();
    while (batch.size > 0) {
      const rows = batch.first(WRITTEN_AT_ONCE);
      const refused = await insert(rows);
      batch.remove(rows.length);
      if (refused !== null) throw refused;
    }
  }

  /**
   * What the database does not take is not tried for ever, and takes no other row with it. Returns what it said; throws where
   * it is unavailable.
   */
  async function insert(rows: readonly LoggedRequest[]): Promise<unknown> {
    try {
      await insertRequests(db, rows);
      return null;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      if (rows.length > 1) for (const row of rows) await insert([row]);
      return error;
    }
  }

  const loop = startLoop({ name: 'request log', everyMs: WRITE_EVERY_MS, log: v1.log, run: write });
  v1.addHook('onResponse', (request, reply, done) => {
    if (request.caller && isKept(request, reply)) batch.add(loggedRequest(request, reply, request.caller));
    done();
  });
  v1.addHook('onClose', async () => {
    await inTime(
      loop.stop().then(() => write().catch(() => {})),
      STOP_LIMIT_MS,
    );
    const lost = batch.size + batch.takeDropped();
    if (lost > 0) v1.log.warn({ lost }, 'requests could not be written to the request log');
  });
}

/** Refused, or allowed to change something. What a reading key may call changes nothing, whatever its method. */
function isKept({ method, routeOptions }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  if (statusCode >= 400) return true;
  return method !== 'GET' && method !== 'HEAD' && !routeOptions.config.keys?.includes('read');
}

function loggedRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  caller: NonNullable<FastifyRequest['caller']>,
): LoggedRequest {
  const { id, is404, method, routeOptions, headers } = request;
  const error = reply.getHeader('mxproof-error');
  return {
    id,
    accountId: caller.accountId,
    atMs: Date.now() - reply.elapsedTime,
    method,
    route: is404 || routeOptions.url === undefined ? null : shownRoute(routeOptions.url),
    status: reply.statusCode,
    error: typeof error === 'string' ? error : null,
    durationMs: Math.round(reply.elapsedTime),
    keyId: keyIdOf(caller),
    client: shownClient(headers['user-agent']),
  };
}

/** As the OpenAPI document writes it. */
function shownRoute(pattern: string): string {
  return pattern.replace(/:(\w+)/g, '{$1}');
}
