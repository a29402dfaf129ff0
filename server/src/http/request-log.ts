// One log line per request: method, route, status, duration, account.
// Promise: never a key, a secret, an e-mail address, a body or anything else that the client sent.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        // The pattern, not the path.
        route: request.is404 ? null : request.routeOptions.url,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        account: request.caller?.accountId ?? null,
      },
      'request completed',
    );
  });
}

/** What went wrong, without the message: a database quotes values in it. */
export function logDefect(log: FastifyBaseLogger, error: unknown): void {
  const { name, code, stack } = error instanceof Error ? (error as Error & { code?: unknown }) : {};
  const at = stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim());
  log.error({ error: { name: name ?? typeof error, code, at } }, 'request failed');
}
