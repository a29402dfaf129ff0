// Counts every request by the pattern of its route, as the log names it: never by its path.
import type { FastifyInstance } from 'fastify';
import type { Meter } from '../features/metrics/meter.ts';

/** Before any route is added. */
export function countRequests(app: FastifyInstance, meter: Pick<Meter, 'hasRoute' | 'request'>): void {
  app.addHook('onRoute', ({ url }) => meter.hasRoute(url));
  app.addHook('onResponse', async (request, reply) => {
    const route = request.is404 ? null : (request.routeOptions.url ?? null);
    meter.request(request.method, route, reply.statusCode, reply.elapsedTime);
  });
}
