import type { Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type EventReader, type ReaderOptions, readEvents } from '../../../test/event-reader.ts';
import { startService, type TestService } from '../../../test/http-service.ts';
import { until } from '../../../test/until.ts';
import { accepted } from '../../../test/verdicts.ts';
import { addKey } from '../../flow/add-key.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { revokeKey } from '../../store/keys.ts';

const unknown = { ...accepted, state: 'unknown', reason: 'no_connect', score: 0 } as const;

let service: TestService;
const readers: EventReader[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close();
  await service.close();
});

async function follow(listId: number, options: ReaderOptions & { key?: string } = {}): Promise<EventReader> {
  const { key = service.account.apiKey, ...rest } = options;
  const reader = await readEvents(service.port, `/v1/lists/${listId}/events`, key, rest);
  readers.push(reader);
  return reader;
}
async function submit(count = 4): Promise<{ id: number; path: string }> {
  const emails = Array.from({ length: count }, (_, n) => `a${n}@b.test`);
  const { json } = await service.call('POST', '/v1/lists', { body: { emails } });
  return { id: json.id, path: `/v1/lists/${json.id}` };
}
const summary = async ({ path }: { path: string }) => (await service.call('GET', path)).json;

test('a list’s progress is told at once, as it changes, and to the end', async () => {
  service = await startService();
  const list = await submit();
  const reader = await follow(list.id, { headers: { 'accept-encoding': 'gzip, br' } });
  expect(reader.status).toBe(200);
  expect(reader.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.any(String),
    ratelimit: expect.stringContaining('"requests"'),
  });
  expect(reader.headers['content-encoding']).toBeUndefined();
  await until(() => expect(reader.events).toHaveLength(1));
  expect(reader.events[0]).toEqual({ event: 'progress', id: 0, data: await summary(list) });

  await service.find(list.id, { 0: accepted });
  await until(() => expect(reader.events).toHaveLength(2));
  expect(reader.events[1]).toEqual({ event: 'progress', id: 2, data: await summary(list) });
  expect(reader.events[1]!.data).toMatchObject({ status: 'checking', checked: 1 });

  await service.call('PATCH', list.path, { body: { name: 'renamed' } });
  await until(() => expect(reader.events.at(-1)!.data.name).toBe('renamed'));

  await service.find(list.id, { 1: accepted, 2: unknown, 3: accepted });
  expect(await reader.ended).toBe('end');
  expect(reader.events.at(-1)).toEqual({ event: 'done', id: 6, data: await summary(list) });
  expect(reader.events.filter(({ event }) => event !== 'progress')).toHaveLength(1);
});

test('a list that is over tells its end and nothing else; to whom has seen it there is nothing to tell', async () => {
  service = await startService();
  const list = await submit(1);
  await service.find(list.id, { 0: accepted });
  const reader = await follow(list.id);
  expect(await reader.ended).toBe('end');
  expect(reader.events).toEqual([{ event: 'done', id: 3, data: await summary(list) }]);
  const seen = await service.call('GET', `${list.path}/events`, { headers: { 'last-event-id': '3' } });
  expect([seen.status, seen.text]).toEqual([204, '']);
  // An id from before the end is not the end; an id that the service never sent is ignored.
  for (const id of ['2', '03', '3, 3', '', 'x'.repeat(4_000)]) {
    const again = await follow(list.id, { headers: { 'last-event-id': id } });
    await again.ended;
    expect(again.events).toEqual(reader.events);
  }
});

test('a reader that comes back is not told again what it has seen, on whichever node', async () => {
  service = await startService();
  const list = await submit();
  await service.find(list.id, { 0: accepted });
  const before = await follow(list.id);
  await until(() => expect(before.events).toHaveLength(1));
  before.close();
  const back = await follow(list.id, { headers: { 'last-event-id': String(before.events[0]!.id) } });
  await until(() => expect(back.comments).toBe(1));
  await service.find(list.id, { 1: accepted });
  await until(() => expect(back.events.length).toBeGreaterThan(0));
  expect(back.events[0]).toMatchObject({ event: 'progress', id: 3, data: { checked: 2 } });
});

