// Fields that no route knows: taken from a live key with a warning, refused from a test key.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../test/http-service.ts';

let service: TestService;
let testKey: string;
const lists = { live: 0, test: 0 };
beforeAll(async () => {
  service = await startService();
  const made = await service.call('POST', '/v1/keys', { body: { label: 'tests', test: true, manage: true } });
  testKey = made.json.api_key;
  const create = async (key: string) =>
    (await service.call('POST', '/v1/lists', { key, body: { emails: ['a@b.test'] } })).json.id;
  lists.live = await create(service.account.apiKey);
  lists.test = await create(testKey);
});
afterAll(() => service.close());

/** More than is parsed on the main thread. */
const MANY = Array.from({ length: 9_000 }, (_, at) => `person-${at}-of-many@example-${at}.test`);

const ROUTES: readonly [string, string, (id: number) => string, object, number][] = [
  ['one address', 'POST', () => '/v1/verify', { email: 'ann@example.com' }, 200],
  ['a list', 'POST', () => '/v1/lists', { emails: ['ann@example.com'] }, 201],
  ['a large list', 'POST', () => '/v1/lists', { emails: MANY }, 201],
  ['a key', 'POST', () => '/v1/keys', { label: 'server' }, 201],
  ['a new name', 'PATCH', (id) => `/v1/lists/${id}`, { name: 'spring' }, 200],
];

describe.each(ROUTES)('the body of %s', (_, method, path, body, status) => {
  const more = { ...body, callbackUrl: 'https://example.com/hook' };

  test('from a live key: an unknown field is ignored, and the answer names it', async () => {
    const answered = await service.call(method, path(lists.live), { body: more });
    expect(answered.status).toBe(status);
    expect(answered.headers['mxproof-warning']).toBe('unknown field: callbackUrl');
  });

  test('from a test key: it is refused', async () => {
    const answered = await service.call(method, path(lists.test), { body: more, key: testKey });
    expect(answered.status).toBe(400);
    expect(answered.json).toEqual({ error: 'unknown field: callbackUrl' });
    expect(answered.headers['mxproof-error']).toBe('unknown_field');
  });

  test('with known fields only there is no warning', async () => {
    for (const [key, id] of [
      [service.account.apiKey, lists.live],
      [testKey, lists.test],
    ] as const) {
      const answered = await service.call(method, path(id), { body, key });
      expect(answered.status).toBe(status);
      expect(answered.headers['mxproof-warning']).toBeUndefined();
    }
  });
});

test('a refusal names the misspelt field too', async () => {
  const body = { Emails: ['ann@example.com'] };
  const live = await service.call('POST', '/v1/lists', { body });
  expect(live.json).toEqual({ error: 'emails required' });
  expect(live.headers['mxproof-warning']).toBe('unknown field: Emails');
  const test = await service.call('POST', '/v1/lists', { body, key: testKey });
  expect(test.json).toEqual({ error: 'unknown field: Emails' });
});

test('signing in takes it, whatever the key; and so does a session of a test key', async () => {
  const body = { api_key: testKey, apiKey: testKey };
  const signedIn = await service.call('POST', '/session', { key: null, body });
  expect(signedIn.status).toBe(200);
  expect(signedIn.headers['mxproof-warning']).toBe('unknown field: apiKey');
  const headers = {
    cookie: String(signedIn.headers['set-cookie']).split(';')[0]!,
    'mxproof-session-proof': signedIn.json.proof,
    origin: `http://127.0.0.1:${service.port}`,
    'x-mxproof-console': '1',
  };
  const created = await service.call('POST', '/v1/lists', {
    key: null,
    headers,
    body: { emails: ['a@b.test'], colour: 1 },
  });
  expect(created.status).toBe(201);
  expect(created.headers['mxproof-warning']).toBe('unknown field: colour');
});

test('a repeat under an Idempotency-Key is warned like the first', async () => {
  const body = { emails: ['ann@example.com'], Name: 'x' };
  for (let time = 0; time < 2; time++) {
    const answered = await service.call('POST', '/v1/lists', { body, headers: { 'idempotency-key': 'w' } });
    expect(answered.headers['mxproof-warning']).toBe('unknown field: Name');
  }
});
