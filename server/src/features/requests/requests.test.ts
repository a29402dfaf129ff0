import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { until } from '../../../test/until.ts';
import { addKey } from '../../flow/add-key.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import type { LoggedRequest } from './request-batch.ts';
import {
  insertRequests,
  MAX_KEPT,
  requestsOf,
  sweepExcessRequests,
  sweepOldRequests,
} from './stored-requests.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const idOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['x-request-id']);
const list = (key: string, query = '') => service.call('GET', `/v1/requests${query}`, { key });

/** As soon as it is written. */
async function find(key: string, id: string): Promise<Record<string, unknown>> {
  return until(async () => {
    const [found] = (await list(key, `?id=${id}`)).json.requests;
    expect(found).toBeDefined();
    return found;
  });
}

async function waitUntilWritten(key: string): Promise<void> {
  const last = await service.call('DELETE', '/v1/keys/999999', { key });
  await find(key, idOf(last));
}

test('what changes something is found by its X-Request-Id, with the pattern of its route and nothing that was sent', async () => {
  const { apiKey: key, accountId } = await service.open();
  const headers = { 'user-agent': 'shop/1.2 (+mailto:anna@example.com) ümlaut' };
  const made = await service.call('POST', '/v1/lists', {
    key,
    headers,
    body: { emails: ['ann@private.example'], name: 'secret name' },
  });
  expect(await find(key, idOf(made))).toEqual({
    id: idOf(made),
    at: expect.any(Number),
    method: 'POST',
    route: '/v1/lists',
    status: 201,
    error: null,
    duration_ms: expect.any(Number),
    key_id: expect.any(Number),
    client: 'shop/1.2 ([address]) ??mlaut',
  });
  const gone = await service.call('DELETE', `/v1/lists/${made.json.id}`, { key });
  const refused = await service.call('GET', '/v1/lists/424242/results?q=ann%40private.example', { key });
  const nowhere = await service.call('GET', '/v1/people/ann@private.example', { key });
  expect(await find(key, idOf(gone))).toMatchObject({
    method: 'DELETE',
    route: '/v1/lists/{id}',
    status: 200,
  });
  expect(await find(key, idOf(refused))).toMatchObject({
    route: '/v1/lists/{id}/results',
    status: 404,
    error: 'list_not_found',
    client: '',
  });
  expect(await find(key, idOf(nowhere))).toMatchObject({ route: null, status: 404, error: 'not_found' });
  const [kept] = await service.context.db.query<{ text: string }>(
    `SELECT string_agg(r::text, ' ') AS text FROM mxproof.requests r WHERE account_id = $1`,
    [accountId],
  );
  expect(kept!.text).not.toMatch(/private|secret|424242|anna@/);
});

test('what only reads, and what no key came with, is not in it', async () => {
  const { apiKey: key } = await service.open();
  await service.call('GET', '/v1/account', { key });
  await service.call('POST', '/v1/reply', { key, body: { text: '550 5.1.1 no such user' } });
  const unknown = await service.call('POST', '/v1/lists', { key: 'mx_live_nobody', body: {} });
  expect(unknown.status).toBe(401);
  await waitUntilWritten(key);
  expect((await list(key)).json.requests.map(({ route }: { route: string }) => route)).toEqual([
    '/v1/keys/{id}',
  ]);
});

test('it is read newest first, by page, by status and from a time on', async () => {
  const { apiKey: key, accountId } = await service.open();
  const nowMs = Date.now();
  const rows = [201, 404, 402, 404].map((status, at) =>
    row({ accountId, status, atMs: nowMs - at * 10_000 }),
  );
  await insertRequests(service.context.db, rows);
  const ids = async (query: string) =>
    (await list(key, query)).json.requests.map(({ id }: { id: string }) =>
      rows.findIndex((each) => each.id === id),
    );
  expect(await ids('')).toEqual([0, 1, 2, 3]);
  expect(await ids('?offset=1&limit=2')).toEqual([1, 2]);
  expect(await ids('?status=404')).toEqual([1, 3]);
  expect(await ids(`?since=${Math.floor(nowMs / 1000) - 15}`)).toEqual([0, 1]);
  expect(await ids(`?status=404&limit=1&offset=1`)).toEqual([3]);
  expect(await ids(`?id=${rows[2]!.id.toUpperCase()}`)).toEqual([2]);
  expect(await ids(`?id=${randomUUID()}`)).toEqual([]);
  expect(await ids('?since=99999999999999999999')).toEqual([]);
  expect(await ids('?offset=99999999999999999999')).toEqual([]);
});

test.each([
  ['id=1', 'bad_request_id', 'id must be a request id, as X-Request-Id gives it'],
  [`id=${randomUUID()}x`, 'bad_request_id', 'id must be a request id, as X-Request-Id gives it'],
  ['status=4xx', 'bad_http_status', 'status must be an HTTP status from 200 to 599'],
  ['status=99', 'bad_http_status', 'status must be an HTTP status from 200 to 599'],
  ['since=yesterday', 'bad_since', 'since must be a time in Unix seconds'],
  ['limit=0', 'bad_limit', 'limit must be a positive integer'],
])('%s is refused', async (query, code, error) => {
  const { status, headers, json } = await service.call('GET', `/v1/requests?${query}`);
  expect([status, headers['mxproof-error'], json]).toEqual([400, code, { error }]);
});

