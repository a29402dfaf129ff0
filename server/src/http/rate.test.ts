import { afterEach, expect, test, vi } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import {
  type CallOptions,
  startService,
  type TestResponse,
  type TestService,
  unheard,
  unwatched,
} from '../../test/http-service.ts';
import { sendRaw } from '../../test/raw-socket.ts';
import { acceptedRow } from '../../test/verdicts.ts';
import { addKey } from '../flow/add-key.ts';
import { THE_SERVICE } from '../rules/audit.ts';

let service: TestService;
afterEach(() => service.close());

const left = (answered: TestResponse, window: 'requests' | 'addresses') =>
  Number(new RegExp(`"${window}";r=(\\d+)`).exec(answered.headers.ratelimit as string)?.[1]);

const start = async (rateRequests: number, rateAddresses: number, credits = 1_000) => {
  service = await startService({ limits: { rateRequests, rateAddresses }, credits });
};
const submit = (count: number, options: CallOptions = {}) =>
  service.call('POST', '/v1/lists', {
    body: { emails: Array.from({ length: count }, (_, n) => `a${n}@b.test`) },
    ...options,
  });
const readAccount = () => service.call('GET', '/v1/account');

test('every authenticated answer says how the windows stand', async () => {
  await start(600, 500_000);
  const answered = await readAccount();
  expect(answered.headers['ratelimit-policy']).toBe('"requests";q=600;w=60, "addresses";q=500000;w=60');
  expect(answered.headers.ratelimit).toMatch(/^"requests";r=599;t=60$/);
  const made = await submit(3);
  expect(made.headers.ratelimit).toMatch(/^"requests";r=599;t=\d+, "addresses";r=499997;t=60$/);
});

