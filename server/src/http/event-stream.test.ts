// The writer of event streams alone: real sockets, sources of the test's own.
import type { AddressInfo, Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { type EventReader, type ReaderOptions, readEvents } from '../../test/event-reader.ts';
import { until } from '../../test/until.ts';
import type { Caller } from './admit.ts';
import { createEventStreams, type EventSource } from './event-stream.ts';

const LARGE_BYTES = 64 * 1024;
/** Of a request; unset, the first key of the first account. */
const CALLER = 'x-caller';

let app: FastifyInstance;
let reader: EventReader | undefined;
afterEach(async () => {
  reader?.close();
  await app.close();
});

async function serve(source: EventSource, gate = { isValid: async () => true, giveBack() {} }) {
  app = Fastify();
  const streams = createEventStreams(gate, 10);
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => {
    const [accountId, keyId] = String(request.headers[CALLER] ?? '1 1')
      .split(' ')
      .map(Number);
    request.caller = { accountId, keyId } as Caller;
  });
  app.get('/', async (request, reply) => streams.open(request, reply, source));
  app.addHook('preClose', async () => streams.close());
  const sockets: Socket[] = [];
  app.server.on('connection', (socket) => sockets.push(socket));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const open = async (options: ReaderOptions = {}) => {
    reader = await readEvents(port, '/', 'key', options);
    return reader;
  };
  return { open, sockets };
}

test('nothing is asked of the source while the reader does not read, and then the state of that moment', async () => {
  let asked = 0;
  let state = 0;
  const data = () => JSON.stringify({ state, more: 'x'.repeat(LARGE_BYTES) });
  const { open, sockets } = await serve(async function* (signal) {
    while (!signal.aborted) yield { event: 'state', id: ++asked, data: data() };
  });
  const slow = await open({ isPaused: true });
  let before = -1;
  // What the kernel takes is not ours; when it takes no more, nothing more is asked for.
  await until(async () => {
    const isStill = asked === before;
    before = asked;
    await new Promise((resolve) => setTimeout(resolve, 50));
    return isStill && asked === before;
  });
  expect(sockets[0]!.writableLength).toBeLessThan(4 * LARGE_BYTES);
  state = 10_000;
  slow.resume();
  const first = await until(() => slow.events.find((each) => each.data.state === 10_000) ?? (false as never));
  // Those asked for before were in the kernel's hands, one in the stream's and one in the connection's.
  expect(first.id).toBeLessThanOrEqual(before + 1);
  slow.close();
  await until(() => sockets[0]!.destroyed);
});

test('a reader that does not read keeps no service from closing', async () => {
  const { open, sockets } = await serve(async function* (signal) {
    while (!signal.aborted) yield { event: 'state', id: 1, data: JSON.stringify('x'.repeat(LARGE_BYTES)) };
  });
  const slow = await open({ isPaused: true });
  await until(() => sockets[0]!.writableLength > 0);
  await app.close();
  slow.resume();
  expect(await slow.ended).toBe('broken');
});

test('a source that ends, throws, or whose reader leaves is done with', async () => {
  const over: string[] = [];
  let end = () => {};
  const { open } = await serve(async function* (signal) {
    try {
      yield 'open';
      await new Promise<void>((resolve) => {
        end = resolve;
        signal.addEventListener('abort', () => resolve());
      });
      if (!signal.aborted) throw new Error('a defect');
    } finally {
      over.push(signal.aborted ? 'left' : 'ended');
    }
  });
  const broken = await open();
  await until(() => expect(broken.comments).toBeGreaterThan(0));
  end();
  expect(await broken.ended).toBe('broken');
  const leaving = await open();
  await until(() => expect(leaving.comments).toBeGreaterThan(0));
  leaving.close();
  await until(() => expect(over).toEqual(['ended', 'left']));
  const closing = await open();
  const closed = app.close();
  expect(await closing.ended).toBe('end');
  await closed;
  expect(over).toEqual(['ended', 'left', 'left']);
});

test('a key whose validity cannot be asked about is believed', async () => {
  const asks = [true, 'away', 'away', 'away', false];
  let asked = 0;
  const gate = {
    giveBack() {},
    async isValid() {
      const now = asks[Math.min(asked++, asks.length - 1)]!;
      if (now === 'away') throw new Error('the database is away');
      return now as boolean;
    },
  };
  const { open } = await serve(async function* (signal) {
    yield 'open';
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  }, gate);
  expect(await (await open()).ended).toBe('end');
  expect(asked).toBeGreaterThanOrEqual(asks.length);
});

test('a key is looked at more often than a reader is told that the stream lives', async () => {
  let looks = 0;
  const gate = { giveBack() {}, isValid: async () => ++looks === 1 };
  const { open } = await serve(async function* (signal) {
    yield 'open';
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  }, gate);
  const revoked = await open();
  expect(await revoked.ended).toBe('end');
  // The one with which it opened.
  expect(revoked.comments).toBe(1);
});

test('an account has a hundred open streams, whatever keys and sessions it opens them with', async () => {
  const { open } = await serve(async function* (signal) {
    yield 'open';
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  });
  const openAs = (caller: string) => open({ headers: { [CALLER]: caller } });
  const readers: EventReader[] = [];
  for (let n = 0; n < 100; n++) readers.push(await openAs(`1 ${Math.floor(n / 10) - 5}`));
  expect(readers.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200));
  const refused = await openAs('1 77');
  expect([refused.status, refused.headers['mxproof-error']]).toEqual([429, 'too_many_streams']);
  const other = await openAs('2 78');
  expect(other.status).toBe(200);
  readers[0]!.close();
  await until(async () => {
    const again = await openAs('1 77');
    readers.push(again);
    return again.status === 200;
  });
  for (const each of [...readers, other]) each.close();
});