test('a cancelled list ends as failed, a deleted one without a word', async () => {
  service = await startService();
  const [one, other] = [await submit(), await submit()];
  const [cancelled, deleted] = [await follow(one.id), await follow(other.id)];
  await service.call('POST', `${one.path}/cancel`);
  await service.call('DELETE', other.path);
  expect([await cancelled.ended, await deleted.ended]).toEqual(['end', 'end']);
  expect(cancelled.events.at(-1)).toEqual({ event: 'failed', id: 2, data: await summary(one) });
  expect(deleted.events.map(({ event }) => event)).toEqual(['progress']);
});

test('however often a list changes, its readers are told at most twice a second', async () => {
  service = await startService();
  const list = await submit(250);
  const beganMs = performance.now();
  const reader = await follow(list.id);
  for (let n = 0; n < 250; n++) await service.find(list.id, { [n]: accepted });
  await reader.ended;
  const seconds = (performance.now() - beganMs) / 1000;
  expect(reader.events.length).toBeLessThanOrEqual(2 + 2 * seconds);
  expect(reader.events.at(-1)).toMatchObject({ event: 'done', data: { checked: 250 } });
  const ids = reader.events.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
});

test('a reader that does not read costs nothing while 10,000 changes happen, and then learns how it stands', async () => {
  service = await startService({ pollMs: 1 });
  const list = await submit(1);
  const sockets: Socket[] = [];
  service.app.server.on('connection', (socket) => sockets.push(socket));
  const slow = await follow(list.id, { isPaused: true });
  const quick = await follow(list.id);
  let mostBytes = 0;
  const sampling = setInterval(() => {
    mostBytes = Math.max(mostBytes, ...sockets.map((socket) => socket.writableLength));
  }, 1);
  await service.context.db.query(`DO $$ BEGIN
    PERFORM set_config('synchronous_commit', 'off', false);
    FOR n IN 1..10000 LOOP
      UPDATE mxproof.lists SET name_json = to_json(n || repeat('x', 190))::text WHERE id = ${list.id};
      COMMIT;
    END LOOP;
  END $$`);
  await service.find(list.id, { 0: accepted });
  expect(await quick.ended).toBe('end');
  clearInterval(sampling);
  expect(quick.events.length).toBeGreaterThan(10);
  slow.resume();
  expect(await slow.ended).toBe('end');
  expect(slow.events.at(-1)).toEqual(quick.events.at(-1));
  expect(mostBytes).toBeLessThan(256 * 1024);
});

test('HEAD answers the head alone and opens nothing', async () => {
  service = await startService();
  const list = await submit();
  for (let n = 0; n < 11; n++) {
    const head = await service.call('HEAD', `${list.path}/events`);
    expect([head.status, head.headers['content-type'], head.text]).toEqual([200, 'text/event-stream', '']);
  }
});

