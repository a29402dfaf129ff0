// A path that does not exist, outside the API. People get a page with a way on, programs the usual refusal.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refusalResponse, refuse } from './errors.ts';
import { PLAIN_POLICY, plainPage } from './plain-page.ts';
import type { PathMistakes } from './wire/path-mistake.ts';

const PAGE = plainPage({
  title: 'Page not found – MXProof',
  body: `<h1>Page not found</h1>
<p>There is no page at this address. It may be mistyped, or from another version of MXProof.</p>
<p><a href="/">Open the console</a> · <a href="/docs">API reference</a></p>`,
});

/** A browser opens it as a page: scripts, images and programs ask for other types. */
export function wantsPage(request: FastifyRequest): boolean {
  return request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
}

export function sendNotFound(
  request: FastifyRequest,
  reply: FastifyReply,
  paths: PathMistakes,
): FastifyReply {
  if (!wantsPage(request))
    return refuse(request, reply, { why: 'not_found', detail: paths.meant(request.method, request.url) });
  const { status, headers } = refusalResponse({ why: 'not_found' });
  return reply
    .code(status)
    .headers({ ...headers, 'content-security-policy': PLAIN_POLICY, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(PAGE);
}
