import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallOptions, startService, type TestService } from '../../../test/http-service.ts';
import { accepted } from '../../../test/verdicts.ts';
import { listsToRemove, removeDeletedLists } from '../../store/deleted-lists.ts';
import { verifyLedger } from '../../store/verify-ledger.ts';

const unknown = { ...accepted, state: 'unknown', reason: 'no_connect', score: 0 } as const;
const NOT_FOUND = [404, { error: 'list not found' }];
const DELETED = [200, { deleted: true }];

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  expect((await verifyLedger(service.context.db)).differences).toEqual([]);
  await service.close();
});

const statusAndJson = ({ status, json }: { status: number; json: unknown }) => [status, json];

/** An account of its own with a finished list of two addresses, one of them unknown. */
async function finishedList(more: object = {}) {
  const { apiKey } = await service.open({ credits: 10 });
  const call = (method: string, path: string, options: CallOptions = {}) =>
    service.call(method, path, { key: apiKey, ...options });
  const body = { emails: ['a@b.test', 'c@b.test'], name: 'spring', ...more };
  const { id } = (await call('POST', '/v1/lists', { body })).json;
  await service.find(id, { 0: accepted, 1: unknown });
  const path = `/v1/lists/${id}`;
  return { call, id: id as number, path, list: (await call('GET', path)).json };
}

/** Its undo ended a moment ago. */
const endUndo = (id: number) =>
  service.context.db.query(
    `UPDATE mxproof.lists SET remove_at = now() - interval '1 millisecond' WHERE id = $1`,
    [id],
  );

/** Every operation on one list in the document, but those that delete it and bring it back. */
function operationsOf(path: string): [method: string, path: string][] {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: Record<string, object> };
  return Object.entries(paths)
    .filter(([each]) => each.startsWith('/v1/lists/{id}') && !each.endsWith('/undelete'))
    .flatMap(([each, operations]) =>
      Object.keys(operations)
        .filter((method) => ['get', 'post', 'put', 'patch'].includes(method))
        .map((method): [string, string] => [
          method.toUpperCase(),
          each.replace('/v1/lists/{id}', path).replace('{position}', '0'),
        ]),
    );
}

test('a list deleted with an undo is found by nothing, until it is brought back as it was', async () => {
  const { call, path, list } = await finishedList({ callback_url: 'https://b.test/' });
  const account = (await call('GET', '/v1/account')).json;
  const results = (await call('GET', `${path}/results`)).json;
  const history = (await call('GET', '/v1/account/history')).json;
  const usage = (await call('GET', '/v1/account/usage?days=1')).json;
  const callbacks = (await call('GET', '/v1/callbacks')).json;
  expect(callbacks.callbacks).toHaveLength(1);

  expect(statusAndJson(await call('DELETE', `${path}?undo=3600`))).toEqual(DELETED);
  const operations = operationsOf(path);
  expect(operations.length).toBeGreaterThanOrEqual(10);
  for (const [method, of] of operations) {
    const answered = await call(method, of, method === 'PATCH' ? { body: { name: 'mine' } } : {});
    expect(statusAndJson(answered), `${method} ${of}`).toEqual(NOT_FOUND);
  }
  for (const again of ['', '?undo=60'])
    expect(statusAndJson(await call('DELETE', path + again))).toEqual(NOT_FOUND);
  expect((await call('GET', '/v1/lists?single=true')).json).toEqual({ lists: [] });
  expect((await call('GET', '/v1/callbacks')).json.callbacks).toEqual([]);
  // As after any deletion: one list less, the money where it was, and entries that no longer know a name.
  expect((await call('GET', '/v1/account')).json).toEqual({ ...account, lists: account.lists - 1 });
  expect((await call('GET', '/v1/account/usage?days=1')).json).toEqual(usage);
  const names = (page: { entries: { list_name: string | null }[] }) =>
    page.entries.map(({ list_name }) => list_name);
  expect(names((await call('GET', '/v1/account/history')).json)).toEqual([null, null, null]);

  expect(statusAndJson(await call('POST', `${path}/undelete`))).toEqual([200, list]);
  expect((await call('GET', '/v1/lists')).json).toEqual({ lists: [list] });
  expect((await call('GET', `${path}/results`)).json).toEqual(results);
  expect((await call('GET', '/v1/callbacks')).json).toEqual(callbacks);
  expect((await call('GET', '/v1/account')).json).toEqual(account);
  expect((await call('GET', '/v1/account/history')).json).toEqual(history);
});

