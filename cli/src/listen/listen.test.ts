import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { mxproof, type RunningCommand, startMxproof } from '../../test/run-mxproof.ts';
import { type CliService, startCliService } from '../../test/start-service.ts';
import { forwardCallback } from './forward-callback.ts';

const NOBODY = 'https://hook.nobody.example/done';
const cleanups: (() => unknown)[] = [];
let service: CliService;
let testKey: string;

beforeAll(async () => {
  service = await startCliService({
    domains: { 'shop.example': { host: {}, mailboxes: { known: ['ann'] } } },
  });
  const made = await mxproof(['key', 'create', '1', '--test', '--json'], service.operator);
  testKey = (JSON.parse(made.stdout) as { api_key: string }).api_key;
});
afterAll(() => service.close());
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Receiver {
  readonly url: string;
  readonly received: { readonly headers: IncomingHttpHeaders; readonly body: string }[];
}

async function startReceiver(answer: (response: ServerResponse) => void): Promise<Receiver> {
  const received: Receiver['received'] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = await request.toArray();
    received.push({ headers: request.headers, body: Buffer.concat(pieces).toString() });
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}

function listen(args: readonly string[], env: Record<string, string> = {}): RunningCommand {
  const shell = { ...service.shell, MXPROOF_API_KEY: testKey, ...env };
  const running = startMxproof(['listen', ...args], shell);
  cleanups.push(async () => {
    running.kill('SIGKILL');
    await running.ran;
  });
  return running;
}

async function finishTestList(): Promise<number> {
  const response = await fetch(`${service.url}/v1/lists`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ emails: ['ann@shop.example'], callback_url: NOBODY }),
  });
  return ((await response.json()) as { id: number }).id;
}

test('a callback is forwarded as it was signed, its signature checked, and Ctrl-C ends it with 0', async () => {
  const receiver = await startReceiver((response) => response.writeHead(202).end('taken'));
  const secret = { MXPROOF_WEBHOOK_SECRET: service.webhookSecret };
  const running = listen(['--forward-to', receiver.url], secret);
  await running.saw(
    `Listening to the callbacks of test lists at ${service.url}, forwarding to ${receiver.url}.`,
  );
  const id = await finishTestList();
  await running.saw('receiver answered 202');
  running.kill('SIGINT');
  const { status, stdout, stderr } = await running.ran;
  expect(stdout).toMatch(
    new RegExp(`^list ${id} {2}✓ signature valid {2}for ${NOBODY} {2}receiver answered 202 in \\d+ ms\n$`),
  );
  expect(stderr).toMatch(/Stopped after 1 callback\.\n$/);
  expect(status).toBe(0);

  const [{ headers, body }] = receiver.received as [Receiver['received'][number]];
  expect(JSON.parse(body)).toMatchObject({ event: 'list.done', list: { id, status: 'done' } });
  expect(headers['x-mx-signature']).toBe(
    createHmac('sha256', service.webhookSecret).update(body).digest('hex'),
  );
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'MXProof-Webhook/1' });
  expect(headers['webhook-id']).toBe(`test_list.done.${id}`);
});

test('a wrong secret shows, none is said, and a redirect is an answer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-listen-'));
  cleanups.push(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'secret');
  writeFileSync(file, 'whsec_c29tZWJvZHkgZWxzZQ==\n');
  const receiver = await startReceiver((response) => response.writeHead(302, { location: '/else' }).end());
  const wrong = listen(['--forward-to', receiver.url, '--secret-file', file, '--json']);
  const without = listen([]);
  await Promise.all([wrong.saw('Listening'), without.saw('Listening')]);
  const id = await finishTestList();
  await Promise.all([wrong.saw('"list_id"'), without.saw('not checked')]);
  expect(JSON.parse(wrong.seen.stdout)).toMatchObject({
    list_id: id,
    url: NOBODY,
    signature: 'invalid',
    signature_fault: 'bad_signature',
    forwarded: { url: receiver.url, status: 302, error: null },
  });
  expect(receiver.received).toHaveLength(1);
  expect(without.seen.stderr).toContain('Signatures are not checked: set MXPROOF_WEBHOOK_SECRET');
  expect(without.seen.stdout).toBe(`list ${id}  ? not checked  for ${NOBODY}\n`);
});

test('a connection that breaks is opened again', async () => {
  const sockets = new Set<Socket>();
  const proxy = createTcpServer((client) => {
    const upstream = connect(Number(new URL(service.url).port), '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {}).on('close', () => to.destroy());
      from.pipe(to);
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  cleanups.push(() => proxy.close());
  const running = listen(['--url', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`]);
  await running.saw('Listening');
  for (const socket of sockets) socket.destroy();
  await running.saw('The connection was lost; opening it again.\nListening');
  const id = await finishTestList();
  await running.saw(`list ${id}`);
});

test('a test key explains its own addresses, and says which mode it is', async () => {
  const shell = { ...service.shell, MXPROOF_API_KEY: testKey };
  const explained = await mxproof(['check', '--explain', '--service', 'rejected-email@shop.example'], shell);
  expect(explained.stdout).toMatch(/^✗ undeliverable {2}rejected-email@shop\.example\n/);
  expect(explained.status).toBe(1);
  expect((await mxproof(['account'], shell)).stdout).toMatch(/^key +test$/m);
});

test.each([
  ['a live key', null, [], 4, /^Only a test key can listen/],
  ['an address that is none', {}, ['--forward-to', 'localhost:3000'], 2, /^--forward-to must be an http/],
  [
    'a secret that is none',
    { MXPROOF_WEBHOOK_SECRET: 'x' },
    [],
    2,
    /^MXPROOF_WEBHOOK_SECRET is not a webhook/,
  ],
  ['a secret that is not there', {}, ['--secret-file', '/nowhere'], 1, /^Cannot read \/nowhere \(ENOENT\)/],
])('with %s it says so in one sentence', async (_, env, args, status, sentence) => {
  const shell = { ...service.shell, ...(env && { MXPROOF_API_KEY: testKey, ...env }) };
  const ran = await mxproof(['listen', ...args], shell);
  expect(ran.stderr.trimEnd()).toMatch(sentence);
  expect(ran).toMatchObject({ status, stdout: '' });
});

test('whatever a receiver does, forwarding ends and says how', async () => {
  const message = { headers: { 'X-A': 'b', Host: 'elsewhere.example', 'Content-Length': '999' }, body: 'ü' };
  const { signal } = new AbortController();
  const forward = async (answer: (response: ServerResponse) => void, limitMs?: number) => {
    const { url, received } = await startReceiver(answer);
    return { ...(await forwardCallback(new URL(url), message, signal, limitMs)), received };
  };
  const good = await forward((response) => response.end());
  expect(good).toMatchObject({ status: 200, error: null });
  expect(good.received[0]).toMatchObject({ body: 'ü', headers: { 'x-a': 'b', 'content-length': '2' } });
  expect(good.received[0]!.headers.host).toMatch(/^127\.0\.0\.1:/);
  expect(await forward(() => {}, 50)).toMatchObject({ status: null, error: 'no answer within 0.05 s' });
  const endless = await forward((response) => {
    const more = () => response.write('x'.repeat(16_384), more);
    more();
  });
  expect(endless).toMatchObject({ status: 200, error: null });
  expect(await forward((response) => response.socket!.destroy())).toMatchObject({ error: 'ECONNRESET' });
  const nobody = await forwardCallback(new URL('http://127.0.0.1:1/'), message, signal);
  expect(nobody).toMatchObject({ status: null, error: 'ECONNREFUSED' });
});