test('keys that may not manage do not read it; a test key sees the test side, a live key the live one', async () => {
  const { apiKey: key, accountId } = await service.open();
  const { db } = service.context;
  const { apiKey: plain } = await db.transaction((tx) =>
    addKey(tx, THE_SERVICE, { accountId, label: 'ci', test: false, manage: false }),
  );
  const refused = await list(plain);
  expect([refused.status, refused.headers['mxproof-error']]).toEqual([403, 'may_not_manage']);
  const { apiKey: testing } = await db.transaction((tx) =>
    addKey(tx, THE_SERVICE, { accountId, label: 'test', test: true, manage: true }),
  );
  const body = { emails: ['ann@example.com'] };
  const tried = await service.call('POST', '/v1/lists', { key: testing, body });
  expect(await find(testing, idOf(tried))).toMatchObject({ status: 201 });
  expect(await find(key, idOf(refused))).toMatchObject({ error: 'may_not_manage' });
  expect((await list(key, `?id=${idOf(tried)}`)).json.requests).toEqual([]);
  expect((await list(testing, `?id=${idOf(refused)}`)).json.requests).toEqual([]);
  expect((await list(service.account.apiKey, `?id=${idOf(tried)}`)).json.requests).toEqual([]);
});

test('429s are one row a key and minute, on however many nodes', async () => {
  const { accountId } = await service.open();
  const { db } = service.context;
  const { apiKey: key } = await db.transaction((tx) =>
    addKey(tx, THE_SERVICE, { accountId, label: 'eager', manage: false, rateRequests: 5 }),
  );
  const answers = await Promise.all(
    Array.from({ length: 70 }, () => service.call('GET', '/v1/account', { key })),
  );
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(50);
  const read = (status: number) =>
    requestsOf(db, { accountId, id: null, status, since: null, offset: 0, limit: 100 });
  await until(async () => expect((await read(429)).length).toBeGreaterThan(0));
  expect((await read(429)).length).toBeLessThanOrEqual(2);
  const limited = (keyId: number, atMs: number) => row({ accountId, keyId, atMs, status: 429 });
  const minute = Math.floor(Date.now() / 60_000) * 60_000 - 600_000;
  const before = (await read(429)).length;
  await insertRequests(db, [limited(-1, minute), limited(-2, minute), limited(-1, minute + 59_999)]);
  await insertRequests(db, [limited(-1, minute + 1), limited(-1, minute + 60_000)]);
  expect(await read(429)).toHaveLength(before + 3);
});

test('a batch that is written twice, since the answer was lost, is there once', async () => {
  const { accountId } = await service.open();
  const rows = [row({ accountId }), row({ accountId })];
  const { db } = service.context;
  await insertRequests(db, rows);
  await insertRequests(db, rows);
  expect(
    await requestsOf(db, { accountId, id: null, status: null, since: null, offset: 0, limit: 100 }),
  ).toHaveLength(2);
});

test('it goes back a week and ten thousand requests, and what is beyond is deleted', async () => {
  const { accountId } = await service.open();
  const { db } = service.context;
  const dayMs = 86_400_000;
  const nowMs = Date.now();
  const old = [
    row({ accountId, atMs: nowMs - 7 * dayMs - 60_000 }),
    row({ accountId, atMs: nowMs - 6 * dayMs }),
  ];
  await insertRequests(db, old);
  const kept = () =>
    requestsOf(db, { accountId, id: null, status: null, since: null, offset: 0, limit: MAX_KEPT + 10 });
  const stored = async () => {
    const [{ count } = { count: -1 }] = await db.query<{ count: number }>(
      'SELECT count(*) AS count FROM mxproof.requests WHERE account_id = $1',
      [accountId],
    );
    return count;
  };
  expect((await kept()).map(({ id }) => id)).toEqual([old[1]!.id]);
  await sweepOldRequests(db);
  expect(await stored()).toBe(1);
  for (let from = 0; from < MAX_KEPT; from += 1_000)
    await insertRequests(
      db,
      Array.from({ length: 1_000 }, (_, at) => row({ accountId, atMs: nowMs - from - at })),
    );
  expect(await stored()).toBe(MAX_KEPT + 1);
  expect(await kept()).toHaveLength(MAX_KEPT);
  await sweepExcessRequests(db);
  expect(await stored()).toBe(MAX_KEPT);
  expect((await kept()).map(({ id }) => id)).not.toContain(old[1]!.id);
});

test('a clock that is ahead keeps its rows no longer than others', async () => {
  const { accountId } = await service.open();
  const { db } = service.context;
  await insertRequests(db, [row({ accountId, atMs: Date.now() + 1e10 })]);
  const page = { accountId, id: null, status: null, since: null, offset: 0, limit: 1 };
  expect((await requestsOf(db, page))[0]!.atSeconds).toBeLessThanOrEqual(Date.now() / 1000 + 60);
});

test('what was answered last is written when the service stops', async () => {
  const other = await startService();
  try {
    const { headers } = await other.call('DELETE', '/v1/keys/999999');
    await other.app.close();
    const { accountId } = other.account;
    const page = { accountId, id: null, status: null, since: null, offset: 0, limit: 10 };
    expect((await requestsOf(other.context.db, page)).map(({ id }) => id)).toEqual([headers['x-request-id']]);
  } finally {
    await other.close();
  }
});

test('a log that cannot be written delays and fails no request, nor the stop', async () => {
  const other = await startService();
  try {
    await other.context.db.query('DROP TABLE mxproof.requests');
    expect((await other.call('DELETE', '/v1/keys/999999')).status).toBe(404);
    await until(() => expect(other.logged.join('')).toContain('"loop":"request log"'));
    expect((await other.call('GET', '/v1/account')).status).toBe(200);
  } finally {
    await other.close();
  }
});

function row(more: Partial<LoggedRequest>): LoggedRequest {
  return {
    id: randomUUID(),
    accountId: 0,
    atMs: Date.now(),
    method: 'POST',
    route: '/v1/lists',
    status: 201,
    error: null,
    durationMs: 3,
    keyId: null,
    client: '',
    ...more,
  };
}
