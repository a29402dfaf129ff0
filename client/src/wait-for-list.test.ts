// Waiting for a list: by events of the real service, and past everything that can stand in their way.
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startService, type TestService } from '../../server/test/http-service.ts';
import { until } from '../../server/test/until.ts';
import { accepted } from '../../server/test/verdicts.ts';
import { type FakeService, json, type SeenRequest, startFake } from '../test/fake-service.ts';
import { ConnectionFailed, ListNotFound, type ListSummary, MXProof } from './index.ts';

const list = (checked: number, status: ListSummary['status'] = 'checking'): ListSummary => ({
  id: 7,
  name: '',
  status,
  total: 4,
  duplicates_removed: 0,
  checked,
  counts: { deliverable: checked, risky: 0, undeliverable: 0, unknown: 0 },
  created_at: 1,
  finished_at: status === 'checking' ? null : 2,
});
const stream = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });
const event = (name: string, id: number, data: unknown) =>
  `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;

let service: TestService;
let fake: FakeService | undefined;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(async () => {
  vi.restoreAllMocks();
  await fake?.close();
  fake = undefined;
});

async function against(
  handle: (response: ServerResponse, request: SeenRequest, place: number) => void,
): Promise<MXProof> {
  fake = await startFake(handle);
  return new MXProof({ apiKey: 'k', baseUrl: fake.url });
}

/** Waits for list 7 and keeps what was reported. */
async function follow(mx: MXProof, signal?: AbortSignal) {
  const reported: number[] = [];
  const ended = await mx.lists.wait(7, {
    onProgress: ({ checked }) => reported.push(checked),
    ...(signal && { signal }),
  });
  return { ended, reported };
}

test('a list is followed in a loop to its end, and leaving the loop ends the waiting', async () => {
  let closed = 0;
  const mx = await against((response, _request, place) => {
    response.on('close', () => {
      closed += 1;
    });
    stream(response).write(event('progress', 1, list(1)));
    if (place === 0) response.end(event('done', 2, list(4, 'done')));
  });
  const seen = await Array.fromAsync(mx.lists.follow(7));
  expect(seen.at(-1)).toMatchObject({ status: 'done', checked: 4 });
  expect(seen.map(({ checked }) => checked)).toEqual([...new Set(seen.map(({ checked }) => checked))]);
  closed = 0;
  for await (const { checked } of mx.lists.follow(7)) {
    expect(checked).toBe(1);
    break;
  }
  await until(() => closed === 1);
  const stopped = mx.lists.follow(7, { signal: AbortSignal.abort(new Error('enough')) });
  await expect(stopped.next()).rejects.toThrow('enough');
});

test('the real service’s events are followed to the end, without asking once', async () => {
  const seen: string[] = [];
  const mx = new MXProof({
    apiKey: service.account.apiKey,
    baseUrl: `http://127.0.0.1:${service.port}`,
    fetch: (url, init) => {
      seen.push(new URL(String(url)).pathname);
      return fetch(url, init);
    },
  });
  const { id } = await mx.lists.create({ emails: ['a@b.test', 'c@b.test', 'd@b.test'] });
  const reported: number[] = [];
  const ended = mx.lists.wait(id, {
    onProgress({ checked }) {
      reported.push(checked);
      if (checked === 0) void service.find(id, { 0: accepted });
      if (checked === 1) void service.find(id, { 1: accepted, 2: accepted });
    },
  });
  expect(await ended).toMatchObject({ status: 'done', checked: 3 });
  expect(reported).toEqual([0, 1, 3]);
  expect(seen).toEqual(['/v1/lists', `/v1/lists/${id}/events`]);
});

test('a stream that is cut is continued from its last event', async () => {
  const mx = await against((response, _request, place) => {
    stream(response);
    if (place === 0) response.write(event('progress', 1, list(1)), () => response.destroy());
    else response.end(event('progress', 2, list(2)) + event('done', 3, list(4, 'done')));
  });
  const { ended, reported } = await follow(mx);
  expect(ended).toEqual(list(4, 'done'));
  expect(reported).toEqual([1, 2, 4]);
  expect(fake!.seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1']);
});

test('what is reported never goes back, and the end is told once', async () => {
  const mx = await against((response) => {
    const pieces = [list(2), list(1), list(2), list(3)].map((each, at) => event('progress', at, each));
    stream(response).end(pieces.join('') + event('failed', 9, list(3, 'failed')));
  });
  const { ended, reported } = await follow(mx);
  expect(ended.status).toBe('failed');
  expect(reported).toEqual([2, 3, 3]);
});

test.each<[string, (response: ServerResponse) => void]>([
  ['a service without them', (response) => json(response, 404, { error: 'not found' })],
  [
    'too many streams',
    (response) => json(response, 429, { error: 'too many open event streams' }, { 'retry-after': '5' }),
  ],
  [
    'a proxy’s page',
    (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  ],
  ['nothing left to tell', (response) => void response.writeHead(204).end()],
  ['streams that are cut at once, again and again', (response) => void response.destroy()],
  ['an event that is not JSON', (response) => void stream(response).end('event: progress\ndata: {\n\n')],
  [
    'a line without end',
    (response) => {
      stream(response);
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(256 * 1024), more);
      };
      more();
    },
  ],
])('%s: the list is asked about instead', async (_name, events) => {
  const mx = await against((response, { path }) => {
    if (path.endsWith('/events')) return events(response);
    json(response, 200, list(4, 'done'));
  });
  const { ended, reported } = await follow(mx);
  expect(ended).toEqual(list(4, 'done'));
  expect(reported).toEqual([4]);
});

test('an outage in the middle is waited out; a service that was never there is told at once', async () => {
  let asked = 0;
  const mx = await against((response, { path }) => {
    if (path.endsWith('/events')) return json(response, 404, { error: 'not found' });
    asked += 1;
    if (asked === 1) return json(response, 200, list(1));
    if (asked < 10) return asked % 2 === 0 ? void response.destroy() : json(response, 503, { error: 'x' });
    json(response, 200, list(4, 'done'));
  });
  expect((await follow(mx)).reported).toEqual([1, 4]);
  // More than the attempts of one call.
  expect(asked).toBe(10);
  await fake!.close();
  const away = await against((response) => void response.destroy());
  await expect(follow(away)).rejects.toBeInstanceOf(ConnectionFailed);
});

test('a list that is deleted meanwhile is not found', async () => {
  const mx = await against((response, _request, place) => {
    if (place === 0) stream(response).end(event('progress', 1, list(1)));
    else json(response, 404, { error: 'list not found' }, { 'mxproof-error': 'list_not_found' });
  });
  await expect(follow(mx)).rejects.toBeInstanceOf(ListNotFound);
});

test('a signal ends the wait and closes the stream', async () => {
  const mx = await against((response) => void stream(response).write(event('progress', 1, list(1))));
  const controller = new AbortController();
  const waiting = follow(mx, controller.signal);
  await until(() => fake!.seen.length === 1);
  controller.abort('enough');
  await expect(waiting).rejects.toBe('enough');
  await until(() => fake!.open === 0);
});

test('a callback of the caller’s that throws ends the wait with what it threw', async () => {
  const mx = await against((response) => void stream(response).write(event('progress', 1, list(1))));
  const oops = new Error('of the caller');
  const waiting = mx.lists.wait(7, {
    onProgress() {
      throw oops;
    },
  });
  await expect(waiting).rejects.toBe(oops);
  await until(() => fake!.open === 0);
});
