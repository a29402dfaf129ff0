// The listener on real sockets, with what a hostile client sends it.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { sendRaw } from '../../../test/raw-socket.ts';
import { CONNECTIONS_MAX, listenForScrapers, type MetricsListener } from './listener.ts';

const TOKEN = 'a-token-of-the-tests';
const EXPOSITION = { contentType: 'text/plain; version=0.0.4', text: async () => 'mxproof_build_info 1\n' };
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function listen(token: string | null = null, requestLimitMs?: number): Promise<MetricsListener> {
  const listener = await listenForScrapers({ host: '127.0.0.1', port: 0, token }, EXPOSITION, requestLimitMs);
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
  await expect(listenForScrapers({ host: '127.0.0.1', port, token: null }, EXPOSITION)).rejects.toThrow(
    `MXPROOF_METRICS_PORT ${port} is already in use on 127.0.0.1: set it to another port.`,
  );
  await expect(listenForScrapers({ host: '192.0.2.1', port: 0, token: null }, EXPOSITION)).rejects.toThrow(
    'MXPROOF_METRICS_HOST 192.0.2.1 is not an address of this machine.',
  );
});
