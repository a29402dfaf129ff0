// Liveness and readiness, without a key.
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../store/database.ts';
import { refuse } from '../errors.ts';
import { inTime } from '../in-time.ts';
import { openRefusals } from '../route-parts.ts';

const config = { open: true };
const state = {
  type: 'object',
  properties: { status: { const: 'ok' } },
  required: ['status'],
  additionalProperties: false,
};

/** Unauthenticated clients may ask as often as they like: all requests within this time share one ping. */
const READY_KEPT_MS = 1_000;
const READY_LIMIT_MS = 5_000;

export function healthRoutes(app: FastifyInstance, db: Database, ready: () => boolean): void {
  const ping = shared(READY_KEPT_MS, () =>
    db.ping().then(
      () => true,
      () => false,
    ),
  );
  app.get(
    '/healthz',
    {
      config,
      schema: {
        operationId: 'isAlive',
        summary: 'Liveness: the process is running',
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
        security: [],
        response: {
          200: { description: 'Ready.', content: { 'application/json': { schema: state } } },
          ...openRefusals(),
        },
      },
    },
    async (request, reply) => {
      if (!ready() || !(await inTime(ping(), READY_LIMIT_MS)))
        return refuse(request, reply, { why: 'unavailable' });
      return { status: 'ok' };
    },
  );
}

/** One call at a time, and none until its answer is `keptMs` old; it never rejects. */
function shared<T>(keptMs: number, ask: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | null = null;
  let answeredAtMs: number | null = null;
  return () => {
    if (last && (answeredAtMs === null || performance.now() - answeredAtMs < keptMs)) return last;
    answeredAtMs = null;
    last = ask().finally(() => {
      answeredAtMs = performance.now();
    });
    return last;
  };
}
