// What keys may do, held against every route that there is.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../test/http-service.ts';
import { printedRoutes } from '../../test/printed-routes.ts';
import { until } from '../../test/until.ts';
import { verdictOf } from '../../test/verdicts.ts';
import { KEY_ACCESS, type KeyAccess } from '../rules/key-access.ts';
import { createHttp, type HttpOptions } from './create-http.ts';

let service: TestService;
const keys = new Map<KeyAccess, string>();

beforeAll(async () => {
  service = await startService();
  for (const access of KEY_ACCESS) keys.set(access, await makeKey({ access }));
});
afterAll(() => service.close());

async function makeKey(more: object): Promise<string> {
  const made = await service.call('POST', '/v1/keys', { body: { label: 'web', ...more } });
  expect(made.status).toBe(201);
  return made.json.api_key;
}

/** As the contract has it: nothing here reads what routes declare. */
const ALSO_READ = ['POST /v1/reply', 'POST /v1/suggest'];
const VERIFY = [
  'POST /v1/verify',
  'GET /v1/suggest',
  'POST /v1/suggest',
  'GET /v1/domains/:domain',
  'GET /v1/status',
  // Of its own single checks; other lists are not found.
  'GET /v1/lists/:id/results',
];

function isAllowed(access: KeyAccess, method: string, path: string): boolean {
  const route = `${method === 'HEAD' ? 'GET' : method} ${path}`;
  if (access === 'full') return true;
  return access === 'read' ? route.startsWith('GET ') || ALSO_READ.includes(route) : VERIFY.includes(route);
}

describe.each(KEY_ACCESS)('a key with access %s', (access) => {
  test('is refused by exactly the routes that it may not call', async () => {
    const routes = printedRoutes(service.app).filter(
      ({ path }) => path.startsWith('/v1/') && path !== '/v1/openapi.json' && path !== '/v1/hooks/:id/:token',
    );
    expect(routes.length).toBeGreaterThan(25);
    const wrong: string[] = [];
    for (const { path, methods } of routes)
      for (const method of methods) {
        const answer = await service.call(method, path.replaceAll(/:\w+/g, '999999'), {
          key: keys.get(access)!,
        });
        const isRefused = answer.headers['mxproof-error'] === 'key_access';
        if (isRefused === isAllowed(access, method, path)) wrong.push(`${method} ${path} ${answer.status}`);
        if (isRefused) expect(answer.status).toBe(403);
      }
    expect(wrong).toEqual([]);
  });
});

test('the refusal says what it is and costs one request', async () => {
  const key = keys.get('read')!;
  const before = await service.call('GET', '/v1/account', { key });
  const refused = await service.call('POST', '/v1/verify', { key, body: { email: 'ann@example.com' } });
  expect([refused.status, refused.json]).toEqual([403, { error: 'key may not do this' }]);
  expect(refused.headers['mxproof-error-detail']).toBe(
    'the access of this key is read, and this needs full or verify',
  );
  const left = ({ headers }: typeof before) => Number(/r=(\d+)/.exec(String(headers.ratelimit))![1]);
  expect(left(refused)).toBe(left(before) - 1);
});

test('a path that is nowhere is that for every key, and an unknown parameter is told after the refusal', async () => {
  const key = keys.get('verify')!;
  expect((await service.call('GET', '/v1/nowhere', { key })).json).toEqual({ error: 'not found' });
  const refused = await service.call('DELETE', '/v1/lists/1?undu=60', { key });
  expect(refused.headers['mxproof-error']).toBe('key_access');
});

test('a key that verifies reads the results of its own single checks, and no other list', async () => {
  const key = keys.get('verify')!;
  const resultsOf = async (id: number, as = key) =>
    (await service.call('GET', `/v1/lists/${id}/results`, { key: as })).status;
  const check = async (as: string) => {
    const { headers } = await service.call('POST', '/v1/verify', {
      key: as,
      body: { email: 'a@example.com' },
    });
    return Number(/lists\/(\d+)\/results/.exec(String(headers['content-location']))![1]);
  };
  const own = await check(key);
  expect(await resultsOf(own)).toBe(200);
  const anothers = await check(await makeKey({ access: 'verify' }));
  const list = await service.call('POST', '/v1/lists', { body: { emails: ['a@example.com'] } });
  for (const id of [anothers, await check(service.account.apiKey), list.json.id])
    expect([await resultsOf(id), await resultsOf(id, keys.get('read')!)]).toEqual([404, 200]);
});

