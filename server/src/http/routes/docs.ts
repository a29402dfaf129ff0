// What there is to read about the API, without a key: the OpenAPI document, its page, and its endpoints as text.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { type DocsPage, makeDocsPage, PAGE_POLICY } from '../docs/docs-page.ts';
import { llmsText, type OpenApiDocument } from '../docs/llms-text.ts';
import { refuse } from '../errors.ts';

const open = { config: { open: true }, schema: { hide: true } };
/** A script's name changes with its content. */
const FOREVER = 'public, max-age=31536000, immutable';

export function docsRoutes(app: FastifyInstance): void {
  // Built once, when every route is known.
  let document = '';
  let text = '';
  app.addHook('onReady', async () => {
    const swagger = app.swagger();
    document = JSON.stringify(swagger);
    text = llmsText(swagger as unknown as OpenApiDocument);
  });
  let made: Promise<DocsPage> | null = null;
  const docsPage = () => {
    made ??= makeDocsPage().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };

  app.get('/v1/openapi.json', open, async (_, reply) =>
    reply.type('application/json; charset=utf-8').send(document),
  );

  app.get('/llms.txt', open, async (_, reply) => reply.type('text/plain; charset=utf-8').send(text));

  app.get('/docs', open, async (_, reply) =>
    reply
      .headers({ 'content-security-policy': PAGE_POLICY, 'referrer-policy': 'no-referrer' })
      .type('text/html; charset=utf-8')
      .send((await docsPage()).html),
  );

  app.get<{ Params: { file: string } }>('/docs/:file', open, async (request, reply) => {
    const { script } = await docsPage();
    if (request.params.file !== script.name) return refuse(request, reply, { why: 'not_found' });
    reply
      .headers({ 'cache-control': FOREVER, vary: 'accept-encoding' })
      .type('text/javascript; charset=utf-8');
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''))
      return reply.send(await promisify(gunzip)(script.gzipped));
    return reply.header('content-encoding', 'gzip').send(script.gzipped);
  });
}
