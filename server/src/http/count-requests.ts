// Counts every request by the pattern of its route, as the log names it: never by its path.
import type { FastifyInstance } from 'fastify';
import type { Observer } from '../flow/observer.ts';

/** Before any route is added. */
export function countRequests(app: FastifyInstance, { hasRoute, request: tell }: Partial<Observer>): void {
  if (hasRoute) app.addHook('onRoute', ({ url }) => hasRoute(url));
  if (!tell) return;
  app.addHook('onResponse', async (request, reply) => {
    const route = request.is404 ? null : (request.routeOptions.url ?? null);
    tell(request.method, route, reply.statusCode, reply.elapsedTime);
  });
}
