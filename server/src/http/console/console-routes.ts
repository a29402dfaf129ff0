// The console at `/`. Promise: it may load scripts and styles of this origin only, each response with a nonce of its own;
// nothing else may frame it; without the console, the API is served all the same.
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusalResponse } from '../errors.ts';
import { PLAIN_POLICY, plainPage } from '../plain-page.ts';
import { sendFile } from '../shared-file.ts';
import { type ConsoleFiles, NONCE } from './console-files.ts';

/** `building`: it will be there shortly. `missing`: it could not be built. */
export type ConsoleState =
  | { readonly kind: 'ready'; readonly files: ConsoleFiles }
  | { readonly kind: 'building' | 'missing' };

/** The console's own routes; any other path is not found. */
const PAGES = [
  '/',
  '/lists',
  '/lists/:id',
  '/new',
  '/bounces',
  '/outcomes',
  '/account',
  '/guide',
  '/operator',
  '/operator/accounts',
  '/operator/accounts/:id',
  '/operator/lists',
  '/operator/sources',
  '/operator/callbacks',
  '/operator/nodes',
  '/operator/audit',
  '/operator/doctor',
];
const NONCE_BYTES = 16;
const BUILDING_REFRESH_SECONDS = 2;

const config = { open: true };
const schema = { hide: true };

export function consoleRoutes(app: FastifyInstance, state: () => ConsoleState): void {
  for (const path of PAGES)
    app.get(path, { config, schema }, async (_, reply) => {
      const now = state();
      return now.kind === 'ready' ? sendPage(reply, now.files) : sendWaiting(reply, now.kind);
    });
  app.get<{ Params: { '*': string } }>('/assets/*', { config, schema }, async (request, reply) =>
    sendFileAt(request, reply, state(), `/assets/${request.params['*']}`),
  );
  for (const path of ['/favicon.svg', '/theme.js'])
    app.get(path, { config, schema }, async (request, reply) => sendFileAt(request, reply, state(), path));
  // What browsers ask for by themselves.
  app.get('/favicon.ico', { config, schema }, async (_, reply) => reply.redirect('/favicon.svg', 302));
}

function sendPage(reply: FastifyReply, { index }: ConsoleFiles): FastifyReply {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  return reply
    .headers({
      'content-security-policy': policyWith(nonce),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    })
    .type('text/html; charset=utf-8')
    .send(index.replaceAll(NONCE, nonce));
}

function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function sendWaiting(reply: FastifyReply, kind: 'building' | 'missing'): FastifyReply {
  const isBuilding = kind === 'building';
  const { status, headers } = isBuilding
    ? { status: 200, headers: {} }
    : refusalResponse({ why: 'unavailable' });
  return reply
    .code(status)
    .headers({
      ...headers,
      'content-security-policy': PLAIN_POLICY,
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(
      plainPage({
        title: 'MXProof',
        head: isBuilding ? `<meta http-equiv="refresh" content="${BUILDING_REFRESH_SECONDS}">` : '',
        body: isBuilding
          ? '<h1>One moment</h1>\n<p>The console is being built and will appear in a few seconds.</p>'
          : '<h1>No console</h1>\n<p>The console could not be built: see the service’s log. The API works without it: <a href="/docs">reference</a>.</p>',
      }),
    );
}

async function sendFileAt(
  request: FastifyRequest,
  reply: FastifyReply,
  state: ConsoleState,
  path: string,
): Promise<FastifyReply> {
  const file = state.kind === 'ready' ? state.files.files.get(path) : undefined;
  if (file) return sendFile(request, reply, file);
  reply.callNotFound();
  return reply;
}
