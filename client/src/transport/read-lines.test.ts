// Lines of a service that misbehaves, on real sockets.
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { type FakeService, json, startFake } from '../../test/fake-service.ts';
import { ConnectionFailed, Forbidden, UnexpectedAnswer } from '../errors.ts';
import { MAX_LINE_CHARACTERS, readLines } from './read-lines.ts';
import { type AnswerInfo, type CallOptions, Transport } from './transport.ts';

let fake: FakeService;
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(async () => {
  vi.restoreAllMocks();
  await fake.close();
});

async function read(handle: Parameters<typeof startFake>[0], options: CallOptions = {}) {
  fake = await startFake(handle);
  const transport = new Transport({
    origin: fake.url,
    prefix: '/admin/v1',
    headers: () => ({}),
    session: false,
    fetch,
    maxRetries: 3,
    timeoutMs: 10_000,
    deadlineMs: 20_000,
    random: Math.random,
    onWarning: () => {},
  });
  return readLines(transport, { method: 'GET', path: '/lines' }, options);
}

const begin = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' });

test('each line is one value, wherever the bytes are cut', async () => {
  const bytes = Buffer.from('{"a":"ä\\n"}\n[1,2]\n"\u2028"\n');
  const lines = await read(async (response) => {
    begin(response);
    for (const byte of bytes) await new Promise((resolve) => response.write(Buffer.of(byte), resolve));
    response.end();
  });
  expect(await Array.fromAsync(lines)).toEqual([{ a: 'ä\n' }, [1, 2], '\u2028']);
  expect(fake.seen[0]).toMatchObject({
    path: '/admin/v1/lines',
    headers: { accept: 'application/x-ndjson' },
  });
});

test('of nothing there are no lines', async () => {
  expect(await Array.fromAsync(await read((response) => void begin(response).end()))).toEqual([]);
});

test('a line is yielded before the answer is over, and a reader that stops closes the connection', async () => {
  const lines = await read((response) => void begin(response).write('1\n2\n'));
  for await (const line of lines) {
    expect(line).toBe(1);
    break;
  }
  await until(() => fake.open === 0);
});

test('what refuses at first is asked again; what has begun is not', async () => {
  const told: AnswerInfo[] = [];
  const lines = await read(
    (response, _request, place) => {
      if (place === 0) return json(response, 503, { error: 'service unavailable' });
      if (place === 1) return json(response, 429, { error: 'rate limit exceeded' }, { 'retry-after': '0' });
      begin(response).write('1\n', () => response.destroy());
    },
    { onAnswer: (answer) => void told.push(answer) },
  );
  const seen: unknown[] = [];
  await expect(
    (async () => {
      for await (const line of lines) seen.push(line);
    })(),
  ).rejects.toBeInstanceOf(ConnectionFailed);
  expect(seen).toEqual([1]);
  expect(told.map(({ status }) => status)).toEqual([503, 429, 200]);
  expect(fake.seen).toHaveLength(3);
});

test('a refusal is the error that it is anywhere', async () => {
  const lines = await read((response) =>
    json(response, 403, { error: 'no' }, { 'mxproof-error': 'admin_scope' }),
  );
  const error = await lines.next().catch((each: unknown) => each);
  expect(error).toBeInstanceOf(Forbidden);
  expect(error).toMatchObject({ kind: 'admin_scope', attempts: 1 });
});

test.each([
  ['a line that is cut off', '{"a":1}\n{"a":'],
  ['a last line without its end', '1\n2'],
])('%s is an answer that broke off', async (_, text) => {
  const lines = await read((response) => void begin(response).end(text));
  await expect(Array.fromAsync(lines)).rejects.toBeInstanceOf(ConnectionFailed);
});

test.each([
  ['a line that is not JSON', '1\nnothing\n'],
  ['an empty line', '1\n\n2\n'],
  ['a line beyond the bound', `"${'x'.repeat(MAX_LINE_CHARACTERS)}"\n`],
])('%s is no answer of the service', async (_, text) => {
  const lines = await read((response) => void begin(response).end(text));
  await expect(Array.fromAsync(lines)).rejects.toBeInstanceOf(UnexpectedAnswer);
});

test('a line without end is left at the bound', async () => {
  let sent = 0;
  const lines = await read((response) => {
    begin(response);
    const piece = Buffer.alloc(64 * 1024, 'x');
    const more = (): void => {
      sent += piece.length;
      if (!response.destroyed && sent < 1024 ** 3) response.write(piece, more);
    };
    more();
  });
  await expect(lines.next()).rejects.toBeInstanceOf(UnexpectedAnswer);
  await until(() => fake.open === 0);
  expect(sent).toBeLessThan(100 * 1024 * 1024);
});

test('something else than lines says so', async () => {
  const lines = await read((response) => json(response, 200, { entries: [] }));
  await expect(lines.next()).rejects.toThrow(/is not JSON lines/);
});

test('an answer that goes silent is given up and closed, and so is one whose reader is called off', async () => {
  const silent = await read((response) => void begin(response).write('1\n'), { timeoutMs: 100 });
  expect(await silent.next()).toEqual({ done: false, value: 1 });
  await expect(silent.next()).rejects.toThrow(/silent for 100 ms/);
  await until(() => fake.open === 0);
  await fake.close();
  const controller = new AbortController();
  const left = await read((response) => void begin(response).write('1\n'), { signal: controller.signal });
  expect(await left.next()).toEqual({ done: false, value: 1 });
  const reason = new Error('the user left');
  const next = left.next();
  controller.abort(reason);
  await expect(next).rejects.toBe(reason);
  await until(() => fake.open === 0);
});