test('requests beyond the window are refused before any work, and cost nothing', async () => {
  await start(3, 100);
  for (const remaining of [2, 1, 0]) expect(left(await readAccount(), 'requests')).toBe(remaining);
  for (let n = 0; n < 3; n++) {
    const refused = await readAccount();
    expect({ status: refused.status, json: refused.json }).toEqual({
      status: 429,
      json: { error: 'rate limit exceeded' },
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(left(refused, 'requests')).toBe(0);
  }
  // 429 comes before everything but 401.
  expect((await service.call('POST', '/v1/lists', { raw: 'not JSON' })).status).toBe(429);
  expect((await service.call('GET', '/v1/nothing')).status).toBe(429);
  expect((await service.call('GET', '/v1/account', { key: null })).status).toBe(401);
});

test('a request beyond the window is not carried out if its client leaves in the middle of the body', async () => {
  await start(1, 100);
  const { id } = (await submit(1)).json;
  await readAccount();
  const head = `Host: x\r\nAuthorization: Bearer ${service.account.apiKey}\r\nTransfer-Encoding: chunked`;
  const hasAnswer = (text: string) => text.includes('rate limit exceeded');
  const parts = `DELETE /v1/lists/${id} HTTP/1.1\r\n${head}\r\n\r\n1\r\n `;
  expect((await sendRaw(service.port, parts, hasAnswer)).statuses).toEqual(['429']);
  const { server } = service.app;
  const open = () => new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  await vi.waitFor(async () => expect(await open()).toBe(0), { timeout: 10_000 });
  // What had been begun would be done before what is asked for now.
  const { apiKey: key } = await service.open();
  const other = (await submit(1, { key })).json.id;
  await service.call('DELETE', `/v1/lists/${other}`, { key });
  expect(await service.context.db.query('SELECT 1 FROM mxproof.lists WHERE id = $1', [id])).toHaveLength(1);
});

test('an accepted list costs its unique addresses and no request', async () => {
  await start(5, 10);
  const made = await submit(4);
  expect(made.status).toBe(201);
  expect([left(made, 'requests'), left(made, 'addresses')]).toEqual([5, 6]);
  const repeated = await service.call('POST', '/v1/lists', {
    body: { emails: ['a@b.test', 'A@b.test', ''] },
  });
  expect([left(repeated, 'requests'), left(repeated, 'addresses')]).toEqual([5, 5]);
  expect(left(await readAccount(), 'requests')).toBe(4);
});

test('a list beyond the addresses window is refused, costs nothing in either, and fits later', async () => {
  await start(5, 10);
  expect((await submit(8)).status).toBe(201);
  const refused = await submit(3);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect([left(refused, 'requests'), left(refused, 'addresses')]).toEqual([5, 2]);
  expect((await submit(2)).status).toBe(201);
  const account = await readAccount();
  expect(account.json).toMatchObject({ credits: 990, lists: 2 });
  expect(left(account, 'requests')).toBe(4);
});

test('refused submissions cost one request and no address', async () => {
  await start(10, 10, 5);
  const refusals: [CallOptions & { count?: number }, number][] = [
    [{ raw: '{' }, 400],
    [{ body: { emails: [] } }, 400],
    [{ count: 6 }, 402],
    [{ headers: { 'content-encoding': 'gzip' } }, 415],
    [{ headers: { 'content-length': String(65 * 1024 * 1024) }, raw: '' }, 413],
  ];
  let requests = 10;
  for (const [{ count = 1, ...options }, status] of refusals) {
    const refused = await submit(count, options);
    expect(refused.status).toBe(status);
    expect(left(refused, 'requests')).toBe(--requests);
    if (status === 402) expect(left(refused, 'addresses')).toBe(10);
  }
  const made = await submit(5);
  expect([made.status, left(made, 'requests'), left(made, 'addresses')]).toEqual([201, requests, 5]);
});

test('the addresses window comes before the credits', async () => {
  await start(10, 10, 5);
  expect((await submit(11)).status).toBe(429);
});

test('a repeat with the same Idempotency-Key costs one request, whatever the list costs', async () => {
  await start(10, 10);
  const again = { headers: { 'idempotency-key': 'k' } };
  expect(left(await submit(6, again), 'addresses')).toBe(4);
  for (const remaining of [9, 8]) {
    const repeated = await submit(6, again);
    expect([repeated.status, left(repeated, 'requests')]).toEqual([201, remaining]);
  }
  const other = await submit(2, again);
  expect([other.status, left(other, 'requests')]).toEqual([422, 7]);
  expect(left(await submit(4), 'addresses')).toBe(0);
});

test('a single check costs one request, each key has windows of its own, and its own limits', async () => {
  await start(2, 10);
  const other = await service.open();
  await service.context.db.query('UPDATE mxproof.api_keys SET rate_requests = 3 WHERE account_id = $1', [
    other.accountId,
  ]);
  const verify = (key?: string) =>
    service.call('POST', '/v1/verify', { ...(key && { key }), body: { email: 'a@b.test' } });
  expect(left(await verify(), 'requests')).toBe(1);
  expect(left(await verify(other.apiKey), 'requests')).toBe(2);
  expect((await verify(other.apiKey)).headers['ratelimit-policy']).toContain('"requests";q=3;');
});

test('a hundred requests at once never exceed the window', async () => {
  await start(30, 40);
  const answers = await Promise.all(Array.from({ length: 100 }, readAccount));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
  await service.close();
  await start(100, 40);
  const lists = await Promise.all(Array.from({ length: 100 }, () => submit(2)));
  expect(lists.filter(({ status }) => status === 201)).toHaveLength(20);
});

test('two nodes share the windows', async () => {
  await start(10, 40);
  const { createHttp } = await import('./create-http.ts');
  const { openDatabase } = await import('../store/database.ts');
  const db = openDatabase({ url: service.databaseUrl });
  const second = await createHttp({
    context: { ...service.context, db },
    box: service.box,
    singles: { makeWay: () => () => {}, begin() {}, finished: async () => null },
    domains: createFakeChecker(),
    watch: unwatched,
    callbackWatch: unheard,
    limits: {
      rateRequests: 10,
      rateAddresses: 40,
      rateAccount: 10,
      verifyWaitSeconds: 0,
      listLimitMs: 14_400_000,
    },
    log: service.app.log,
    trustProxy: 0,
    asker: { heloNames: [], addresses: [], abuseContact: null },
    ready: () => true,
  });
  const there = () =>
    second.inject({ url: '/v1/account', headers: { authorization: `Bearer ${service.account.apiKey}` } });
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => (n % 2 ? readAccount() : there())));
  const statuses = answers.map((answered) => ('status' in answered ? answered.status : answered.statusCode));
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  await second.close();
  await db.close();
});

