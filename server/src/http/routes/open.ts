// Endpoints that need no key: the OpenAPI document, its page, liveness and readiness.
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../store/database.ts';
import { refuse } from '../errors.ts';
import { docsPage, type OpenApiDocument } from '../openapi/docs-page.ts';
import { ref } from '../openapi/schemas.ts';

const config = { open: true };
const state = {
  type: 'object',
  properties: { status: { const: 'ok' } },
  required: ['status'],
  additionalProperties: false,
};
const unavailable = {
  description: 'Not ready.',
  content: { 'application/json': { schema: ref('Error') } },
};

export function openRoutes(app: FastifyInstance, db: Database, ready: () => boolean): void {
  // Built once, when every route is known.
  let document = '';
  let page = '';
  app.addHook('onReady', async () => {
    const swagger = app.swagger();
    document = JSON.stringify(swagger);
    page = docsPage(swagger as unknown as OpenApiDocument);
  });

  app.get('/v1/openapi.json', { config, schema: { hide: true } }, async (_, reply) =>
    reply.type('application/json; charset=utf-8').send(document),
  );

  app.get('/docs', { config, schema: { hide: true } }, async (_, reply) =>
    reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
      .type('text/html; charset=utf-8')
      .send(page),
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
        summary: 'Readiness: the database answers and its schema has this version',
        security: [],
        response: {
          200: { description: 'Ready.', content: { 'application/json': { schema: state } } },
          503: unavailable,
        },
      },
    },
    async (request, reply) => {
      if (!ready()) return refuse(request, reply, { why: 'unavailable' });
      await db.ping();
      return { status: 'ok' };
    },
  );
}
