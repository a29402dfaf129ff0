// What strangers hold who send requests without a key and read nothing of the answers, at every route there is.
// Counted in bytes, on real sockets: what waits in the process to be written, not what the kernel has.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { TEST_ONLY_CERTIFICATE, TEST_ONLY_KEY } from '../../../world/src/test-only-certificate.ts';
import { startService, type TestService } from '../../test/http-service.ts';
import { printedRoutes } from '../../test/printed-routes.ts';
import { until } from '../../test/until.ts';
import { NONCE, readConsoleFiles } from './console/console-files.ts';

const STRANGERS = 12;
/** Two slices of a file, their heads, and as many small answers as a connection may wait for. */
const HELD_MAX_BYTES = 192 * 1024;
const REQUESTS_EACH = 100;
const UNANSWERED = 8;
/** Of a body that is not sent to its end. */
const SENT_MAX_BYTES = 20_000;
const STILL_MS = 100;
const ASSET_BYTES = 3 * 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'mxproof-strangers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), `<script nonce="${NONCE}"></script>`);
// Letters that do not compress to nothing.
const letters = Buffer.from(Array.from({ length: ASSET_BYTES }, (_, n) => 33 + (((n * n) >> 3) % 90)));
writeFileSync(join(folder, 'assets/a.js'), letters);
for (const name of ['favicon.svg', 'theme.js']) writeFileSync(join(folder, name), '0');
const files = await readConsoleFiles(folder);