test('lists step aside only for keys that are admitted: not for a forged key, nor for one that is refused', async () => {
  let hurries = 0;
  const hurry = () => {
    hurries++;
    return () => {};
  };
  service = await startService({
    limits: { rateRequests: 3, rateAddresses: 10 },
    singles: { makeWay: hurry, begin() {}, finished: async () => acceptedRow },
  });
  const { apiKey } = service.account;
  const verify = async (key: string) =>
    (await service.call('POST', '/v1/verify', { key, body: { email: 'a@b.test' } })).status;
  expect(await verify(apiKey)).not.toBe(429);
  const once = hurries;
  // One more from the second on: before its admission, which takes half of its time.
  expect(await verify(apiKey)).not.toBe(429);
  expect(hurries).toBe(2 * once + 1);
  const before = hurries;
  const forged = `${apiKey.slice(0, -8)}${apiKey.endsWith('AAAAAAAA') ? 'BBBBBBBB' : 'AAAAAAAA'}`;
  expect(await verify(forged)).toBe(401);
  expect(hurries).toBe(before);
  await readAccount();
  // The first refusal shows that the key is over its limit.
  for (let n = 0; n < 5; n++) expect(await verify(apiKey)).toBe(429);
  expect(hurries - before).toBeLessThanOrEqual(1);
});

/** Keys of the service's account: the first, and more made with it. */
async function manyKeys(count: number): Promise<string[]> {
  const more = Array.from({ length: count - 1 }, async (_, n) => {
    const { accountId } = service.account;
    const made = await service.context.db.transaction((tx) =>
      addKey(tx, THE_SERVICE, { accountId, label: `key ${n}`, manage: false }),
    );
    return made.apiKey;
  });
  return [service.account.apiKey, ...(await Promise.all(more))];
}

test('an account’s keys together have a window of their own, which costs nothing where it refuses', async () => {
  service = await startService({ limits: { rateRequests: 4, rateAddresses: 10, rateAccount: 2 } });
  const other = await service.open();
  const keys = await manyKeys(5);
  const get = (key: string) => service.call('GET', '/v1/account', { key });
  const rounds = await Promise.all(Array.from({ length: 20 }, (_, n) => get(keys[n % 5]!)));
  expect(rounds.filter(({ status }) => status === 200)).toHaveLength(8);
  for (const refused of rounds.filter(({ status }) => status !== 200)) {
    expect([refused.status, refused.headers['mxproof-error']]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  }
  // What the headers show is the key's own, of which a refusal takes nothing.
  const fresh = (await manyKeys(2))[1]!;
  for (let n = 0; n < 3; n++) {
    const refused = await get(fresh);
    expect([refused.status, left(refused, 'requests')]).toEqual([429, 4]);
    expect(refused.headers['ratelimit-policy']).toContain('"requests";q=4;');
  }
  expect((await get(other.apiKey)).status).toBe(200);
});

test('so do their lists, and a list that is refused there takes nothing from either', async () => {
  service = await startService({ limits: { rateRequests: 100, rateAddresses: 10, rateAccount: 2 } });
  const keys = await manyKeys(3);
  for (const [n, status] of [201, 201, 429].entries()) {
    const made = await submit(10, { key: keys[n]! });
    expect([made.status, left(made, 'addresses')]).toEqual([status, status === 201 ? 0 : 10]);
  }
  expect((await service.call('GET', '/v1/account')).json).toMatchObject({ lists: 2 });
});

test('a key whose limit was raised can use it, and the account’s other keys beside it', async () => {
  service = await startService({ limits: { rateRequests: 2, rateAddresses: 10, rateAccount: 2 } });
  const [raised, plain] = (await manyKeys(2)) as [string, string];
  await service.context.db.query(`UPDATE mxproof.api_keys SET rate_requests = 30 WHERE label <> 'key 0'`);
  const get = (key: string) => service.call('GET', '/v1/account', { key });
  const answers = await Promise.all(Array.from({ length: 40 }, () => get(raised)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
  expect((await get(plain)).status).toBe(200);
});
