import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const URL = 'https://example.com/mxproof';
const ENDPOINT = { url: URL, events: ['list.done', 'list.failed'] };

async function openAccount() {
  const { apiKey: key } = await service.open();
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { key, ...(body !== undefined && { body }) });
  return { key, call };
}

test('an endpoint is made, shown without its secret, changed and deleted', async () => {
  const { call } = await openAccount();
  const made = await call('POST', '/v1/webhooks', { ...ENDPOINT, description: 'CRM' });
  expect(made.status).toBe(201);
  const { webhook_secret: secret, ...endpoint } = made.json;
  expect(secret).toMatch(/^whsec_/);
  expect(endpoint).toEqual({
    id: expect.any(Number),
    ...ENDPOINT,
    description: 'CRM',
    created_at: expect.any(Number),
    paused_at: null,
    off_at: null,
    off_reason: null,
  });
  const path = `/v1/webhooks/${endpoint.id}`;
  expect((await call('GET', path)).json).toEqual(endpoint);
  expect((await call('GET', '/v1/webhooks')).json).toEqual({ webhooks: [endpoint] });
  const changed = { ...endpoint, url: `${URL}/2`, events: ['credits.low'], description: '' };
  const { url, events, description } = changed;
  expect((await call('PATCH', path, { url, events, description })).json).toEqual(changed);
  expect((await call('PATCH', path, { paused: true })).json.paused_at).toEqual(expect.any(Number));
  expect((await call('PATCH', path, { paused: false })).json).toEqual(changed);
  const rotated = (await call('POST', `${path}/secret`)).json.webhook_secret;
  expect(rotated).toMatch(/^whsec_/);
  expect(rotated).not.toBe(secret);
  expect((await call('DELETE', path)).json).toEqual({ deleted: true });
  for (const [method, at] of [
    ['GET', path],
    ['PATCH', path],
    ['DELETE', path],
    ['GET', `${path}/deliveries`],
    ['POST', `${path}/test`],
    ['POST', `${path}/secret`],
    ['POST', `${path}/deliveries/x/resend`],
  ] as const) {
    const { status, json } = await call(method, at, method === 'PATCH' ? {} : undefined);
    expect([status, json]).toEqual([404, { error: 'webhook endpoint not found' }]);
  }
});

test('what an endpoint may not be is refused in words that say so', async () => {
  const { call } = await openAccount();
  const error = async (body: unknown, method = 'POST', path = '/v1/webhooks') =>
    (await call(method, path, body)).json.error;
  const notHttps = 'url must be an https URL without user name and password';
  for (const url of [undefined, 7, 'http://example.com/', 'https://', 'https://me:pw@example.com/'])
    expect(await error({ ...ENDPOINT, url })).toBe(notHttps);
  expect(await error({ ...ENDPOINT, url: `${URL}?${'x'.repeat(2_000)}` })).toBe('url too long');
  const events = 'events must be 1 to 4 of list.done, list.failed, list.paused, credits.low';
  for (const wrong of [undefined, [], ['test'], ['list.done', 'list.done'], 'list.done'])
    expect(await error({ ...ENDPOINT, events: wrong })).toBe(events);
  for (const description of [7, 'x'.repeat(201), 'a\nb'])
    expect(await error({ ...ENDPOINT, description })).toBe(
      'description must be a string of at most 200 characters',
    );
  const { id } = (await call('POST', '/v1/webhooks', ENDPOINT)).json;
  expect(await error({ paused: 'yes' }, 'PATCH', `/v1/webhooks/${id}`)).toBe('paused must be true or false');
  for (let n = 1; n < 10; n++) expect((await call('POST', '/v1/webhooks', ENDPOINT)).status).toBe(201);
  expect(await error(ENDPOINT)).toBe('max 10 webhook endpoints per account');
});

