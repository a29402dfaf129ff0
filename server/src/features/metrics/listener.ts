// The listener for scrapers, apart from the API's.
// Promise: it answers GET and HEAD of a few paths and reads no body; a client without the token learns whether the process is alive
// and ready and no more; without a token, a page whose name leads here (DNS rebinding) learns nothing; connections, the size and the
// time of a request have limits; closing ends every connection.
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { hostname } from 'node:os';
import { refusalResponse } from '../../http/errors.ts';
import type { NotReady, Readiness } from '../../http/readiness.ts';
import { OperatorError } from '../../rules/operator-error.ts';
import type { Exposition } from './exposition.ts';

export const CONNECTIONS_MAX = 64;
const LOOPBACK = /^(127\.[\d.]+|::1|localhost)$/i;
const REQUEST_LIMIT_MS = 5_000;
const HEADER_BYTES_MAX = 8 * 1024;
/** Longer than between two scrapes. */
const KEEP_ALIVE_MS = 65_000;

export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
  /** Null: no token is asked for. */
  readonly token: string | null;
  /** By which it may be asked without a token, beside those that no stranger can have a page at. */
  readonly names: readonly string[];
}

export interface MetricsListener {
  readonly url: string;
  /** Other machines may reach it, and it asks for no token. */
  readonly isOpenToAll: boolean;
  close(): Promise<void>;
}

export async function listenForScrapers(
  { host, port, token, names }: MetricsAddress,
  exposition: Pick<Exposition, 'text' | 'contentType'>,
  readiness: Pick<Readiness, 'ask'>,
  /** Other than the named one; for tests. */
  requestLimitMs = REQUEST_LIMIT_MS,
): Promise<MetricsListener> {
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: requestLimitMs,
      requestTimeout: requestLimitMs,
      connectionsCheckingInterval: requestLimitMs / 5,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => {
      answer(request, response).catch(() => response.destroy());
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  const expected = token === null ? null : digest(`Bearer ${token}`);
  const known = new Set([host.toLowerCase(), hostname().toLowerCase(), ...names]);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A body is not read: what comes after it on this connection would be.
    if ('content-length' in request.headers || 'transfer-encoding' in request.headers)
      response.setHeader('connection', 'close');
    const { method, url = '' } = request;
    const path = url.split('?', 1)[0];
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return say(response, 405, 'Only GET and HEAD are answered here.');
    }
    // Before the token: a probe has no secret, and learns none.
    if (path === '/healthz' || path === '/readyz')
      return sayHealth(response, path === '/healthz' ? null : await readiness.ask());
    if (expected !== null && !timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
      response.setHeader('www-authenticate', 'Bearer');
      return say(response, 401, 'Send the token of MXPROOF_METRICS_TOKEN as Authorization: Bearer.');
    }
    if (expected === null && !isKnown(request.headers.host, known))
      return say(
        response,
        421,
        'Metrics are not shown at this name: set MXPROOF_METRICS_NAMES to it, or MXPROOF_METRICS_TOKEN.',
      );
    if (url === '/') return say(response, 200, 'The metrics of MXProof are at /metrics.');
    if (path !== '/metrics') return say(response, 404, 'The metrics of MXProof are at /metrics.');
    const text = await exposition.text();
    response.setHeader('content-type', exposition.contentType);
    response.end(text);
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(sentenceFor(error, host, port)));
    server.listen(port, host, resolve);
  });
  server.on('error', () => {});
  const { port: bound } = server.address() as AddressInfo;
  return {
    isOpenToAll: token === null && !LOOPBACK.test(host),
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A browser sends the name of its page. No stranger has one at an address, or at a name without a dot. */
function isKnown(header: string | undefined, known: ReadonlySet<string>): boolean {
  if (header === undefined) return true;
  const [, bracketed, name = bracketed ?? ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(header) ?? [];
  const host = name.toLowerCase().replace(/\.$/, '');
  return isIP(host) !== 0 || /^[a-z0-9_-]+$/.test(host) || known.has(host);
}

/** As the API answers the same paths. */
function sayHealth(response: ServerResponse, detail: NotReady | null): void {
  const { status, headers, body } =
    detail === null
      ? { status: 200, headers: {}, body: '{"status":"ok"}' }
      : refusalResponse({ why: 'unavailable', detail });
  response.writeHead(status, { ...headers, 'content-type': 'application/json; charset=utf-8' });
  response.end(body);
}

function say(response: ServerResponse, status: number, sentence: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.end(`${sentence}\n`);
}

/** Of one length, whatever was sent. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function sentenceFor(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `MXPROOF_METRICS_PORT ${port} is already in use on ${host}: set it to another port.`,
      );
    case 'EACCES':
      return new OperatorError(
        `This user is not allowed to open MXPROOF_METRICS_PORT ${port}: set it to a port above 1023.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new OperatorError(`MXPROOF_METRICS_HOST ${host} is not an address of this machine.`);
    default:
      return error;
  }
}
