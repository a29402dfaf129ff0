// What there is to read about the API, without a key: the OpenAPI document, its page, and its endpoints as text.
import type { FastifyInstance } from 'fastify';
import { API_DOCS, type DocsPage, type Documented, makeDocsPage, PAGE_POLICY } from '../docs/docs-page.ts';
import { llmsText, type OpenApiDocument } from '../docs/llms-text.ts';
import { refuse } from '../errors.ts';
import { type SharedFile, sendFile, sharedFile } from '../shared-file.ts';

const open = { config: { open: true }, schema: { hide: true } };

export function docsRoutes(app: FastifyInstance): void {
  // Built once, when every route is known.
  let document: SharedFile;
  let text: SharedFile;
  app.addHook('onReady', async () => {
    const swagger = app.swagger();
    document = shared('application/json; charset=utf-8', JSON.stringify(swagger));
    text = shared('text/plain; charset=utf-8', llmsText(swagger as unknown as OpenApiDocument));
  });
  const docsPage = docsPageRoute(app, '/docs', API_DOCS);

  app.get('/v1/openapi.json', open, async (request, reply) => sendFile(request, reply, document));

  app.get('/llms.txt', open, async (request, reply) => sendFile(request, reply, text));

  app.get<{ Params: { file: string } }>('/docs/:file', open, async (request, reply) => {
    const { scriptName, script } = await docsPage();
    if (request.params.file !== scriptName) return refuse(request, reply, { why: 'not_found' });
    return sendFile(request, reply, script);
  });
}

/** Its page; made at the first request. */
export function docsPageRoute(
  app: FastifyInstance,
  path: string,
  documented: Documented,
): () => Promise<DocsPage> {
  let made: Promise<DocsPage> | null = null;
  const docsPage = () => {
    made ??= makeDocsPage(documented).catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
  app.get(path, open, async (_, reply) =>
    reply
      .headers({ 'content-security-policy': PAGE_POLICY, 'referrer-policy': 'no-referrer' })
      .type('text/html; charset=utf-8')
      .send((await docsPage()).html),
  );
  return docsPage;
}

/** An upgrade changes them under their names. */
const shared = (type: string, text: string) =>
  sharedFile({ type, plain: Buffer.from(text), cached: 'checked' });
