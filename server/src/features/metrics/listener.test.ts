// The listener on real sockets, with what a hostile client sends it.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { sendRaw } from '../../../test/raw-socket.ts';
import type { NotReady } from '../../http/readiness.ts';
import { CONNECTIONS_MAX, listenForScrapers, type MetricsListener } from './listener.ts';

const TOKEN = 'a-token-of-the-tests';
const EXPOSITION = { contentType: 'text/plain; version=0.0.4', text: async () => 'mxproof_build_info 1\n' };
const READY = { ask: async () => null };
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function listen(
  token: string | null = null,
  requestLimitMs?: number,
  names: readonly string[] = [],
): Promise<MetricsListener> {
  const address = { host: '127.0.0.1', port: 0, token, names };
  const listener = await listenForScrapers(address, EXPOSITION, READY, requestLimitMs);
  open.push(listener);
  return listener;
}

async function dial({ url }: MetricsListener): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  open.push({ close: () => socket.destroy() });
  await once(socket, 'connect');
  return socket;
}

test('two paths are answered to GET and HEAD, and nothing else is', async () => {
  const { url } = await listen();
  const scraped = await fetch(url);
  expect([scraped.status, scraped.headers.get('content-type'), await scraped.text()]).toEqual([
    200,
    EXPOSITION.contentType,
    'mxproof_build_info 1\n',
  ]);
  expect(await (await fetch(url, { method: 'HEAD' })).text()).toBe('');
  expect(await (await fetch(new URL('/', url))).text()).toBe('The metrics of MXProof are at /metrics.\n');
  expect((await fetch(new URL('/metrics/x', url))).status).toBe(404);
  const posted = await fetch(url, { method: 'POST', body: 'x' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('probes are answered without the token, and learn only whether the process is alive and ready', async () => {
  const address = { host: '127.0.0.1', port: 0, token: TOKEN, names: [] };
  let why: NotReady | null = null;
  const listener = await listenForScrapers(address, EXPOSITION, { ask: async () => why });
  open.push(listener);
  const ask = async (path: string) => {
    const answered = await fetch(new URL(path, listener.url));
    return [answered.status, await answered.text(), answered.headers.get('mxproof-error-detail')];
  };
  const well = [200, '{"status":"ok"}', null];
  expect([await ask('/healthz'), await ask('/readyz')]).toEqual([well, well]);
  why = 'draining';
  const draining = [503, '{"error":"service unavailable"}', 'draining'];
  expect([await ask('/healthz'), await ask('/readyz')]).toEqual([well, draining]);
});

test('with a token set, a client without it learns nothing but that', async () => {
  const { url } = await listen(TOKEN);
  const ask = (authorization?: string) => fetch(url, authorization ? { headers: { authorization } } : {});
  for (const wrong of [undefined, TOKEN, `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`]) {
    const refused = await ask(wrong);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await refused.text()).not.toContain('mxproof_');
  }
  expect((await fetch(new URL('/', url))).status).toBe(401);
  expect((await ask(`Bearer ${TOKEN}`)).status).toBe(200);
});

const askAs = async (listener: MetricsListener, host: string | null, more = '') => {
  const line = host === null ? 'GET /metrics HTTP/1.0' : `GET /metrics HTTP/1.1\r\nHost: ${host}`;
  const { text } = await sendRaw(
    Number(new URL(listener.url).port),
    `${line}\r\nConnection: close\r\n${more}\r\n`,
  );
  return text;
};

test('a page whose name leads here reads nothing, and scrapers by address, short name or known name do', async () => {
  const listener = await listen(null, undefined, ['metrics.example.com']);
  for (const known of [
    ...['10.0.0.11:9464', '127.0.0.1', '[::1]:9464', '[fd00::1]', 'localhost:9464', 'mxproof:9464'],
    ...[hostname(), 'Metrics.Example.com.:9464', null],
  ])
    expect(await askAs(listener, known), String(known)).toMatch(/^HTTP\/1\.1 200 /);
  for (const stranger of ['evil.example', 'evil.example:9464', '127.0.0.1.evil.example', 'a b', '[x', ''])
    expect(await askAs(listener, stranger), stranger).not.toContain('mxproof_build_info');
  const refused = await askAs(listener, 'evil.example');
  expect(refused).toMatch(/^HTTP\/1\.1 421 [\s\S]*MXPROOF_METRICS_NAMES/);
  // A token no page has.
  const open = await askAs(await listen(TOKEN), 'evil.example', `Authorization: Bearer ${TOKEN}\r\n`);
  expect(open).toMatch(/^HTTP\/1\.1 200 /);
});

test('a body is not read, a head must be small and come in time, and connections have a limit', async () => {
  const listener = await listen(null, 200);
  const port = Number(new URL(listener.url).port);
  const said = async (bytes: string) => (await sendRaw(port, bytes)).text;
  expect(
    await said('GET /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nGET / HTTP/1.1\r\n'),
  ).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close/i);
  expect(await said(`GET /metrics HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 431 /,
  );
  expect(await said('GET /metrics HTTP/1.1\r\nHos')).toMatch(/^(HTTP\/1\.1 408 |$)/);

  const kept = await Promise.all(Array.from({ length: CONNECTIONS_MAX }, () => dial(listener)));
  expect(await said('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('');
  const ended = Promise.all(kept.map((socket) => once(socket.resume(), 'close')));
  await listener.close();
  await ended;
});

test('a port that is in use is one sentence that names the setting', async () => {
  const { url } = await listen();
  const port = Number(new URL(url).port);
  await expect(
    listenForScrapers({ host: '127.0.0.1', port, token: null, names: [] }, EXPOSITION, READY),
  ).rejects.toThrow(`MXPROOF_METRICS_PORT ${port} is already in use on 127.0.0.1: set it to another port.`);
  await expect(
    listenForScrapers({ host: '192.0.2.1', port: 0, token: null, names: [] }, EXPOSITION, READY),
  ).rejects.toThrow('MXPROOF_METRICS_HOST 192.0.2.1 is not an address of this machine.');
});
