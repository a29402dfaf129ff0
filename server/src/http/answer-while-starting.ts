// Answers probes while the service is not there yet: while PostgreSQL starts, is migrated or is waited for.
// Promise: /healthz is 200 and everything else 503, as the service answers while its database is away; no body is read;
// connections, the size and the time of a request have limits; closing ends every connection and frees the port.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { refusalResponse } from './errors.ts';
import type { NotReady } from './readiness.ts';
import { pathOf } from './wire/urls.ts';

const CONNECTIONS_MAX = 64;
const REQUEST_LIMIT_MS = 5_000;
const HEADER_BYTES_MAX = 8 * 1024;
const ALIVE = '{"status":"ok"}';

export interface StartingAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly cert: string; readonly key: string } | null;
}

/** Null: it cannot listen there. The service will say why, when it tries to itself. */
export async function answerWhileStarting(
  { host, port, tls }: StartingAddress,
  why: () => NotReady,
): Promise<{ close(): Promise<void> } | null> {
  const limits = {
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: REQUEST_LIMIT_MS,
    requestTimeout: REQUEST_LIMIT_MS,
    handshakeTimeout: REQUEST_LIMIT_MS,
    connectionsCheckingInterval: REQUEST_LIMIT_MS / 5,
  };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const isHealth =
      /^(GET|HEAD)$/.test(request.method ?? '') && pathOf(request.url ?? '').split('?', 1)[0] === '/healthz';
    const { status, headers, body } = isHealth
      ? { status: 200, headers: {}, body: ALIVE }
      : refusalResponse({ why: 'unavailable', detail: why() });
    response.writeHead(status, {
      ...headers,
      'x-request-id': randomUUID(),
      'x-content-type-options': 'nosniff',
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      // The next request is the service's own.
      connection: 'close',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
  const server: Server = tls ? createTlsServer({ ...limits, ...tls }, answer) : createServer(limits, answer);
  server.maxConnections = CONNECTIONS_MAX;
  const isListening = await new Promise<boolean>((resolve) => {
    server.on('error', () => resolve(false));
    server.listen(port, host, () => resolve(true));
  });
  if (!isListening) return null;
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
