import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CallOptions,
  startService,
  type TestResponse,
  type TestService,
} from '../../../test/http-service.ts';
import { accepted } from '../../../test/verdicts.ts';
import { addKey } from '../../flow/add-key.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { MAX_GROUP_LISTS } from '../../rules/list-group.ts';
import { SHOWN_RETRIES } from '../../store/list-groups.ts';
import { verifyLedger } from '../../store/verify-ledger.ts';

const unknown = { ...accepted, state: 'unknown', reason: 'no_connect', score: 0 } as const;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  expect((await verifyLedger(service.context.db)).differences).toEqual([]);
  await service.close();
});

const call = (method: string, path: string, options?: CallOptions) => service.call(method, path, options);
const statusAndJson = ({ status, json }: TestResponse) => [status, json];
const submit = async (body: object, options: CallOptions = {}) =>
  (await call('POST', '/v1/lists', { ...options, body: { emails: ['a@b.test'], ...body } })).json
    .id as number;
const idsAt = async (path: string): Promise<number[]> =>
  (await call('GET', path)).json.lists.map(({ id }: { id: number }) => id);

test('lists of a group are one, of those that exist', async () => {
  const emails = ['a@b.test', 'b@b.test', 'A@b.test'];
  const first = await submit({ name: 'people.csv (1 of 2)', group: 'file', emails });
  const second = await submit({ name: 'people.csv (2 of 2)', group: 'file' });
  await service.find(first, { 0: accepted, 1: unknown });
  const { json: running } = await call('GET', '/v1/groups/file');
  expect(running).toEqual({
    group: 'file',
    name: 'people.csv',
    lists: [first, second],
    status: 'checking',
    total: 3,
    duplicates_removed: 1,
    checked: 2,
    counts: { deliverable: 1, risky: 0, undeliverable: 0, unknown: 1 },
    created_at: expect.any(Number),
    finished_at: null,
  });
  await service.find(second, { 0: accepted });
  const { json: last } = await call('GET', `/v1/lists/${second}`);
  const done = { status: 'done', checked: 3, finished_at: last.finished_at };
  expect((await call('GET', '/v1/groups/file')).json).toMatchObject(done);

  await call('DELETE', `/v1/lists/${first}`);
  expect((await call('GET', '/v1/groups/file')).json).toMatchObject({
    lists: [second],
    name: 'people.csv',
    total: 1,
  });
  await call('DELETE', `/v1/lists/${second}`);
  expect(statusAndJson(await call('GET', '/v1/groups/file'))).toEqual([404, { error: 'group not found' }]);
});

test('a group that never was, or is of another account or mode, is not found', async () => {
  await submit({ group: 'mine' });
  const { accountId } = service.account;
  const { apiKey: testKey } = await service.context.db.transaction((tx) =>
    addKey(tx, THE_SERVICE, { accountId, label: '', manage: false, test: true }),
  );
  for (const key of [(await service.open()).apiKey, testKey]) {
    expect(statusAndJson(await call('GET', '/v1/groups/mine', { key }))).toEqual([
      404,
      { error: 'group not found' },
    ]);
    expect((await call('GET', '/v1/lists?group=mine', { key })).json.lists).toEqual([]);
    // The same word is another group.
    const id = await submit({ group: 'mine' }, { key });
    expect((await call('GET', '/v1/groups/mine', { key })).json.lists).toEqual([id]);
  }
  for (const group of ['none', 'a%20b', 'a%00', '%F0%9F%98%80', 'x'.repeat(65)])
    expect(statusAndJson(await call('GET', `/v1/groups/${group}`))).toEqual([
      404,
      { error: 'group not found' },
    ]);
});

test('lists are found by their group, beside the other filters', async () => {
  const [first, second] = [await submit({ group: 'found' }), await submit({ group: 'found' })];
  await submit({ group: 'Found' });
  await service.find(first, { 0: accepted });
  expect(await idsAt('/v1/lists?group=found')).toEqual([second, first]);
  expect(await idsAt('/v1/lists?group=found&status=done')).toEqual([first]);
  expect(await idsAt('/v1/lists?group=found&offset=1&limit=1')).toEqual([first]);
  expect(await idsAt('/v1/lists?group=nothing')).toEqual([]);
});

test('a list says which group it is of only if it is asked', async () => {
  const created = await call('POST', '/v1/lists', { body: { emails: ['a@b.test'], group: 'asked' } });
  const { text } = await call('GET', `/v1/lists/${created.json.id}`);
  expect(text).toBe(created.text);
  expect(text).toMatch(/"created_at":\d+,"finished_at":null\}$/);
  expect((await call('GET', '/v1/lists?limit=1')).text).toBe(`{"lists":[${text}]}`);
  const asked = `${text.slice(0, -1)},"group":"asked"}`;
  expect((await call('GET', `/v1/lists/${created.json.id}?include=group`)).text).toBe(asked);
  expect((await call('GET', '/v1/lists?limit=1&include=group')).text).toBe(`{"lists":[${asked}]}`);
  const alone = await submit({});
  expect((await call('GET', `/v1/lists/${alone}?include=group`)).json.group).toBeNull();
  expect((await call('GET', `/v1/lists/${alone}?include=name`)).status).toBe(400);
});

test.each([
  '',
  'a b',
  'ü',
  'x'.repeat(65),
  'a\n',
  7,
  null,
  ['a'],
])('a group of %j is refused', async (group) => {
  const refused = await call('POST', '/v1/lists', { body: { emails: ['a@b.test'], group } });
  expect(statusAndJson(refused)).toEqual([400, { error: 'group must be 1 to 64 of A-Z, a-z, 0-9, _ and -' }]);
});

