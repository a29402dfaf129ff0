import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { lastJson, sendRaw } from '../../../test/raw-socket.ts';

let service: TestService;
let auth: string;
beforeAll(async () => {
  service = await startService({ bodyBytesInFlight: 70 * 1024 * 1024 });
  auth = `Host: x\r\nAuthorization: Bearer ${service.account.apiKey}\r\n`;
});
afterAll(() => service.close());

const MIB = 1024 * 1024;
const submit = (raw: string | Buffer, headers: Record<string, string> = {}) =>
  service.call('POST', '/v1/lists', { raw, headers });
const verify = (raw: string | Buffer) => service.call('POST', '/v1/verify', { raw });

test.each<[string, string | Buffer]>([
  ['nothing', ''],
  ['a brace', '{'],
  ['a word', 'emails'],
  ['form fields', 'emails=a@b.test'],
  ['two values', '{"emails":["a@b.test"]}{}'],
  ['a trailing comma', '{"emails":["a@b.test"],}'],
  ['a raw NUL', '{"emails":["a\u0000@b.test"]}'],
  ['broken UTF-8', Buffer.from([...Buffer.from('{"emails":["a@b.test'), 0xff, 0x22, 0x5d, 0x7d])],
  ['a surrogate in UTF-8', Buffer.from('7b22656d61696c73223a5b22eda080225d7d', 'hex')],
  ['UTF-16', Buffer.from('{"emails":["a@b.test"]}', 'utf16le')],
  ['10,000 brackets that never close', '['.repeat(10_000)],
  ['10,000 braces that never close', '{"a":'.repeat(10_000)],
])('%s is not JSON', async (_, raw) => {
  for (const answered of [await submit(raw), await verify(raw)])
    expect({ status: answered.status, json: answered.json }).toEqual({
      status: 400,
      json: { error: 'invalid JSON' },
    });
});

test('10,000 nested arrays are JSON, and no list of addresses', async () => {
  const nested = '['.repeat(10_000) + ']'.repeat(10_000);
  expect((await submit(nested)).json).toEqual({ error: 'emails required' });
  expect((await submit(`{"emails":${nested}}`)).json).toEqual({
    error: 'emails must be an array of strings',
  });
  expect((await submit(`{"emails":["a@b.test"],"more":${nested}}`)).status).toBe(201);
});

test('of a repeated key the last one counts', async () => {
  const { json } = await submit(
    '{"emails":["a@b.test"],"emails":["c@d.test","e@f.test"],"name":1,"name":"n"}',
  );
  expect(json).toMatchObject({ total: 2, name: 'n' });
});

test('__proto__ and constructor are fields like any other', async () => {
  expect((await submit('{"__proto__":{"emails":["a@b.test"]}}')).json).toEqual({ error: 'emails required' });
  expect((await verify('{"__proto__":{"email":"a@b.test"}}')).json).toEqual({ error: 'email required' });
  expect((await submit('{"emails":["a@b.test"],"__proto__":{"name":7},"constructor":1}')).json).toMatchObject(
    {
      total: 1,
      name: '',
    },
  );
  expect(({} as Record<string, unknown>).name).toBeUndefined();
});

test('a byte order mark is forgiven', async () => {
  expect((await submit(Buffer.from('\ufeff{"emails":["a@b.test"]}'))).status).toBe(201);
});

test.each([
  'application/json; charset=utf-8',
  'application/vnd.api+json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'nonsense',
  '///',
  '',
])('the content type %j does not matter', async (type) => {
  expect((await submit('{"emails":["a@b.test"]}', { 'content-type': type })).status).toBe(201);
});

