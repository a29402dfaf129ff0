import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../test/http-service.ts';
import { accepted } from '../../test/verdicts.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('the account shows its balance', async () => {
  const { status, json } = await service.call('GET', '/v1/account');
  expect({ status, json }).toEqual({
    status: 200,
    json: { name: 'tests', credits: 1_000_000, credits_used: 0, lists: 0 },
  });
});

test('a list is created, read, finished and deleted', async () => {
  const owner = await service.open({ credits: 10 });
  const as = { key: owner.apiKey };
  const made = await service.call('POST', '/v1/lists', {
    ...as,
    body: { emails: [' B@Example.com', 'a@example.com', '', 'b@example.com'], name: 'spring' },
  });
  expect(made.status).toBe(201);
  expect(made.json).toEqual({
    id: expect.any(Number),
    name: 'spring',
    status: 'processing',
    total: 2,
    duplicates_removed: 1,
    checked: 0,
    counts: { deliverable: 0, risky: 0, undeliverable: 0, unknown: 0 },
    created_at: expect.any(Number),
    finished_at: null,
  });
  const path = `/v1/lists/${made.json.id}`;
  expect(made.headers.location).toBe(path);
  expect((await service.call('GET', path, as)).json).toEqual(made.json);

  const pending = await service.call('GET', `${path}/results`, as);
  expect(pending.json.results).toEqual(
    ['b@example.com', 'a@example.com'].map((email) => ({
      email,
      state: 'pending',
      reason: '',
      score: 0,
      accept_all: false,
      role: false,
      free: false,
      disposable: false,
      mx: null,
      provider: '',
    })),
  );
  await service.find(made.json.id, {
    0: accepted,
    1: { ...accepted, state: 'unknown', reason: 'dns_error', score: 0, mx: null, provider: '' },
  });
  const done = await service.call('GET', path, as);
  expect(done.json).toMatchObject({ status: 'done', checked: 2, finished_at: expect.any(Number) });
  const csv = await service.call('GET', `${path}/results?format=csv`, as);
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(csv.headers['content-disposition']).toBe(`attachment; filename="list-${made.json.id}.csv"`);
  expect(csv.text).toBe(
    'email,state,reason,score,accept_all,role,free,disposable,mx,provider\r\n' +
      'b@example.com,deliverable,accepted_email,95,False,False,False,False,mx.example.com,other\r\n' +
      'a@example.com,unknown,dns_error,0,False,False,False,False,,\r\n',
  );
  expect((await service.call('GET', '/v1/account', as)).json).toMatchObject({ credits: 9, credits_used: 1 });
  expect((await service.call('DELETE', path, as)).json).toEqual({ deleted: true });
  expect((await service.call('GET', path, as)).json).toEqual({ error: 'list not found' });
  expect((await service.call('GET', '/v1/account', as)).json).toEqual({
    name: 'tests',
    credits: 9,
    credits_used: 1,
    lists: 0,
  });
});

test('a single check answers its row without provider, and says where it stays', async () => {
  const checked = await service.call('POST', '/v1/verify', { body: { email: ' Ann@Example.com ' } });
  expect(checked.status).toBe(200);
  expect(checked.json).toEqual({
    email: 'ann@example.com',
    state: 'deliverable',
    reason: 'accepted_email',
    score: 95,
    accept_all: false,
    role: false,
    free: false,
    disposable: false,
    mx: 'mx.example.com',
  });
  const where = checked.headers['content-location']!;
  expect(where).toMatch(/^\/v1\/lists\/\d+\/results$/);
  expect((await service.call('GET', where)).json.results[0]).toEqual({ ...checked.json, provider: 'other' });
});

test('lists are listed newest first, single checks only on request', async () => {
  const as = { key: (await service.open()).apiKey };
  const ids: number[] = [];
  for (const name of ['one', 'two'])
    ids.push(
      (await service.call('POST', '/v1/lists', { ...as, body: { emails: ['a@b.test'], name } })).json.id,
    );
  await service.call('POST', '/v1/verify', { ...as, body: { email: 'a@b.test' } });
  const names = async (query: string) =>
    (await service.call('GET', `/v1/lists${query}`, as)).json.lists.map(
      (list: { name: string }) => list.name,
    );
  expect(await names('')).toEqual(['two', 'one']);
  expect(await names('?single=true')).toEqual(['', 'two', 'one']);
  expect(await names('?offset=1&limit=1')).toEqual(['one']);
  expect(await names('?single=true&status=done')).toEqual(['']);
  expect(await names('?status=failed')).toEqual([]);
});

test('the document, its page, and the two health questions need no key', async () => {
  for (const path of ['/v1/openapi.json', '/docs', '/healthz', '/readyz'])
    expect((await service.call('GET', path, { key: null })).status).toBe(200);
});