test('a repeat in another group is another body', async () => {
  const headers = { 'idempotency-key': 'grouped' };
  const body = { emails: ['a@b.test'], group: 'one' };
  const first = await call('POST', '/v1/lists', { headers, body });
  expect((await call('POST', '/v1/lists', { headers, body })).text).toBe(first.text);
  for (const other of [{ ...body, group: 'two' }, { emails: body.emails }])
    expect((await call('POST', '/v1/lists', { headers, body: other })).status).toBe(422);
  expect(await idsAt('/v1/lists?group=one')).toEqual([first.json.id]);
});

test('a group is full at a thousand lists, also for concurrent requests; nothing is charged for one more', async () => {
  const { apiKey: key, accountId } = await service.open({ credits: 100 });
  const one = await submit({ group: 'full' }, { key });
  await service.context.db.query(
    `WITH made AS (
       INSERT INTO mxproof.lists (account_id, single, name_json, total, duplicates_removed, group_word, status, finished_at)
       SELECT account_id, false, '""', 1, 0, 'full', 'done', now() FROM mxproof.lists, generate_series(3, ${MAX_GROUP_LISTS})
       WHERE id = $1 RETURNING id)
     UPDATE mxproof.accounts SET lists = lists + (SELECT count(*) FROM made) WHERE id = $2`,
    [one, accountId],
  );
  const body = { emails: ['a@b.test', 'b@b.test'], group: 'full' };
  const submitFour = (headers = {}) =>
    Promise.all(Array.from({ length: 4 }, () => call('POST', '/v1/lists', { key, body, headers })));
  // Repeats of the one that takes the last place are told of it.
  const repeats = await submitFour({ 'idempotency-key': 'the last' });
  expect(repeats.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(statusAndJson((await submitFour())[0]!)).toEqual([409, { error: 'max 1000 lists per group' }]);
  await call('DELETE', `/v1/lists/${one}`, { key });
  expect((await submitFour()).map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  expect((await call('GET', '/v1/groups/full', { key })).json.lists).toHaveLength(MAX_GROUP_LISTS);
  expect((await call('GET', '/v1/account', { key })).json).toMatchObject({ credits: 96 });
  await service.context.db.query(
    `WITH gone AS (DELETE FROM mxproof.lists WHERE account_id = $1)
     UPDATE mxproof.accounts SET lists = 0 WHERE id = $1`,
    [accountId],
  );
});

const retry = async (id: number) => (await call('POST', `/v1/lists/${id}/retry`)).json.id as number;
const retriesOf = async (id: number) => (await call('GET', `/v1/lists/${id}/retries`)).json;

test('the retries of a list are known, those of its retries among them, and are of no group', async () => {
  const first = await submit({ group: 'retried', emails: ['a@b.test', 'b@b.test'] });
  await service.find(first, { 0: accepted, 1: unknown });
  expect(await retriesOf(first)).toEqual({ lists: [] });
  const second = await retry(first);
  await service.find(second, { 0: unknown });
  const third = await retry(second);
  await service.find(third, { 0: unknown });
  const fourth = await retry(first);
  expect(await retriesOf(first)).toEqual({ lists: [second, third, fourth] });
  expect(await retriesOf(second)).toEqual({ lists: [third, fourth] });
  expect(await retriesOf(fourth)).toEqual({ lists: [] });
  expect((await call('GET', '/v1/groups/retried')).json.lists).toEqual([first]);

  await call('DELETE', `/v1/lists/${second}`);
  expect(await retriesOf(first)).toEqual({ lists: [third, fourth] });
  await call('DELETE', `/v1/lists/${first}`);
  expect(statusAndJson(await call('GET', `/v1/lists/${first}/retries`))).toEqual([
    404,
    { error: 'list not found' },
  ]);
  const { apiKey: key } = await service.open();
  expect((await call('GET', `/v1/lists/${third}/retries`, { key })).status).toBe(404);
});

test('what is deleted with an undo is in no group and no retry, and is again when it is brought back', async () => {
  const first = await submit({ group: 'undone' });
  const second = await submit({ group: 'undone' });
  await service.find(first, { 0: unknown });
  await service.find(second, { 0: accepted });
  const again = await retry(first);
  await service.find(again, { 0: accepted });
  for (const id of [second, again]) await call('DELETE', `/v1/lists/${id}?undo=60`);
  expect((await call('GET', '/v1/groups/undone')).json.lists).toEqual([first]);
  expect(await idsAt('/v1/lists?group=undone')).toEqual([first]);
  expect(await retriesOf(first)).toEqual({ lists: [] });
  for (const id of [second, again]) await call('POST', `/v1/lists/${id}/undelete`);
  expect((await call('GET', '/v1/groups/undone')).json.lists).toEqual([first, second]);
  expect(await retriesOf(first)).toEqual({ lists: [again] });
});

test('of too many retries the newest are told', async () => {
  const first = await submit({});
  await service.context.db.query(
    `INSERT INTO mxproof.lists (account_id, single, name_json, total, duplicates_removed, retry_of)
     SELECT account_id, false, '""', 1, 0, id FROM mxproof.lists, generate_series(0, ${SHOWN_RETRIES}) WHERE id = $1`,
    [first],
  );
  const { lists } = await retriesOf(first);
  expect(lists).toEqual(Array.from({ length: SHOWN_RETRIES }, (_, n) => first + 2 + n));
  await service.context.db.query('DELETE FROM mxproof.lists WHERE retry_of = $1', [first]);
});