test('a key has ten open streams; the eleventh is refused at no cost, until one is closed', async () => {
  service = await startService({ limits: { rateRequests: 1_000 } });
  const list = await submit();
  const open = await Promise.all(Array.from({ length: 10 }, () => follow(list.id)));
  expect(open.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  const remaining = (headers: Record<string, unknown>) => /r=(\d+)/.exec(String(headers.ratelimit))?.[1];
  const before = remaining((await service.call('GET', list.path)).headers);
  const refused = await service.call('GET', `${list.path}/events`);
  expect([refused.status, refused.json]).toEqual([429, { error: 'too many open event streams' }]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(remaining((await service.call('GET', list.path)).headers))).toBe(Number(before) - 1);
  // Another key has streams of its own.
  const other = await service.open();
  const { json } = await service.call('POST', '/v1/lists', {
    key: other.apiKey,
    body: { emails: ['a@b.test'] },
  });
  expect((await follow(json.id, { key: other.apiKey })).status).toBe(200);

  open[0]!.close();
  await until(async () => expect((await follow(list.id)).status).toBe(200));
});

test('clients that go away leave nothing behind', async () => {
  service = await startService({ heartbeatMs: 20 });
  const list = await submit();
  for (let round = 0; round < 5; round++) {
    const open = await until(async () => {
      const tried = await Promise.all(Array.from({ length: 10 }, () => follow(list.id)));
      if (tried.every(({ status }) => status === 200)) return tried;
      for (const reader of tried) reader.close();
      return false as never;
    });
    for (const reader of open) reader.close();
  }
  await until(
    () =>
      new Promise<void>((resolve, reject) => {
        service.app.server.getConnections((_, count) =>
          count === 0 ? resolve() : reject(new Error(`${count}`)),
        );
      }),
  );
});

test('comment lines come all the time, and a key that is revoked ends its streams', async () => {
  service = await startService({ heartbeatMs: 20 });
  const list = await submit();
  const { db } = service.context;
  const [key] = await db.query<{ id: number }>('SELECT id FROM mxproof.api_keys');
  const reader = await follow(list.id);
  await until(() => expect(reader.comments).toBeGreaterThan(3));
  expect(reader.events).toHaveLength(1);
  await revokeKey(db, key!.id, null);
  expect(await reader.ended).toBe('end');
});

test('a database that breaks every connection does not end a stream', async () => {
  service = await startService({ heartbeatMs: 50 });
  const list = await submit();
  const reader = await follow(list.id);
  for (let n = 0; n < 3; n++)
    await service.context.db
      .query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      )
      .catch(() => {});
  await until(() => service.find(list.id, { 0: accepted, 1: accepted, 2: accepted, 3: accepted }));
  expect(await reader.ended).toBe('end');
  expect(reader.events.at(-1)).toMatchObject({ event: 'done', data: { checked: 4 } });
});

test('a service that closes ends its streams at once', async () => {
  service = await startService();
  const list = await submit();
  const open = await Promise.all(Array.from({ length: 10 }, () => follow(list.id)));
  const closed = service.app.close();
  expect(await Promise.all(open.map(({ ended }) => ended))).toEqual(open.map(() => 'end'));
  await closed;
});

test('an account has a hundred open streams, however many keys it has', async () => {
  service = await startService();
  const list = await submit();
  const { accountId } = service.account;
  const keys = await Promise.all(
    Array.from({ length: 11 }, () =>
      service.context.db.transaction((tx) =>
        addKey(tx, THE_SERVICE, { accountId, label: 'one more', manage: false }),
      ),
    ),
  );
  const open = await Promise.all(
    keys.slice(1).flatMap(({ apiKey }) => Array.from({ length: 10 }, () => follow(list.id, { key: apiKey }))),
  );
  expect(open.every(({ status }) => status === 200)).toBe(true);
  const refused = await service.call('GET', `${list.path}/events`, { key: keys[0]!.apiKey });
  expect([refused.status, refused.headers['mxproof-error']]).toEqual([429, 'too_many_streams']);
  open[0]!.close();
  await until(async () => expect((await follow(list.id, { key: keys[0]!.apiKey })).status).toBe(200));
});

test.each([
  ['a name that is not JSON', `name_json = '"not json'`],
  ['a time that no number holds', `created_at = 'infinity'`],
])('a list that cannot be read (%s) stops no stream of a neighbour', async (_, poison) => {
  service = await startService({ pollMs: 20 });
  const { apiKey: key } = await service.open();
  const emails = ['a@b.test', 'b@b.test', 'c@b.test'];
  const bad = await submit();
  const { json: good } = await service.call('POST', '/v1/lists', { body: { emails }, key });
  await follow(bad.id);
  const reader = await follow(good.id, { key });
  await service.context.db.query(`UPDATE mxproof.lists SET ${poison} WHERE id = $1`, [bad.id]);
  await service.find(good.id, { 0: accepted });
  await until(() => expect(reader.events.at(-1)!.data.checked).toBe(1));
  await service.find(good.id, { 1: accepted, 2: accepted });
  expect(await reader.ended).toBe('end');
  expect(reader.events.at(-1)).toMatchObject({ event: 'done', data: { checked: 3 } });
});
