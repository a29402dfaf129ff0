// One log line per request, health checks apart: method, route, status, duration, account and mode, client address.
// Promise: never a key, a secret, an e-mail address, a body or anything else that the client sent.
import { isIP } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { bareAddress } from '../rules/cidr.ts';
import { framesOf } from '../store/describe-error.ts';

/** Asked every few seconds for as long as the service runs: what makes them fail is logged where it happens. */
const PROBES: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz']);

export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    if (PROBES.has(request.routeOptions.url)) return;
    request.log.info(
      {
        method: request.method,
        // The pattern, not the path.
        route: request.is404 ? null : request.routeOptions.url,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        account: request.caller?.parentId ?? null,
        ...(request.caller && { mode: request.caller.test ? 'test' : 'live' }),
        client: clientOf(request),
      },
      'request completed',
    );
  });
}

/** From the trusted proxy's header, if any; a value that is not an IP address is arbitrary text and is not logged. */
function clientOf({ ip }: FastifyRequest): string | null {
  const address = bareAddress(ip);
  return isIP(address) === 0 ? null : address;
}

/** What went wrong, without the message: a database quotes values in it. */
export function logDefect(log: FastifyBaseLogger, error: unknown): void {
  const { name, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  const at = error instanceof Error ? framesOf(error) : [];
  log.error({ error: { name: name ?? typeof error, code, at } }, 'request failed');
}

/** While the database is unavailable many requests fail: the reason is logged at most this often. */
const UNAVAILABLE_EVERY_MS = 10_000;

export function createUnavailableLog(log: FastifyBaseLogger): (error: unknown) => void {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  return (err) => {
    if (performance.now() - saidAtMs < UNAVAILABLE_EVERY_MS) return;
    saidAtMs = performance.now();
    log.warn({ err }, 'database unavailable, requests are answered 503');
  };
}
