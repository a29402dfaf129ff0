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

test('it is OpenAPI 3.1 and describes every endpoint and the callback', () => {
  expect(committed.openapi).toBe('3.1.0');
  const operations = Object.entries(committed.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(operations.sort()).toEqual([
    'delete /session',
    'delete /v1/keys/{id}',
    'delete /v1/lists/{id}',
    'get /healthz',
    'get /readyz',
    'get /v1/account',
    'get /v1/account/history',
    'get /v1/account/usage',
    'get /v1/callbacks',
    'get /v1/callbacks/listen',
    'get /v1/erase/{id}',
    'get /v1/groups/{group}',
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
    'get /v1/reply',
    'get /v1/status',
    'get /v1/suggest',
    'patch /v1/account',
    'patch /v1/lists/{id}',
    'post /session',
    'post /v1/account/webhook-secret',
    'post /v1/erase',
    'post /v1/keys',
    'post /v1/lists',
    'post /v1/lists/{id}/callback/resend',
    'post /v1/lists/{id}/cancel',
    'post /v1/lists/{id}/corrections',
    'post /v1/lists/{id}/pause',
    'post /v1/lists/{id}/resume',
    'post /v1/lists/{id}/retry',
    'post /v1/lists/{id}/undelete',
    'post /v1/reply',
    'post /v1/suggest',
    'post /v1/verify',
  ]);
  expect(Object.keys(committed.webhooks)).toEqual(['list.done']);
});

test('every reference in it leads somewhere', () => {
  const refs = [...JSON.stringify(committed).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!);
  expect(refs.length).toBeGreaterThan(20);
  for (const each of new Set(refs)) {
    expect(each).toMatch(/^#\/components\/schemas\/\w+$/);
    expect(committed.components.schemas).toHaveProperty(each.split('/').at(-1)!);
  }
});
