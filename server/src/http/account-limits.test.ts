// Limits that an operator gives an account, beside those of the deployment and of single keys.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../test/http-service.ts';
import { type AccountChanges, changeAccount } from '../features/admin/change-account.ts';
import { THE_SERVICE } from '../rules/audit.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ limits: { rateRequests: 50, rateAddresses: 1_000, rateAccount: 2 } });
});
afterAll(() => service.close());

const change = (accountId: number, changes: AccountChanges) =>
  changeAccount(service.context.db, THE_SERVICE, accountId, changes);
const policyOf = async (key: string) =>
  (await service.call('GET', '/v1/account', { key })).headers['ratelimit-policy'];
const makeKey = async (key: string, body: object) =>
  (await service.call('POST', '/v1/keys', { key, body: { label: 'more', ...body } })).json;

test('the limits of an account are those of its keys, test keys and sessions, from the next request on', async () => {
  const { accountId, apiKey } = await service.open();
  const { api_key: testKey } = await makeKey(apiKey, { test: true });
  const { headers, json } = await service.call('POST', '/session', { key: null, body: { api_key: apiKey } });
  const ofSession = async () =>
    (
      await service.call('GET', '/v1/account', {
        key: null,
        headers: {
          cookie: String(headers['set-cookie']).split(';')[0]!,
          'mxproof-session-proof': json.proof,
          'x-mxproof-console': '1',
        },
      })
    ).headers['ratelimit-policy'];
  const deployment = '"requests";q=50;w=60, "addresses";q=1000;w=60';
  expect([await policyOf(apiKey), await policyOf(testKey), await ofSession()]).toEqual([
    deployment,
    deployment,
    deployment,
  ]);
  await change(accountId, { rateRequests: 70, rateAddresses: 20 });
  const own = '"requests";q=70;w=60, "addresses";q=20;w=60';
  expect([await policyOf(apiKey), await policyOf(testKey), await ofSession()]).toEqual([own, own, own]);
  expect(await policyOf(service.account.apiKey)).toBe(deployment);
  await change(accountId, { rateRequests: null });
  expect(await policyOf(apiKey)).toBe('"requests";q=50;w=60, "addresses";q=20;w=60');
});

test('a key’s own limit stands above that of its account', async () => {
  const { accountId, apiKey } = await service.open();
  const { id, api_key: other } = await makeKey(apiKey, {});
  await service.context.db.query('UPDATE mxproof.api_keys SET rate_requests = 80 WHERE id = $1', [id]);
  await change(accountId, { rateRequests: 5 });
  expect([await policyOf(apiKey), await policyOf(other)]).toEqual([
    '"requests";q=5;w=60, "addresses";q=1000;w=60',
    '"requests";q=80;w=60, "addresses";q=1000;w=60',
  ]);
});

test('all keys together have twice the account’s limit, also where it is below the deployment’s', async () => {
  const { accountId, apiKey } = await service.open();
  const keys = [apiKey];
  for (let n = 0; n < 3; n++) keys.push((await makeKey(apiKey, {})).api_key);
  await change(accountId, { rateRequests: 4 });
  await service.context.db.query('DELETE FROM mxproof.rate_windows');
  const statuses: number[] = [];
  for (const key of [...keys, ...keys, ...keys])
    statuses.push((await service.call('GET', '/v1/account', { key })).status);
  expect(statuses).toEqual([...Array(8).fill(200), ...Array(4).fill(429)]);
});
