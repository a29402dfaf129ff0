// Clients that take connections, and customers who need one: real sockets, from several addresses of loopback.
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { TEST_ONLY_CERTIFICATE, TEST_ONLY_KEY } from '../../../world/src/test-only-certificate.ts';
import { startService, type TestService } from '../../test/http-service.ts';
import { until } from '../../test/until.ts';

const STRANGER = '127.0.0.2';
const CUSTOMER = '127.0.0.3';
const GET = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const tls = { cert: TEST_ONLY_CERTIFICATE, key: TEST_ONLY_KEY };

let service: TestService;
const clients: Client[] = [];
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy();
  await service.close();
});

interface Client {
  readonly socket: Socket;
  text(): string;
}

/** Connected, as far as the client can tell. */
async function open(localAddress: string, isTls = false): Promise<Client> {
  const options = { host: '127.0.0.1', port: service.port, localAddress };
  const socket = isTls ? connectTls({ ...options, rejectUnauthorized: false }) : connect(options);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  const client = { socket, text: () => text };
  clients.push(client);
  await new Promise((resolve) =>
    socket.once(isTls ? 'secureConnect' : 'connect', resolve).once('close', resolve),
  );
  return client;
}

async function isServed(client: Client): Promise<boolean> {
  const before = client.text().length;
  client.socket.write(GET);
  await until(() => client.socket.destroyed || client.text().slice(before).includes('"ok"'));
  return !client.socket.destroyed;
}

const isClosed = ({ socket }: Client) => until(() => socket.destroyed);
const connections = () =>
  new Promise<number>((resolve) => service.app.server.getConnections((_, count) => resolve(count)));
const isAccepted = (count: number) => until(async () => (await connections()) === count);

test.each([
  false,
  true,
])('a client has its share of connections and no more, others have theirs (TLS: %s)', async (isTls) => {
  service = await startService({ connections: { perClient: 3 }, ...(isTls && { tls }) });
  const strangers = [await open(STRANGER), await open(STRANGER), await open(STRANGER, isTls)];
  await isAccepted(3);
  await isClosed(await open(STRANGER, isTls));
  const customer = await open(CUSTOMER, isTls);
  expect(await isServed(customer)).toBe(true);
  expect(await isServed(strangers[2]!)).toBe(true);
  strangers[0]!.socket.destroy();
  await isAccepted(3);
  expect(await isServed(await open(STRANGER, isTls))).toBe(true);
});

test('a trusted proxy, which many clients share, has no limit of its own', async () => {
  service = await startService({ connections: { perClient: 1 }, trustProxy: [CUSTOMER] });
  const proxied = [await open(CUSTOMER), await open(CUSTOMER), await open(CUSTOMER)];
  for (const one of proxied) expect(await isServed(one)).toBe(true);
  expect(await isServed(await open(STRANGER))).toBe(true);
  await isClosed(await open(STRANGER));
});

test.each([
  false,
  true,
])('when all are taken, the oldest without a request makes way, the silent ones first (TLS: %s)', async (isTls) => {
  service = await startService({ connections: { connections: 3 }, ...(isTls && { tls }) });
  const idle = await open(CUSTOMER, isTls);
  expect(await isServed(idle)).toBe(true);
  const silent = [await open(STRANGER), await open(STRANGER)] as const;
  await isAccepted(3);
  // In their order: the silent ones, then the one whose last request is over.
  const first = await open(CUSTOMER, isTls);
  await isClosed(silent[0]);
  expect([silent[1].socket.destroyed, idle.socket.destroyed]).toEqual([false, false]);
  expect(await isServed(first)).toBe(true);
  const second = await open(CUSTOMER, isTls);
  await isClosed(silent[1]);
  expect(await isServed(second)).toBe(true);
  const third = await open(CUSTOMER, isTls);
  await isClosed(idle);
  expect(await isServed(third)).toBe(true);
  expect([first.socket.destroyed, second.socket.destroyed]).toEqual([false, false]);
});

test('a connection whose request is under way stays, and a new one is closed when all are such', async () => {
  service = await startService({ connections: { connections: 2 } });
  const upload = `POST /v1/lists HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.account.apiKey}\r\n`;
  const body = '{"emails":["a@b.test"]}';
  const uploads = [await open(CUSTOMER), await open(CUSTOMER)] as const;
  for (const { socket } of uploads)
    socket.write(`${upload}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`);
  await until(() => uploads.every((one) => one.text().includes('100 Continue')));
  await isClosed(await open(STRANGER));
  for (const one of uploads) {
    one.socket.write(body);
    await until(() => one.text().includes('HTTP/1.1 201'));
  }
  // Its list is there; now it is the oldest without a request.
  expect(await isServed(await open(CUSTOMER))).toBe(true);
  await isClosed(uploads[0]);
});

test.each([
  false,
  true,
])('a client that sends a thousand requests at once gets the first answers, and a Connection: close with the last of them (TLS: %s)', async (isTls) => {
  service = await startService({ connections: { unanswered: 4 }, ...(isTls && { tls }) });
  let begun = 0;
  service.app.server.on('request', () => (begun += 1));
  const client = await open(STRANGER, isTls);
  client.socket.write(GET.repeat(1_000));
  await isClosed(client);
  const answers = client.text().split('HTTP/1.1 ').slice(1);
  expect(answers.map((answer) => answer.startsWith('200 ') && answer.endsWith(`"ok"}`))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(answers.map((answer) => /\r\nconnection: close\r\n/i.test(answer))).toEqual([
    false,
    false,
    false,
    true,
  ]);
  // None of the others was even begun.
  expect(begun).toBe(4);
});

test('a client that waits for each answer can send any number of requests on one connection', async () => {
  service = await startService({ connections: { unanswered: 2 } });
  const client = await open(CUSTOMER);
  for (let n = 0; n < 10; n++) expect(await isServed(client)).toBe(true);
  client.socket.write(GET);
  await until(() => client.text().split('"ok"').length === 12);
});

test('the last request that is taken has its body read', async () => {
  service = await startService({ connections: { unanswered: 2 } });
  const client = await open(CUSTOMER);
  const body = '{"emails":["a@b.test"]}';
  client.socket.write(
    `${GET}POST /v1/lists HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.account.apiKey}\r\nContent-Length: ${body.length}\r\n\r\n{`,
  );
  await until(() => client.text().includes('"ok"'));
  client.socket.write(body.slice(1) + GET);
  await isClosed(client);
  expect(client.text()).toContain('HTTP/1.1 201');
  expect(client.text().match(/HTTP\/1\.1 /g)).toHaveLength(2);
});
