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
