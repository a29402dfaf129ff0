import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const suggest = (email: string) => service.call('GET', `/v1/suggest?email=${encodeURIComponent(email)}`);

test('an address is looked at, not checked: nothing is charged, and no list made', async () => {
  const before = (await service.call('GET', '/v1/account')).json;
  expect((await suggest(' Info@GMAIL.con ')).json).toEqual({
    email: 'info@gmail.con',
    valid: true,
    suggestion: 'gmail.com',
    role: true,
    free: false,
    disposable: false,
  });
  expect((await suggest('ann@gmail.com')).json).toMatchObject({ valid: true, suggestion: null, free: true });
  expect((await suggest('ann@mailinator.com')).json).toMatchObject({ disposable: true });
  expect((await suggest('not an address')).json).toMatchObject({ valid: false, suggestion: null });
  expect((await service.call('GET', '/v1/account')).json).toEqual(before);
});

test('the example of the guide is what the service answers', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/guide/api.md'), 'utf8');
  const [, email, shown] = /\/v1\/suggest\?email=([^"\s]+)".*?```json\n(.*?)```/s.exec(guide)!;
  expect((await suggest(email!)).json).toEqual(JSON.parse(shown!));
});

test('no address, or too long a one, is refused', async () => {
  expect((await service.call('GET', '/v1/suggest')).json.error).toBe('email required');
  expect((await suggest('  ')).json.error).toBe('email required');
  expect((await service.call('GET', '/v1/suggest?email=a&email=b')).json.error).toBe('email required');
  expect((await suggest('a'.repeat(1_001))).json.error).toBe('email too long');
  expect((await service.call('GET', '/v1/suggest?email=a', { key: null })).status).toBe(401);
});
