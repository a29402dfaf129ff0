import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../server/test/http-service.ts';
import { until } from '../../../server/test/until.ts';
import { mxproof } from '../../test/run-mxproof.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const run = (...args: string[]) =>
  mxproof(['request', ...args], {
    HOME: '/nowhere',
    MXPROOF_URL: `http://127.0.0.1:${service.port}`,
    MXPROOF_API_KEY: service.account.apiKey,
  });

test('a refused request is listed, and found by its id', async () => {
  expect((await run('ls')).stdout).toBe('No requests yet.\n');
  const { headers } = await service.call('GET', '/v1/lists/424242');
  const id = String(headers['x-request-id']);
  const shown = await until(async () => {
    const ran = await run('show', id);
    expect(ran.status, ran.stderr).toBe(0);
    return ran.stdout;
  });
  expect(shown).toMatch(/^route +GET \/v1\/lists\/\{id\}$/m);
  expect(shown).toMatch(/^error +list_not_found$/m);
  expect(JSON.parse((await run('show', id, '--json')).stdout)).toMatchObject({ id, status: 404 });
  expect((await run('ls', '--status', '404')).stdout).toContain(id);
  expect((await run('ls', '--status', '402')).stdout).toBe('No requests were answered 402.\n');
  expect(JSON.parse((await run('ls', '--json', '--limit', '1')).stdout)).toMatchObject([{ id }]);
});

test('an unknown or malformed id is refused in one sentence', async () => {
  const unknown = await run('show', '6c0f3d52-7a0e-4d0c-9f0b-2f9f6a1f6e57');
  expect([unknown.status, unknown.stdout]).toEqual([1, '']);
  expect(unknown.stderr).toMatch(/^No such request: [^\n]+\.\n$/);
  const none = await run('show', '17');
  expect([none.status, none.stdout]).toEqual([1, '']);
  expect(none.stderr).toContain('id must be a request id');
});