test('lists store the key that made them, those made of others too', async () => {
  const key = await makeKey({});
  const { id } = (await service.call('GET', '/v1/keys')).json.keys.at(-1);
  const made = await service.call('POST', '/v1/lists', { key, body: { emails: ['ann@example.com'] } });
  await service.find(made.json.id, { 0: verdictOf('unknown') });
  const retried = await service.call('POST', `/v1/lists/${made.json.id}/retry`, { key });
  const keyed = await service.call('POST', '/v1/lists', {
    key,
    headers: { 'idempotency-key': 'once' },
    body: { emails: ['b@example.com'] },
  });
  const ids = [made, retried, keyed].map(({ json }) => json.id);
  const rows = await service.context.db.query(
    'SELECT id, key_id FROM mxproof.lists WHERE id = ANY($1) ORDER BY id',
    [ids],
  );
  expect(rows).toEqual(ids.map((list) => ({ id: list, key_id: id })));
});

test('the log names the account that a test key was made for, and its mode', async () => {
  const logged = () =>
    JSON.parse(service.logged.findLast((line) => line.includes('"request completed"'))!) as object;
  const { accountId: account } = service.account;
  for (const [key, mode] of [
    [await makeKey({ test: true }), 'test'],
    [service.account.apiKey, 'live'],
  ] as const) {
    await service.call('GET', '/v1/account', { key });
    await until(() => (logged() as { mode?: string }).mode === mode);
    expect(logged()).toMatchObject({ account, mode });
  }
});

test('a key with less than full access cannot manage keys', async () => {
  for (const access of ['read', 'verify']) {
    const refused = await service.call('POST', '/v1/keys', { body: { label: 'x', access, manage: true } });
    expect([refused.status, refused.headers['mxproof-error']]).toEqual([400, 'manage_needs_full']);
  }
  for (const access of ['all', null, 7, ['full']]) {
    const refused = await service.call('POST', '/v1/keys', { body: { label: 'x', access } });
    expect([refused.status, refused.headers['mxproof-error']]).toEqual([400, 'bad_access']);
  }
});

test('keys are listed with their access', async () => {
  const { keys: listed } = (await service.call('GET', '/v1/keys')).json;
  expect(listed[0]).toMatchObject({ label: 'first', access: 'full', manage: true });
  expect(listed.slice(1, 4).map((key: { access: string }) => key.access)).toEqual([...KEY_ACCESS]);
});

test('a session has the access of its key, and a key that only verifies opens none', async () => {
  const signIn = (access: KeyAccess) =>
    service.call('POST', '/session', { key: null, body: { api_key: keys.get(access) } });
  expect((await signIn('verify')).status).toBe(401);
  const { headers, json } = await signIn('read');
  const cookie = String(headers['set-cookie']).split(';')[0]!;
  const ask = (method: string, path: string, body?: object) =>
    service.call(method, path, {
      key: null,
      headers: {
        cookie,
        'mxproof-session-proof': json.proof,
        'x-mxproof-console': '1',
        origin: `http://127.0.0.1:${service.port}`,
      },
      ...(body && { body }),
    });
  expect((await ask('GET', '/v1/lists')).status).toBe(200);
  const refused = await ask('POST', '/v1/lists', { emails: ['a@example.com'] });
  expect([refused.status, refused.headers['mxproof-error']]).toEqual([403, 'key_access']);
});

test('a service with a route that does not say which keys it answers does not start', async () => {
  // Beside the service of this file, whose database it would use.
  const options = {
    context: service.context,
    features: [{ routes: (v1: typeof service.app) => void v1.get('/undecided', async () => '') }],
    limits: { rateRequests: 1, rateAddresses: 1, rateAccount: 1, verifyWaitSeconds: 1, listLimitMs: 1 },
    trustProxy: 0,
    asker: { heloNames: [], addresses: [], abuseContact: null },
    log: service.app.log,
  };
  const started = createHttp(options as unknown as HttpOptions);
  await expect(started).rejects.toThrow('GET /v1/undecided does not say which keys it answers');
});
