import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { accepted } from '../../../test/verdicts.ts';
import { type CallbackState, saveAttempt } from '../../store/callbacks.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const URL = 'https://example.com/hook';

async function openAccount() {
  const { apiKey } = await service.open();
  return ofKey(apiKey);
}

/** What the holder of a key does and sees. */
function ofKey(key: string) {
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { key, ...(body !== undefined && { body }) });
  return {
    call,
    makeList: async (name = '', callbackUrl: string | null = URL): Promise<number> => {
      const emails = ['a@example.com'];
      const body = { emails, name, ...(callbackUrl !== null && { callback_url: callbackUrl }) };
      return (await call('POST', '/v1/lists', body)).json.id;
    },
    callbacks: async (query = '') => (await call('GET', `/v1/callbacks${query}`)).json.callbacks,
    idsOf: async (query = '') =>
      (await call('GET', `/v1/callbacks${query}`)).json.callbacks.map(
        (one: { list_id: number }) => one.list_id,
      ),
  };
}

const finish = (listId: number) => service.find(listId, { 0: accepted });

async function attempt(listId: number, status: number | null, state: CallbackState): Promise<void> {
  const error = status === null ? 'ECONNREFUSED' : null;
  await saveAttempt(service.context.db, listId, {
    attempt: { atSeconds: 1_700_000_000, status, error, durationMs: 12 },
    state,
    nextAfterSeconds: state === 'pending' ? 30 : null,
  });
}

test('callbacks come newest list first, each with its last attempt, those of unfinished lists included', async () => {
  const { makeList, callbacks, call } = await openAccount();
  const delivered = await makeList('Spring');
  const retried = await makeList('Two \u0000 halves \ud800');
  const waiting = await makeList();
  await makeList('without', null);
  for (const id of [delivered, retried]) await finish(id);
  await attempt(delivered, 500, 'pending');
  await attempt(delivered, 204, 'delivered');
  await attempt(retried, null, 'pending');
  const made = { at: 1_700_000_000, status: 204, error: null, duration_ms: 12 };
  const found = await callbacks();
  expect(found).toEqual([
    {
      ...{ list_id: waiting, list_name: '', url: URL, state: 'pending' },
      ...{ attempt_count: 0, last_attempt: null, next_attempt_at: null },
    },
    {
      ...{
        list_id: retried,
        list_name: 'Two \u0000 halves \ud800',
        url: URL,
        state: 'pending',
        attempt_count: 1,
      },
      last_attempt: { ...made, status: null, error: 'ECONNREFUSED' },
      next_attempt_at: expect.any(Number),
    },
    {
      ...{ list_id: delivered, list_name: 'Spring', url: URL, state: 'delivered', attempt_count: 2 },
      ...{ last_attempt: made, next_attempt_at: null },
    },
  ]);
  // The same as at its list.
  for (const { list_id, attempt_count, last_attempt, state, next_attempt_at } of found) {
    const { json } = await call('GET', `/v1/lists/${list_id}/callback`);
    expect({ state, next_attempt_at }).toEqual({ state: json.state, next_attempt_at: json.next_attempt_at });
    expect(json.attempts).toHaveLength(attempt_count);
    expect(json.attempts.at(-1) ?? null).toEqual(last_attempt);
  }
});

test('pages begin and end where they say, across finished and unfinished lists', async () => {
  const { makeList, idsOf } = await openAccount();
  const ids: number[] = [];
  for (let n = 0; n < 5; n++) ids.unshift(await makeList());
  for (const id of [ids[1]!, ids[4]!]) await finish(id);
  expect(await idsOf()).toEqual(ids);
  expect(await idsOf('?limit=2')).toEqual(ids.slice(0, 2));
  expect(await idsOf('?offset=1&limit=3')).toEqual(ids.slice(1, 4));
  expect(await idsOf('?offset=4&limit=99999')).toEqual(ids.slice(4));
  expect(await idsOf('?offset=5')).toEqual([]);
});

test('a deleted list takes its callback with it, a cancelled one never has one', async () => {
  const { makeList, idsOf, call } = await openAccount();
  const [deleted, unfinished, cancelled, kept] = [
    await makeList(),
    await makeList(),
    await makeList(),
    await makeList(),
  ];
  await finish(deleted);
  await finish(kept);
  expect(await idsOf()).toEqual([kept, cancelled, unfinished, deleted]);
  await call('DELETE', `/v1/lists/${deleted}`);
  await call('DELETE', `/v1/lists/${unfinished}`);
  await call('POST', `/v1/lists/${cancelled}/cancel`);
  expect(await idsOf()).toEqual([kept]);
});

test('another account, and test mode, have callbacks of their own', async () => {
  const one = await openAccount();
  const other = await openAccount();
  const { json } = await one.call('POST', '/v1/keys', { label: 'tests', test: true });
  const inTest = ofKey(json.api_key);
  const live = await one.makeList();
  const test = await inTest.makeList();
  for (const id of [live, test]) {
    expect([await one.idsOf(), await inTest.idsOf(), await other.idsOf()]).toEqual([[live], [test], []]);
    await finish(id);
  }
  expect([await one.idsOf(), await inTest.idsOf(), await other.idsOf()]).toEqual([[live], [test], []]);
});

test('what is asked wrongly is refused', async () => {
  const error = async (query: string) => {
    const { status, json } = await service.call('GET', `/v1/callbacks?${query}`);
    return [status, json.error];
  };
  for (const offset of ['-1', '1.5', 'x', '', '1&offset=2'])
    expect(await error(`offset=${offset}`)).toEqual([400, 'offset must be a non-negative integer']);
  for (const limit of ['0', '-1', '1.5', 'x', ''])
    expect(await error(`limit=${limit}`)).toEqual([400, 'limit must be a positive integer']);
  expect((await service.call('GET', '/v1/callbacks', { key: null })).status).toBe(401);
});
