// What a suspended account may still ask for, held against every route that there is.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startService, type TestService } from '../../test/http-service.ts';
import { printedRoutes } from '../../test/printed-routes.ts';
import { accepted } from '../../test/verdicts.ts';
import { changeAccount } from '../features/admin/change-account.ts';
import { makeSignInLink } from '../flow/sign-in.ts';
import { THE_SERVICE } from '../rules/audit.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(() => setStatus('active'));

async function setStatus(status: 'active' | 'suspended', accountId = service.account.accountId) {
  const changed = await changeAccount(service.context.db, THE_SERVICE, accountId, { status });
  expect(changed.kind).toBe('changed');
}

const isSuspended = ({ headers }: { headers: object }) =>
  (headers as Record<string, unknown>)['mxproof-error'] === 'account_suspended';

/** As the contract has it: nothing here reads what routes declare. */
const WORKS_FOR_THE_ACCOUNT = ['GET /v1/domains/:domain', 'GET /v1/suggest', 'GET /v1/reply'];

function isAnswered(method: string, path: string): boolean {
  const route = `${method === 'HEAD' ? 'GET' : method} ${path}`;
  if (WORKS_FOR_THE_ACCOUNT.includes(route)) return false;
  return ['GET', 'HEAD', 'DELETE'].includes(method) || route === 'POST /v1/erase';
}

test('every route refuses a suspended account, unless it reads what is stored or deletes it', async () => {
  await setStatus('suspended');
  const routes = printedRoutes(service.app).filter(
    ({ path }) => path.startsWith('/v1/') && path !== '/v1/openapi.json' && path !== '/v1/hooks/:id/:token',
  );
  expect(routes.length).toBeGreaterThan(25);
  const wrong: string[] = [];
  for (const { path, methods } of routes)
    for (const method of methods) {
      const answer = await service.call(method, path.replaceAll(/:\w+/g, '999999'));
      if (isSuspended(answer) === isAnswered(method, path)) wrong.push(`${method} ${path} ${answer.status}`);
      if (isSuspended(answer) && method !== 'HEAD')
        expect([answer.status, answer.json]).toEqual([403, { error: 'account suspended' }]);
    }
  expect(wrong).toEqual([]);
});

test('results can be fetched and deleted, and what was refused works again afterwards', async () => {
  const submit = () => service.call('POST', '/v1/lists', { body: { emails: ['ann@example.com'] } });
  const { json: list } = await submit();
  await setStatus('suspended');
  const before = (await service.call('GET', '/v1/account')).json;
  expect((await submit()).status).toBe(403);
  expect((await service.call('POST', '/v1/verify', { body: { email: 'a@example.com' } })).status).toBe(403);
  // What is under way goes on.
  await service.find(list.id, { 0: accepted });
  expect((await service.call('GET', `/v1/lists/${list.id}`)).json.status).toBe('done');
  expect((await service.call('GET', `/v1/lists/${list.id}/results`)).json.results).toHaveLength(1);
  expect((await service.call('POST', '/v1/erase', { body: { email: 'ann@example.com' } })).status).toBe(202);
  expect((await service.call('GET', '/v1/account')).json).toEqual(before);
  expect((await service.call('DELETE', `/v1/lists/${list.id}`)).status).toBe(200);
  await setStatus('active');
  expect((await submit()).status).toBe(201);
});

test('the test side is suspended with its account, and another account is not', async () => {
  const { json: made } = await service.call('POST', '/v1/keys', { body: { label: 'test', test: true } });
  const verify = (key: string) =>
    service.call('POST', '/v1/verify', { key, body: { email: 'a@example.com' } });
  expect((await verify(made.api_key)).status).toBe(200);
  await setStatus('suspended');
  expect(isSuspended(await verify(made.api_key))).toBe(true);
  expect((await verify((await service.open()).apiKey)).status).toBe(200);
});

test('the refusal comes behind 401 and 429, costs one request, and says what is left', async () => {
  await setStatus('suspended');
  expect((await service.call('POST', '/v1/lists', { key: null })).status).toBe(401);
  expect((await service.call('POST', '/v1/nowhere')).status).toBe(404);
  const left = ({ headers }: { headers: object }) =>
    Number(/r=(\d+)/.exec(String((headers as Record<string, unknown>).ratelimit))![1]);
  const before = await service.call('GET', '/v1/account');
  const refused = await service.call('POST', '/v1/lists', { raw: 'no JSON' });
  expect(left(refused)).toBe(left(before) - 1);
  expect(refused.headers['mxproof-error-detail']).toMatch(/still be read and deleted/);
  const few = await startService({ limits: { rateRequests: 1 } });
  try {
    const { accountId } = few.account;
    await changeAccount(few.context.db, THE_SERVICE, accountId, { status: 'suspended' });
    expect((await few.call('POST', '/v1/lists')).status).toBe(403);
    expect((await few.call('POST', '/v1/lists')).status).toBe(429);
  } finally {
    await few.close();
  }
});

test('its people can sign in with a key or a link, read, and change nothing', async () => {
  await setStatus('suspended');
  const { accountId, apiKey } = service.account;
  const withKey = await service.call('POST', '/session', { key: null, body: { api_key: apiKey } });
  const token = await service.context.db.transaction((tx) => makeSignInLink(tx, THE_SERVICE, accountId));
  const withLink = await service.call('POST', `/sign-in/${token}`, {
    key: null,
    headers: { accept: 'application/json', origin: `http://127.0.0.1:${service.port}` },
  });
  for (const { status, headers, json } of [withKey, withLink]) {
    expect(status).toBe(200);
    const ask = (method: string, path: string, body?: object) =>
      service.call(method, path, {
        key: null,
        headers: {
          cookie: String(headers['set-cookie']).split(';')[0]!,
          'mxproof-session-proof': json.proof,
          'x-mxproof-console': '1',
          origin: `http://127.0.0.1:${service.port}`,
        },
        ...(body && { body }),
      });
    expect((await ask('GET', '/v1/lists')).status).toBe(200);
    expect(isSuspended(await ask('POST', '/v1/lists', { emails: ['a@example.com'] }))).toBe(true);
  }
});