describe.each([false, true])('TLS: %s', (isTls) => {
  let service: TestService;
  let script: string;
  const clients: Socket[] = [];
  /** And the responses that each waits for. */
  const connections = new Map<Socket, Set<ServerResponse>>();
  let accepted = 0;

  beforeAll(async () => {
    service = await startService({
      consoleState: () => ({ kind: 'ready', files }),
      ...(isTls && { tls: { cert: TEST_ONLY_CERTIFICATE, key: TEST_ONLY_KEY } }),
    });
    const { server } = service.app;
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
      accepted += 1;
      connections.set(socket, new Set());
      socket.once('close', () => connections.delete(socket));
    });
    server.on('request', ({ socket }, response: ServerResponse) => {
      connections.get(socket)?.add(response);
      response.once('close', () => connections.get(socket)?.delete(response));
    });
    const page = (await service.app.inject('/docs')).body;
    script = /src="([^"]+)"/.exec(page)![1]!;
  });
  afterAll(() => service.close());
  afterEach(leave);

  async function leave(): Promise<void> {
    for (const socket of clients.splice(0)) socket.destroy();
    await until(() => connections.size === 0);
    accepted = 0;
  }

  /** Reads nothing, ever. */
  function stranger(bytes: string): void {
    const options = { host: '127.0.0.1', port: service.port };
    const socket = isTls ? connectTls({ ...options, rejectUnauthorized: false }) : connect(options);
    clients.push(socket.on('error', () => {}).pause());
    socket.write(bytes);
  }

  /** Of each connection; once nothing moves any more. */
  async function heldBytes(): Promise<number[]> {
    let before = '';
    await until(async () => {
      const now = [...connections.keys()]
        .map((socket) => `${socket.bytesRead} ${socket.bytesWritten}`)
        .join();
      const isStill = now === before && accepted === STRANGERS;
      before = now;
      await wait(STILL_MS);
      return isStill;
    });
    return [...connections].map(([socket, waiting]) => {
      expect(waiting.size).toBeLessThanOrEqual(UNANSWERED);
      // Whatever it is told once it has been sent, it is told by a few.
      for (const response of waiting) expect(response.listenerCount('finish')).toBeLessThan(10);
      const queued = [...waiting].filter((response) => response.socket === null);
      return queued.reduce((sum, { writableLength }) => sum + writableLength, socket.writableLength);
    });
  }

  const request = (line: string, ...headers: string[]) =>
    `${line} HTTP/1.1\r\nHost: x\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`;
  const half = (line: string, bytes: number) =>
    request(line, `Content-Length: ${bytes}`) + ' '.repeat(Math.min(bytes / 2, SENT_MAX_BYTES));
  /** Behind a key are all others below it. */
  const OPEN = ['/v1/openapi.json', '/v1/hooks/:id/:token', '/admin/v1/openapi.json'];
  /** By route; a route that is not here fails the test below. */
  const ROUTES: Readonly<Record<string, () => string[]>> = {
    '/': () => [request('GET /')],
    '/lists': () => [request('GET /lists')],
    '/lists/:id': () => [request('GET /lists/1')],
    '/new': () => [request('GET /new')],
    '/bounces': () => [request('GET /bounces')],
    '/outcomes': () => [request('GET /outcomes')],
    '/account': () => [request('GET /account')],
    '/guide': () => [request('GET /guide')],
    '/operator': () => [request('GET /operator')],
    '/operator/accounts': () => [request('GET /operator/accounts')],
    '/operator/accounts/:id': () => [request('GET /operator/accounts/1')],
    '/operator/lists': () => [request('GET /operator/lists')],
    '/operator/sources': () => [request('GET /operator/sources')],
    '/operator/callbacks': () => [request('GET /operator/callbacks')],
    '/operator/nodes': () => [request('GET /operator/nodes')],
    '/operator/audit': () => [request('GET /operator/audit')],
    '/operator/doctor': () => [request('GET /operator/doctor')],
    '/operator/sign-in/:token': () => [
      request('GET /operator/sign-in/x'),
      half('POST /operator/sign-in/x', 40_000),
    ],
    '/operator/session': () => [
      request('GET /operator/session'),
      request('DELETE /operator/session'),
      half('POST /operator/session', 4_000),
      half('POST /operator/session', 1_000_000),
    ],
    '/operator/session/ways': () => [request('GET /operator/session/ways')],
    '/*': () => [request('GET /assets/a.js'), request('GET /assets/a.js', 'Accept-Encoding: br')],
    '/favicon.svg': () => [request('GET /favicon.svg')],
    '/favicon.ico': () => [request('GET /favicon.ico')],
    '/theme.js': () => [request('GET /theme.js')],
    '/docs': () => [request('GET /docs')],
    '/docs/:file': () => [
      request(`GET ${script}`),
      request(`GET ${script}`, 'Accept-Encoding: gzip'),
      request(`HEAD ${script}`),
    ],
    '/docs/operators': () => [request('GET /docs/operators')],
    '/llms.txt': () => [request('GET /llms.txt')],
    '/v1/openapi.json': () => [request('GET /v1/openapi.json')],
    '/admin/v1/openapi.json': () => [request('GET /admin/v1/openapi.json')],
    '/healthz': () => [request('GET /healthz')],
    '/readyz': () => [request('GET /readyz')],
    '/postmaster': () => [request('GET /postmaster')],
    // POST /v1/hooks/:service/:token
    '/v1/hooks/:id/:token': () => [
      request('POST /v1/hooks/postmark/x'),
      half(`POST /v1/hooks/ses/${'a'.repeat(43)}`, 40_000),
    ],
    '/session': () => [half('POST /session', 4_000), half('POST /session', 1_000_000)],
    '/session/switch': () => [half('POST /session/switch', 4_000), half('POST /session/switch', 1_000_000)],
    '/join/:token': () => [request('GET /join/x'), half('POST /join/x', 40_000)],
    '/session/ways': () => [request('GET /session/ways')],
    '/sign-in/mail': () => [half('POST /sign-in/mail', 4_000), half('POST /sign-in/mail', 1_000_000)],
    '/sign-in/mail/:token': () => [request('GET /sign-in/mail/x'), half('POST /sign-in/mail/x', 40_000)],
    '/sign-in/openid': () => [request('GET /sign-in/openid')],
    '/sign-in/openid/:token': () => [half('POST /sign-in/openid/x', 40_000)],
    '/sign-in/openid/callback': () => [request(`GET /sign-in/openid/callback?code=${'x'.repeat(10_000)}`)],
    '/operator/sign-in/openid': () => [request('GET /operator/sign-in/openid')],
    '/operator/sign-in/openid/:token': () => [half('POST /operator/sign-in/openid/x', 40_000)],
    '/sign-in/:token': () => [request('GET /sign-in/x'), half('POST /sign-in/x', 40_000)],
    '/stop-mail/:token': () => [request('GET /stop-mail/x'), half('POST /stop-mail/x', 40_000)],
  };

  test('every route without a key is asked about here', () => {
    const open = printedRoutes(service.app)
      .map(({ path }) => path)
      .filter((path) => !/^(?:\/admin)?\/v1\//.test(path) || OPEN.includes(path));
    expect(open.toSorted()).toEqual(Object.keys(ROUTES).toSorted());
  });

  const OTHERS: Readonly<Record<string, () => string[]>> = {
    'a key that is missing': () => [request('GET /v1/lists'), half('POST /v1/lists', 40_000)],
    'an operator’s key that is missing': () => [
      request('GET /admin/v1/accounts'),
      half('POST /admin/v1/accounts', 40_000),
    ],
    'a key that is wrong': () => [
      request('GET /v1/lists', `Authorization: Bearer mx_live_${'a'.repeat(43)}`),
    ],
    'a path that is nowhere': () => [
      request('GET /nowhere'),
      request('OPTIONS *'),
      half('PUT /x', 1_000_000),
    ],
    'what is not HTTP': () => ['nonsense\r\n\r\n'],
    'a head without end': () => [request('GET /', `X-Long: ${'x'.repeat(15_000)}`).slice(0, -2)],
    'nonsense behind an answer that is not read': () => [
      request(`GET ${script}`) + 'nonsense\r\n'.repeat(10_000),
    ],
  };

  test.each(
    Object.entries({ ...ROUTES, ...OTHERS }),
  )('%s: a connection holds little, asked once or many times', async (_, requests) => {
    for (const bytes of requests())
      for (const sent of [bytes, bytes.repeat(REQUESTS_EACH)]) {
        for (let n = 0; n < STRANGERS; n++) stranger(sent);
        const held = await heldBytes();
        expect(Math.max(0, ...held)).toBeLessThanOrEqual(HELD_MAX_BYTES);
        await leave();
      }
  });

  test('a file that is larger than the kernel takes is held by its reader’s connection, a slice or two of it', async () => {
    for (let n = 0; n < STRANGERS; n++) stranger(request(`GET ${script}`));
    const held = await heldBytes();
    expect(held).toHaveLength(STRANGERS);
    expect(Math.min(...held)).toBeGreaterThan(0);
  });
});
