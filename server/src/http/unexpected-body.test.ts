// The body of a DELETE: what a client adds by habit is taken for nothing, and what says something is refused, since it might
// be the undo.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CallOptions, startService, type TestService } from '../../test/http-service.ts';
import { accepted } from '../../test/verdicts.ts';

let service: TestService;
let testKey: string;
beforeAll(async () => {
  service = await startService({ bodyStallMs: 300 });
  const made = await service.call('POST', '/v1/keys', { body: { label: 'tests', test: true } });
  testKey = made.json.api_key;
});
afterAll(() => service.close());

async function finishedList(caller: CallOptions = {}): Promise<string> {
  const { id } = (await service.call('POST', '/v1/lists', { ...caller, body: { emails: ['a@b.test'] } }))
    .json;
  await service.find(id, { 0: accepted });
  return `/v1/lists/${id}`;
}
const isThere = async (path: string, caller: CallOptions = {}) =>
  (await service.call('GET', path, caller)).status === 200;

const SENTENCE = { error: 'a DELETE takes no body: send parameters in the URL' };

test.each([
  ['nothing', ''],
  ['a space', ' '],
  ['white space', '\r\n\t '],
  ['an empty object', '{}'],
  ['one with blanks', ' { \n } '],
  ['null', 'null'],
  ['an empty object behind a byte order mark', '\ufeff{}'],
  ['4 KiB of spaces', ' '.repeat(4096)],
])('a body of %s says nothing: the list is deleted', async (_, raw) => {
  const path = await finishedList();
  expect((await service.call('DELETE', path, { raw })).json).toEqual({ deleted: true });
  expect(await isThere(path)).toBe(false);
});

test.each([
  ['an undo', '{"undo":60}'],
  ['an undo of null', '{"undo":null}'],
  ['an undo as in a form', 'undo=60'],
  ['an empty array', '[]'],
  ['an empty string', '""'],
  ['a number', '0'],
  ['false', 'false'],
  ['half an object', '{'],
  ['two objects', '{}{}'],
  ['two nulls', 'nullnull'],
  ['a zero byte', '\0'],
  ['what is not UTF-8', Buffer.from([0xff])],
  ['a prototype', '{"__proto__":1}'],
  ['more than 4 KiB of spaces', ' '.repeat(4097)],
  ['a megabyte', `{"undo":60,"x":"${'x'.repeat(1_000_000)}"}`],
])('a body of %s is refused from everyone, and deletes nothing', async (_, raw) => {
  for (const caller of [{}, { key: testKey }]) {
    const path = await finishedList(caller);
    const answered = await service.call('DELETE', path, { ...caller, raw });
    expect(answered.status).toBe(400);
    expect(answered.json).toEqual(SENTENCE);
    expect(answered.headers['mxproof-error']).toBe('unexpected_body');
    expect(answered.headers['mxproof-error-detail']).toBe('known here: undo');
    expect(await isThere(path, caller)).toBe(true);
  }
});

test('with an undo in the URL too, a body that says something is refused', async () => {
  const path = await finishedList();
  expect((await service.call('DELETE', `${path}?undo=60`, { body: { undo: 30 } })).json).toEqual(SENTENCE);
  expect(await isThere(path)).toBe(true);
});

test('an encoded body says something that is not read', async () => {
  const path = await finishedList();
  const headers = { 'content-encoding': 'gzip' };
  expect((await service.call('DELETE', path, { raw: 'zip', headers })).json).toEqual(SENTENCE);
  expect(await isThere(path)).toBe(true);
  expect((await service.call('DELETE', path, { headers })).status).toBe(200);
});

test('a key is not deleted by a request with a body either', async () => {
  const { id } = (await service.call('POST', '/v1/keys', { body: { label: 'x' } })).json;
  const answered = await service.call('DELETE', `/v1/keys/${id}`, { body: { id: 7 } });
  expect(answered.json).toEqual(SENTENCE);
  expect(answered.headers['mxproof-error-detail']).toBe('no parameter is known here');
  expect((await service.call('DELETE', `/v1/keys/${id}`, { body: {} })).json).toEqual({ deleted: true });
});

/** Sends these bytes behind the head of a DELETE, and keeps the connection. Returns what came back. */
function send(path: string, headers: string, ...pieces: string[]) {
  const socket = connect(service.port, '127.0.0.1');
  let text = '';
  socket.on('data', (piece) => {
    text += piece.toString();
  });
  socket.on('error', () => {});
  const { apiKey } = service.account;
  socket.write(`DELETE ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n${headers}\r\n\r\n`);
  for (const piece of pieces) socket.write(piece);
  return { socket, answered: () => text };
}
const until = (answer: { answered(): string }, expected: RegExp) =>
  vi.waitFor(() => expect(answer.answered()).toMatch(expected), { timeout: 10_000 });

test('in chunks: nothing at all deletes, and a body that never ends is refused without waiting for its end', async () => {
  const gone = await finishedList();
  const empty = send(gone, 'Transfer-Encoding: chunked', '0\r\n\r\n');
  await until(empty, /^HTTP\/1\.1 200 .*\{"deleted":true\}/s);
  empty.socket.destroy();
  const path = await finishedList();
  const endless = send(path, 'Transfer-Encoding: chunked', `2000\r\n${' '.repeat(0x2000)}\r\n`);
  await until(endless, /^HTTP\/1\.1 400 .*takes no body/s);
  endless.socket.destroy();
  expect(await isThere(path)).toBe(true);
});

test('a body announced as a gigabyte is refused at once, without its sender being told to continue', async () => {
  const path = await finishedList();
  const answer = send(path, 'Content-Length: 1000000000\r\nExpect: 100-continue');
  await until(answer, /^HTTP\/1\.1 400 .*takes no body/s);
  answer.socket.destroy();
  expect(await isThere(path)).toBe(true);
});

test('a small body is waited for, and its sender told to continue', async () => {
  const path = await finishedList();
  const answer = send(path, 'Content-Length: 2\r\nExpect: 100-continue');
  await until(answer, /^HTTP\/1\.1 100 Continue/);
  answer.socket.write('{}');
  await until(answer, /\{"deleted":true\}$/);
  answer.socket.destroy();
});

test('a body that does not come ends the request with nothing deleted, and so does a client that leaves', async () => {
  const path = await finishedList();
  const slow = send(path, 'Content-Length: 2', '{');
  await until(slow, /^HTTP\/1\.1 408 .*request timeout/s);
  slow.socket.destroy();
  const leaving = send(path, 'Content-Length: 2', '{');
  leaving.socket.end();
  await once(leaving.socket, 'close');
  expect(await isThere(path)).toBe(true);
});