test('endpoints are for keys that manage, of one account and one mode', async () => {
  const { call } = await openAccount();
  const keyOf = async (more: object) =>
    (await call('POST', '/v1/keys', { label: 'more', ...more })).json.api_key as string;
  const { id } = (await call('POST', '/v1/webhooks', ENDPOINT)).json;
  const paths = [
    ['GET', '/v1/webhooks'],
    ['POST', '/v1/webhooks'],
    ['GET', `/v1/webhooks/${id}`],
    ['PATCH', `/v1/webhooks/${id}`],
    ['DELETE', `/v1/webhooks/${id}`],
    ['POST', `/v1/webhooks/${id}/secret`],
    ['POST', `/v1/webhooks/${id}/test`],
    ['GET', `/v1/webhooks/${id}/deliveries`],
    ['POST', `/v1/webhooks/${id}/deliveries/x/resend`],
  ] as const;
  const plain = await keyOf({});
  const test = await keyOf({ test: true, manage: true });
  const { key: foreign } = await openAccount();
  for (const [method, path] of paths) {
    const { status, json } = await service.call(method, path, { key: plain });
    expect([status, json.error]).toEqual([403, 'key may not manage keys']);
    if (path === '/v1/webhooks') continue;
    for (const key of [test, foreign])
      expect(
        (await service.call(method, path, { key, ...(method === 'PATCH' && { body: {} }) })).status,
      ).toBe(404);
  }
  expect((await service.call('GET', '/v1/webhooks', { key: test })).json).toEqual({ webhooks: [] });
});

test('a test event is a delivery that can be read, and sent again once it is over', async () => {
  const { call } = await openAccount();
  const { id } = (await call('POST', '/v1/webhooks', ENDPOINT)).json;
  const path = `/v1/webhooks/${id}`;
  const { status, json: sent } = await call('POST', `${path}/test`);
  expect(status).toBe(202);
  expect(sent).toEqual({
    ...{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), event: 'test', list_id: null, state: 'pending' },
    ...{ created_at: expect.any(Number), next_attempt_at: expect.any(Number), attempts: [] },
  });
  const again = async (delivery = sent.id) => {
    const answer = await call('POST', `${path}/deliveries/${delivery}/resend`);
    return [answer.status, answer.json.error];
  };
  expect(await again()).toEqual([409, 'delivery is pending']);
  expect(await again('0b8f5f6e-54c5-4d2c-9a77-2f0c5d1f7a10')).toEqual([404, 'delivery not found']);
  expect(await again('x')).toEqual([404, 'delivery not found']);
  const page = async (query: string) => (await call('GET', `${path}/deliveries?${query}`)).json;
  expect(await page('state=pending')).toEqual({ deliveries: [sent] });
  expect(await page('state=delivered')).toEqual({ deliveries: [] });
  expect(await page('offset=1')).toEqual({ deliveries: [] });
  expect(await page('state=done')).toEqual({ error: 'state must be pending, delivered or failed' });
  await service.context.db.query(
    `UPDATE mxproof.webhook_deliveries SET state = 'failed' WHERE endpoint_id = $1`,
    [id],
  );
  await call('PATCH', path, { paused: true });
  expect(await again()).toEqual([409, 'webhook endpoint is paused or switched off']);
  expect((await call('POST', `${path}/test`)).status).toBe(409);
  await call('PATCH', path, { paused: false });
  expect(await again()).toEqual([202, undefined]);
});

test('low credits are a setting of each mode, shown where it is asked for', async () => {
  const { call } = await openAccount();
  const test = (await call('POST', '/v1/keys', { label: 't', test: true, manage: true })).json.api_key;
  const settings = async () => (await call('GET', '/v1/account?include=settings')).json.settings;
  expect(await settings()).toMatchObject({ low_credits: null });
  const { json } = await call('PATCH', '/v1/account', { low_credits: 5 });
  expect(json.settings).toMatchObject({ low_credits: 5 });
  expect(await settings()).toMatchObject({ low_credits: 5 });
  expect((await call('GET', '/v1/account')).json).not.toHaveProperty('settings');
  expect((await call('GET', '/v1/account?include=retention,settings')).json).toHaveProperty('retention');
  const asTest = (body: object) => service.call('PATCH', '/v1/account', { key: test, body });
  expect((await asTest({ low_credits: 7 })).json.settings).toMatchObject({ low_credits: 7 });
  expect((await asTest({ low_credits: 7, name: 'new' })).json.error).toBe(
    'a test key manages test keys only',
  );
  expect(await settings()).toMatchObject({ low_credits: 5 });
  expect((await call('PATCH', '/v1/account', { low_credits: null, name: 'new' })).json).toMatchObject({
    name: 'new',
    settings: { low_credits: null },
  });
  for (const wrong of [0, 1.5, 1e12 + 1, '5', true])
    expect((await call('PATCH', '/v1/account', { low_credits: wrong })).json.error).toBe(
      'low_credits must be an integer from 1 to 1000000000000, or null',
    );
  expect((await call('PATCH', '/v1/account', {})).json.error).toBe('name must be a string');
});
