import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../test/http-service.ts';
import { lastJson, sendRaw } from '../../test/raw-socket.ts';

let service: TestService;
let auth: string;
beforeAll(async () => {
  service = await startService({ requestTimeoutMs: 400 });
  auth = `Host: x\r\nAuthorization: Bearer ${service.account.apiKey}\r\n`;
});
afterAll(() => service.close());

const LIST = '{"emails":["a@b.test"]}';
const CODES: Readonly<Record<string, string>> = {
  400: 'invalid_request',
  404: 'not_found',
  408: 'timed_out',
  431: 'headers_too_large',
};

test.each<[string, () => string, string, string]>([
  ['bytes that are not HTTP', () => '\x16\x03\x01hello\r\n\r\n', '400', 'bad request'],
  ['an unknown method', () => `FETCH /v1/account HTTP/1.1\r\n${auth}\r\n`, '400', 'bad request'],
  ['another protocol version', () => `GET /v1/account HTTP/9.9\r\n${auth}\r\n`, '400', 'bad request'],
  ['a header without a colon', () => `GET /v1/account HTTP/1.1\r\n${auth}oops\r\n\r\n`, '400', 'bad request'],
  [
    'two lengths',
    () => `POST /v1/lists HTTP/1.1\r\n${auth}Content-Length: 3\r\nContent-Length: 4\r\n\r\n`,
    '400',
    'bad request',
  ],
  [
    'a length beside chunks',
    () =>
      `POST /v1/lists HTTP/1.1\r\n${auth}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    '400',
    'bad request',
  ],
  [
    'a chunk size that is none',
    () => `POST /v1/lists HTTP/1.1\r\n${auth}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    '400',
    'bad request',
  ],
  [
    'no Host',
    () => `GET /v1/account HTTP/1.1\r\nAuthorization: Bearer x\r\nConnection: close\r\n\r\n`,
    '400',
    'bad request',
  ],
  [
    'headers without end',
    () => `GET /v1/account HTTP/1.1\r\n${auth}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    '431',
    'request header fields too large',
  ],
  [
    'a path without end',
    () => `GET /v1/${'x'.repeat(20_000)} HTTP/1.1\r\n${auth}\r\n`,
    '431',
    'request header fields too large',
  ],
  ['a tunnel', () => `CONNECT mail.example:25 HTTP/1.1\r\n${auth}\r\n`, '404', 'not found'],
  ['a head that never ends', () => 'GET /v1/account HTTP/1.1\r\nHost:', '408', 'request timeout'],
  [
    'a body that never ends',
    () => `POST /v1/lists HTTP/1.1\r\n${auth}Content-Length: 50\r\n\r\n{"emails":`,
    '408',
    'request timeout',
  ],
  [
    'chunks that never end',
    () => `POST /v1/lists HTTP/1.1\r\n${auth}Transfer-Encoding: chunked\r\n\r\n1\r\n[\r\n`,
    '408',
    'request timeout',
  ],
])('%s', async (_, bytes, status, error) => {
  const answered = await sendRaw(service.port, bytes());
  expect(answered.statuses).toEqual([status]);
  expect(lastJson(answered)).toEqual({ error });
  expect(answered.text).toMatch(/content-type: application\/json; charset=utf-8/i);
  expect(answered.text).toMatch(new RegExp(`\r\nmxproof-error: ${CODES[status]}\r\n`, 'i'));
});

test('pipelined requests are answered in their order, and what is wrong after them is told last', async () => {
  const post = `POST /v1/lists HTTP/1.1\r\n${auth}Content-Length: ${LIST.length}\r\n\r\n${LIST}`;
  const get = `GET /v1/account HTTP/1.1\r\n${auth}\r\n`;
  const answered = await sendRaw(service.port, `${post}${get}${post}nonsense\r\n\r\n`);
  expect(answered.statuses).toEqual(['201', '200', '201', '400']);
  expect(lastJson(answered)).toEqual({ error: 'bad request' });
});

test('the key is checked before the client is told to send its body', async () => {
  const head = (key: string) =>
    `POST /v1/lists HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\nContent-Length: ${LIST.length}\r\n\r\n`;
  const refused = await sendRaw(service.port, head('wrong'), (text) => text.includes('}'));
  expect(refused.statuses).toEqual(['401']);
  const continued = await sendRaw(service.port, head(service.account.apiKey), (text) => text.includes('100'));
  expect(continued.text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  const whole = await sendRaw(service.port, head(service.account.apiKey) + LIST, (text) =>
    text.includes('finished_at'),
  );
  expect(whole.statuses).toEqual(['100', '201']);
});

test('an unknown expectation is ignored', async () => {
  const request = `GET /v1/account HTTP/1.1\r\n${auth}Expect: tea\r\nConnection: close\r\n\r\n`;
  expect((await sendRaw(service.port, request)).statuses).toEqual(['200']);
});

test('a client that is refused before its body is read gets the refusal whole, and the connection ends', async () => {
  const sent = Buffer.alloc(8 * 1024 * 1024, ' ');
  for (const framing of [
    `Content-Length: ${sent.length}\r\n\r\n`,
    `Transfer-Encoding: chunked\r\n\r\n800000\r\n`,
  ]) {
    const head = `POST /v1/lists HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wrong\r\n${framing}`;
    const answered = await sendRaw(service.port, [
      head,
      sent,
      framing.startsWith('T') ? '\r\n0\r\n\r\n' : '',
    ]);
    expect(answered.statuses).toEqual(['401']);
    expect(lastJson(answered)).toEqual({ error: 'missing or invalid API key' });
    expect(answered.text).toMatch(/connection: close/i);
  }
});

test('a client that is refused and never sends its body is not waited for', async () => {
  const head = 'POST /v1/lists HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n';
  const answered = await sendRaw(service.port, head);
  expect(answered.statuses).toEqual(['401']);
});

test('a small refused body leaves the connection usable', async () => {
  const refused = `POST /v1/lists HTTP/1.1\r\nHost: x\r\nContent-Length: ${LIST.length}\r\n\r\n${LIST}`;
  const get = `GET /v1/account HTTP/1.1\r\n${auth}Connection: close\r\n\r\n`;
  expect((await sendRaw(service.port, refused + get)).statuses).toEqual(['401', '200']);
});

test('a client that goes away before its answer leaves its list, and the service, as they are', async () => {
  const { apiKey } = await service.open({ credits: 10 });
  const post = `POST /v1/lists HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Length: ${LIST.length}\r\n\r\n${LIST}`;
  for (let n = 0; n < 5; n++) {
    const socket = connect(service.port, '127.0.0.1').on('error', () => {});
    await new Promise((resolve) => socket.write(post, resolve));
    socket.destroy();
    await new Promise((resolve) => socket.on('close', resolve));
  }
  const { json } = await service.call('GET', '/v1/account', { key: apiKey });
  expect(json.credits + json.credits_used).toBe(10);
});

test('a body where none is expected is ignored', async () => {
  expect((await service.call('GET', '/v1/lists/999999', { raw: 'not JSON' })).status).toBe(404);
});

test('every answer names itself and asks not to be sniffed', async () => {
  const { headers } = await service.call('GET', '/v1/account', { headers: { 'x-request-id': 'mine' } });
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['access-control-allow-origin']).toBeUndefined();
});
