import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';

const COMMITTED = new URL('../../../../openapi.json', import.meta.url);
const committed = JSON.parse(readFileSync(COMMITTED, 'utf8'));

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('the committed document is what the routes say, and what the service serves', async () => {
  const script = fileURLToPath(new URL('../../../../scripts/openapi.ts', import.meta.url));
  execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' });
  const served = await service.call('GET', '/v1/openapi.json', { key: null });
  expect(served.json).toEqual(committed);
  expect(served.headers['content-type']).toBe('application/json; charset=utf-8');
});

test('it is compressed where that is accepted, and sent once to a client that asks again', async () => {
  const get = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${service.port}/v1/openapi.json`, { headers });
  const plain = await get({ 'accept-encoding': 'identity' });
  const etag = plain.headers.get('etag')!;
  expect(await plain.json()).toEqual(committed);
  expect(etag).toMatch(/^W\/"[0-9a-f]{16}"$/);
  for (const encoding of ['gzip', 'br']) {
    const packed = await get({ 'accept-encoding': encoding });
    expect(Object.fromEntries(packed.headers)).toMatchObject({
      ...{ 'content-encoding': encoding, vary: 'accept-encoding', 'cache-control': 'no-cache', etag },
    });
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(42_000);
    expect(await packed.json()).toEqual(committed);
    for (const known of [etag, `"other", ${etag.slice(2)}`, '*']) {
      const again = await get({ 'accept-encoding': encoding, 'if-none-match': known });
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    }
  }
  const changed = await get({ 'if-none-match': '"other"' });
  expect([changed.status, await changed.json()]).toEqual([200, committed]);
});

test('it is OpenAPI 3.1 and describes every endpoint and the callback', () => {
  expect(committed.openapi).toBe('3.1.0');
  const operations = Object.entries(committed.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(operations.sort()).toEqual([
    'delete /session',
    'delete /v1/hooks/{id}',
    'delete /v1/keys/{id}',
    'delete /v1/lists/{id}',
    'delete /v1/members/{id}',
    'delete /v1/webhooks/{id}',
    'get /healthz',
    'get /readyz',
    'get /session',
    'get /session/ways',
    'get /v1/account',
    'get /v1/account/history',
    'get /v1/account/usage',
    'get /v1/accuracy',
    'get /v1/accuracy/wrong',
    'get /v1/audit',
    'get /v1/callbacks',
    'get /v1/callbacks/listen',
    'get /v1/domains/{domain}',
    'get /v1/erase/{id}',
    'get /v1/groups/{group}',
    'get /v1/hooks',
    'get /v1/keys',
    'get /v1/lists',
    'get /v1/lists/{id}',
    'get /v1/lists/{id}/breakdown',
    'get /v1/lists/{id}/callback',
    'get /v1/lists/{id}/corrections',
    'get /v1/lists/{id}/events',
    'get /v1/lists/{id}/results',
    'get /v1/lists/{id}/results/{position}/evidence',
    'get /v1/lists/{id}/retries',
    'get /v1/lists/{id}/waiting',
    'get /v1/members',
    'get /v1/members/me',
    'get /v1/reply',
    'get /v1/requests',
    'get /v1/status',
    'get /v1/suggest',
    'get /v1/suppressions',
    'get /v1/webhooks',
    'get /v1/webhooks/{id}',
    'get /v1/webhooks/{id}/deliveries',
    'patch /v1/account',
    'patch /v1/lists/{id}',
    'patch /v1/members/me',
    'patch /v1/members/{id}',
    'patch /v1/webhooks/{id}',
    'post /session',
    'post /session/switch',
    'post /sign-in/mail',
    'post /v1/account/webhook-secret',
    'post /v1/erase',
    'post /v1/hooks',
    'post /v1/hooks/{service}/{token}',
    'post /v1/keys',
    'post /v1/lists',
    'post /v1/lists/{id}/callback/resend',
    'post /v1/lists/{id}/cancel',
    'post /v1/lists/{id}/corrections',
    'post /v1/lists/{id}/pause',
    'post /v1/lists/{id}/resume',
    'post /v1/lists/{id}/retry',
    'post /v1/lists/{id}/undelete',
    'post /v1/members',
    'post /v1/members/{id}/link',
    'post /v1/outcomes',
    'post /v1/reply',
    'post /v1/suggest',
    'post /v1/suppressions',
    'post /v1/suppressions/check',
    'post /v1/suppressions/remove',
    'post /v1/verify',
    'post /v1/webhooks',
    'post /v1/webhooks/{id}/deliveries/{delivery}/resend',
    'post /v1/webhooks/{id}/secret',
    'post /v1/webhooks/{id}/test',
  ]);
  expect(Object.keys(committed.webhooks)).toEqual(['list.done', 'event']);
});

test('every reference in it leads somewhere', () => {
  const refs = [...JSON.stringify(committed).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!);
  expect(refs.length).toBeGreaterThan(20);
  for (const each of new Set(refs)) {
    expect(each).toMatch(/^#\/components\/(schemas|headers|responses|parameters)\/[\w-]+$/);
    const [kind, part] = each.split('/').slice(2);
    expect(Object.keys(committed.components[kind!])).toContain(part);
  }
});