test('a missing content type does not matter', async () => {
  const body = '{"emails":["a@b.test"]}';
  const head = `POST /v1/lists HTTP/1.1\r\n${auth}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
  expect((await sendRaw(service.port, head + body)).statuses).toEqual(['201']);
});

test.each(['gzip', 'br', 'deflate, gzip'])('the content encoding %s is refused', async (encoding) => {
  const answered = await submit('{"emails":["a@b.test"]}', { 'content-encoding': encoding });
  expect({ status: answered.status, json: answered.json }).toEqual({
    status: 415,
    json: { error: 'content encoding not supported' },
  });
});

test('NUL and lone surrogates come back as they were sent', async () => {
  const emails = [
    'nul\u0000@b.test',
    '\ud800@b.test',
    'ok\udc00\ud800@b.test',
    'quote"\\@b.test',
    'line\nbreak@b.test',
  ];
  const { json } = await service.call('POST', '/v1/lists', { body: { emails, name: '\ud800\u0000' } });
  expect(json.name).toBe('\ud800\u0000');
  const results = await service.call('GET', `/v1/lists/${json.id}/results`);
  expect(results.json.results.map(({ email }: { email: string }) => email)).toEqual(emails);
  expect(results.text).toContain('\\ud800');
  const csv = await service.call('GET', `/v1/lists/${json.id}/results?format=csv`);
  const rows = csv.text.split('\r\n').slice(1, -1);
  expect(rows.map((row) => row.replace(/,pending.*/, ''))).toEqual([
    'nul\u0000@b.test',
    '\ufffd@b.test',
    'ok\ufffd\ufffd@b.test',
    '"quote""\\@b.test"',
    '"line\nbreak@b.test"',
  ]);
});

const many = (count: number, length = 0) =>
  Array.from({ length: count }, (_, n) => `${String(n).padStart(length, 'x')}@example.com`);

test('100,000 addresses are a list, in their order, read in any page', async () => {
  const emails = many(100_000);
  const { status, json } = await service.call('POST', '/v1/lists', {
    body: { emails: [...emails, ...emails] },
  });
  expect(status).toBe(201);
  expect(json).toMatchObject({ total: 100_000, duplicates_removed: 100_000 });
  for (const [query, from, to] of [
    ['', 0, 1_000],
    ['?limit=20000', 0, 10_000],
    ['?offset=99990&limit=100', 99_990, 100_000],
    ['?offset=249&limit=2', 249, 251],
    ['?offset=12345&limit=777', 12_345, 13_122],
    ['?offset=100000', 0, 0],
    [`?offset=${'9'.repeat(40)}&limit=${'9'.repeat(40)}`, 0, 0],
  ] as const) {
    const page = await service.call('GET', `/v1/lists/${json.id}/results${query}`);
    expect(page.json.results.map(({ email }: { email: string }) => email)).toEqual(emails.slice(from, to));
    const csv = await service.call(
      'GET',
      `/v1/lists/${json.id}/results${query}${query ? '&' : '?'}format=csv`,
    );
    expect(csv.text.split('\r\n')).toHaveLength(to - from + 2);
  }
  const head = await service.call('HEAD', `/v1/lists/${json.id}/results?limit=10000`);
  expect([head.status, head.text]).toEqual([200, '']);
});

test('long addresses make a list of several pieces, complete and in order', async () => {
  const emails = many(30_000, 900);
  const { json } = await service.call('POST', '/v1/lists', { body: { emails } });
  const sizes = await service.context.db.query<{ n: number; size: number }>(
    'SELECT n, size FROM mxproof.chunks WHERE list_id = $1 ORDER BY n',
    [json.id],
  );
  expect(sizes).toEqual(Array.from({ length: 120 }, (_, n) => ({ n, size: 250 })));
  const page = await service.call('GET', `/v1/lists/${json.id}/results?offset=25000&limit=3`);
  expect(page.json.results.map(({ email }: { email: string }) => email)).toEqual(
    emails.slice(25_000, 25_003),
  );
});

test('100,001 addresses are refused as too many, also when each is long', async () => {
  for (const emails of [many(100_001), many(100_001, 600)]) {
    const answered = await service.call('POST', '/v1/lists', { body: { emails } });
    expect({ status: answered.status, json: answered.json }).toEqual({
      status: 400,
      json: { error: 'max 100000 addresses per list' },
    });
  }
});

test('a large body is refused for the same reasons as a small one', async () => {
  const padding = `"padding":"${'x'.repeat(MIB)}"`;
  expect((await submit(`{${padding}}`)).json).toEqual({ error: 'emails required' });
  expect((await verify(`{${padding}}`)).json).toEqual({ error: 'email required' });
  expect((await submit(`{${padding}`)).json).toEqual({ error: 'invalid JSON' });
  expect((await submit(`{${padding},"emails":["A@b.test"],"callback_url":"http://b"}`)).json).toEqual({
    error: 'callback_url must be https',
  });
  expect((await submit(`{${padding},"emails":["A@b.test"],"name":"n"}`)).json).toMatchObject({
    total: 1,
    name: 'n',
  });
  expect((await verify(`{${padding},"email":"A@b.test"}`)).json).toMatchObject({ email: 'a@b.test' });
});

test('JSON that would swell in memory is refused as too large', async () => {
  for (const shape of ['[],', '{},', '0,'])
    expect((await submit(`{"emails":[${shape.repeat((40 * MIB) / shape.length)}0]}`)).status).toBe(413);
});

test('the largest list there is, 64 MiB of long addresses in two bytes a letter, fits into its thread', async () => {
  const emails = Array.from({ length: 66_000 }, (_, n) => `Ж${n}@`.padEnd(1_000, 'x'));
  const { status, json } = await service.call('POST', '/v1/lists', { body: { emails } });
  expect([status, json.total]).toEqual([201, 66_000]);
});

test('an object with 100,001 names is refused as too large', async () => {
  const names = Array.from({ length: 100_001 }, (_, n) => `"${n}":0`).join(',');
  expect((await submit(`{"emails":["a@b.test"],"x":{${names}}}`)).status).toBe(413);
});

test('64 MiB are read, one byte more is not', async () => {
  const frame = '{"emails":["a@b.test"],"x":""}';
  const exactly = Buffer.alloc(64 * MIB, 'x');
  exactly.write(frame.slice(0, -2));
  exactly.write('"}', exactly.length - 2);
  expect((await submit(exactly)).status).toBe(201);
  const over = await submit(Buffer.concat([exactly, Buffer.from(' ')]));
  expect({ status: over.status, json: over.json }).toEqual({
    status: 413,
    json: { error: 'request body too large' },
  });
});

test('a chunked body is stopped where it becomes too large', async () => {
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(MIB, ' '), Buffer.from('\r\n')]);
  const answered = await sendRaw(
    service.port,
    [
      `POST /v1/lists HTTP/1.1\r\n${auth}Transfer-Encoding: chunked\r\n\r\n`,
      ...Array.from({ length: 66 }, () => chunk),
    ],
    (text) => text.includes('too large'),
  );
  expect(answered.statuses).toEqual(['413']);
  expect(lastJson(answered)).toEqual({ error: 'request body too large' });
});

test('bodies in flight are bounded: one too many is told to come back', async () => {
  const half = `POST /v1/lists HTTP/1.1\r\n${auth}Content-Length: ${60 * MIB}\r\n\r\n`;
  let stop = false;
  const holding = sendRaw(service.port, [half, Buffer.alloc(30 * MIB, ' ')], () => stop);
  const ask = () =>
    sendRaw(service.port, half.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'), (text) =>
      /^HTTP.1.1 (100|503)/.test(text),
    );
  let refused = await ask();
  for (let n = 0; n < 200 && refused.statuses[0] === '100'; n++) refused = await ask();
  expect(refused.text).toContain('HTTP/1.1 503');
  expect(refused.text).toMatch(/retry-after: [1-9]/i);
  expect(lastJson(refused)).toEqual({ error: 'service unavailable' });
  // A small one still fits.
  expect((await submit('{"emails":["a@b.test"]}')).status).toBe(201);
  stop = true;
  service.app.server.closeAllConnections();
  await holding;
  expect((await submit(Buffer.alloc(60 * MIB, ' '))).json).toEqual({ error: 'invalid JSON' });
});
