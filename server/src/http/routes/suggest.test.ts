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

test('a posted address is looked at as one in the query', async () => {
  for (const email of [' Info+news@GMAIL.con ', 'not an address', 'ann@mailinator.com']) {
    const posted = await service.call('POST', '/v1/suggest', { body: { email } });
    expect([posted.status, posted.json]).toEqual([200, (await suggest(email)).json]);
  }
  for (const [body, error] of [
    [{}, 'email required'],
    [{ email: ' ' }, 'email required'],
    [{ email: 'a'.repeat(1_001) }, 'email too long'],
  ] as const)
    expect((await service.call('POST', '/v1/suggest', { body })).json).toEqual({ error });
});

test('a + that is not encoded is read as a blank, and the answer says so', async () => {
  const warning = async (query: string) =>
    (await service.call('GET', `/v1/suggest?${query}`)).headers['mxproof-warning'];
  const plain = await service.call('GET', '/v1/suggest?email=ann+news@gmail.com');
  expect(plain.json).toMatchObject({ email: 'ann news@gmail.com', valid: false });
  const hint = 'a + in a query is read as a blank: send it as %2B, or post the address';
  expect(plain.headers['mxproof-warning']).toBe(hint);
  expect(await warning('email=ann%2Bnews@gmail.com')).toBeUndefined();
  expect(await warning('email=ann%20news@gmail.com')).toBeUndefined();
  expect(await warning('x=1&email=ann+news@gmail.com')).toBe(`unknown parameter: x; ${hint}`);
});

test('no address, or too long a one, is refused', async () => {
  expect((await service.call('GET', '/v1/suggest')).json.error).toBe('email required');
  expect((await suggest('  ')).json.error).toBe('email required');
  expect((await service.call('GET', '/v1/suggest?email=a&email=b')).json.error).toBe('email required');
  expect((await suggest('a'.repeat(1_001))).json.error).toBe('email too long');
  expect((await service.call('GET', '/v1/suggest?email=a', { key: null })).status).toBe(401);
});
