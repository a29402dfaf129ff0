// Liveness and readiness, without a key.
import type { FastifyInstance } from 'fastify';
import { refuse } from '../errors.ts';
import type { Readiness } from '../readiness.ts';
import { openRefusals } from '../route-parts.ts';

const config = { open: true };
const state = {
  type: 'object',
  properties: { status: { const: 'ok' } },
  required: ['status'],
  additionalProperties: false,
};

export function healthRoutes(app: FastifyInstance, readiness: Readiness): void {
  app.get(
    '/healthz',
    {
      config,
      schema: {
        operationId: 'isAlive',
        summary: 'Liveness: the process is running',
        description: 'Answers 200 as soon as the process listens, whatever the database does.',
        security: [],
        response: { 200: { description: 'Alive.', content: { 'application/json': { schema: state } } } },
      },
    },
    async () => ({ status: 'ok' }),
  );

  app.get(
    '/readyz',
    {
      config,
      schema: {
        operationId: 'isReady',
        summary: 'Readiness: the database answers',
        description:
          'While it is 503, `MXProof-Error-Detail` says why: `starting`, `database` (it does not answer) or `draining` (the service is about to stop).',
        security: [],
        response: {
          200: { description: 'Ready.', content: { 'application/json': { schema: state } } },
          ...openRefusals(),
        },
      },
    },
    async (request, reply) => {
      const detail = await readiness.ask();
      return detail === null ? { status: 'ok' } : refuse(request, reply, { why: 'unavailable', detail });
    },
  );
}