test('a list that was not deleted is answered as one that is back', async () => {
  const { call, path, list } = await finishedList();
  expect(statusAndJson(await call('POST', `${path}/undelete`))).toEqual([200, list]);
  await call('DELETE', `${path}?undo=60`);
  for (let time = 0; time < 2; time++)
    expect(statusAndJson(await call('POST', `${path}/undelete`))).toEqual([200, list]);
  expect((await call('GET', '/v1/account')).json.lists).toBe(1);
});

test('an undo that is over brings nothing back, whether the data is still there or not', async () => {
  const { call, id, path } = await finishedList();
  await call('DELETE', `${path}?undo=60`);
  expect(await listsToRemove(service.context.db)).toEqual([]);
  await endUndo(id);
  expect(statusAndJson(await call('POST', `${path}/undelete`))).toEqual(NOT_FOUND);
  await removeDeletedLists(service.context.db, await listsToRemove(service.context.db));
  expect(statusAndJson(await call('POST', `${path}/undelete`))).toEqual(NOT_FOUND);
  for (const table of ['lists WHERE id', 'chunks WHERE list_id', 'evidence WHERE list_id'])
    expect(await service.context.db.query(`SELECT 1 FROM mxproof.${table} = $1`, [id])).toEqual([]);
  expect((await call('GET', '/v1/account')).json.lists).toBe(0);
});

test('a list deleted without an undo does not come back', async () => {
  const { call, path } = await finishedList();
  expect(statusAndJson(await call('DELETE', path))).toEqual(DELETED);
  expect(statusAndJson(await call('POST', `${path}/undelete`))).toEqual(NOT_FOUND);
});

test('an unfinished list is deleted at once or not at all', async () => {
  const { call } = await finishedList();
  const { id } = (await call('POST', '/v1/lists', { body: { emails: ['a@b.test'] } })).json;
  expect(statusAndJson(await call('DELETE', `/v1/lists/${id}?undo=60`))).toEqual([
    409,
    { error: 'list is not finished' },
  ]);
  expect((await call('GET', `/v1/lists/${id}`)).status).toBe(200);
  expect(statusAndJson(await call('DELETE', `/v1/lists/${id}`))).toEqual(DELETED);
});

test.each([
  'undo=0',
  'undo=3601',
  'undo=',
  'undo=-1',
  'undo=1.5',
  'undo=1e3',
  'undo=true',
  'undo=60&undo=60',
  'undo=60&undo=1',
  'undo=60&%75ndo=1',
  'undo',
  'undo=%20',
  'undo=60%00',
  'undo=60#later',
])('%s deletes nothing', async (query) => {
  const { call, path, list } = await finishedList();
  expect(statusAndJson(await call('DELETE', `${path}?${query}`))).toEqual([
    400,
    { error: 'undo must be an integer from 1 to 3600' },
  ]);
  expect((await call('GET', path)).json).toEqual(list);
});

test('only its own account brings a list back: neither another account, nor the same one’s test key', async () => {
  const { call, path, list } = await finishedList();
  const { api_key: testKey } = (await call('POST', '/v1/keys', { body: { label: 'test', test: true } })).json;
  for (const key of [service.account.apiKey, testKey])
    expect(statusAndJson(await service.call('DELETE', `${path}?undo=60`, { key }))).toEqual(NOT_FOUND);
  await call('DELETE', `${path}?undo=60`);
  for (const key of [service.account.apiKey, testKey])
    expect(statusAndJson(await service.call('POST', `${path}/undelete`, { key }))).toEqual(NOT_FOUND);
  expect(statusAndJson(await call('POST', `${path}/undelete`))).toEqual([200, list]);
});

test('a single check can be deleted with an undo too', async () => {
  const { call } = await finishedList();
  await call('POST', '/v1/verify', { body: { email: 'd@b.test' } });
  const [single] = (await call('GET', '/v1/lists?single=true')).json.lists;
  expect(statusAndJson(await call('DELETE', `/v1/lists/${single.id}?undo=1`))).toEqual(DELETED);
  expect((await call('GET', '/v1/lists?single=true')).json.lists).toHaveLength(1);
  expect(statusAndJson(await call('POST', `/v1/lists/${single.id}/undelete`))).toEqual([200, single]);
});

test.each(['', '0', '01', 'x', '9007199254740993'])('%j is no list to bring back', async (id) => {
  expect((await service.call('POST', `/v1/lists/${id}/undelete`)).status).toBe(404);
});
