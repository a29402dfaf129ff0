import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';

let service: TestService;
let testKey: string;
beforeAll(async () => {
  service = await startService({ credits: 5 });
  testKey = (await service.call('POST', '/v1/keys', { body: { label: 'ci', test: true, manage: true } })).json
    .api_key;
});
afterAll(() => service.close());

const nameFor = async (key?: string) =>
  (await service.call('GET', '/v1/account', key ? { key } : {})).json.name;
const rename = (name: unknown, key?: string) =>
  service.call('PATCH', '/v1/account', { body: { name }, ...(key && { key }) });

test('the account is renamed, in test mode too, and nothing else of it changes', async () => {
  const stranger = await service.open({ name: 'stranger' });
  const before = (await service.call('GET', '/v1/account')).json;
  const answered = await rename('  Ännchen & Söhne 💌 ');
  expect(answered.status).toBe(200);
  expect(answered.json).toEqual({ ...before, name: 'Ännchen & Söhne 💌' });
  expect((await service.call('GET', '/v1/account')).text).toBe(answered.text);
  expect(await nameFor(testKey)).toBe('Ännchen & Söhne 💌');
  expect(await nameFor(stranger.apiKey)).toBe('stranger');
});

test.each<[unknown, string, string]>([
  [undefined, 'name must be a string', 'name is missing: send a string'],
  [7, 'name must be a string', 'name is a number: send a string'],
  ['n'.repeat(201), 'name too long', ''],
  [' \u00a0', 'name must be 1 to 200 printable characters', ''],
  ['a\0b', 'name must be 1 to 200 printable characters', ''],
  ['a\ud800', 'name must be 1 to 200 printable characters', ''],
])('%j is no name of an account: 400 %s', async (name, error, detail) => {
  const before = await nameFor();
  const refused = await rename(name);
  expect([refused.status, refused.json]).toEqual([400, { error }]);
  expect(refused.headers['mxproof-error-detail'] ?? '').toBe(detail);
  expect(await nameFor()).toBe(before);
});

test('a key that may not manage, and one of test mode, may not rename', async () => {
  const before = await nameFor();
  const { api_key: plain } = (await service.call('POST', '/v1/keys', { body: { label: 'server' } })).json;
  const codeOf = async (key: string) => {
    const refused = await rename('mine', key);
    return [refused.status, refused.headers['mxproof-error']];
  };
  expect(await codeOf(plain)).toEqual([403, 'may_not_manage']);
  expect(await codeOf(testKey)).toEqual([403, 'test_keys_only']);
  expect(await nameFor()).toBe(before);
});

test('single checks are listed alone, each with its address if that is asked for', async () => {
  const list = (await service.call('POST', '/v1/lists', { body: { emails: ['a@b.test'] } })).json;
  const single = async (email: string) => {
    const answered = await service.call('POST', '/v1/verify', {
      body: { email },
      headers: { prefer: 'wait=0' },
    });
    return Number(/\d+/.exec(String(answered.headers['content-location']).replace('/v1', ''))![0]);
  };
  const [first, second] = [await single('One@B.test'), await single('two@b.test')];
  const lists = async (query: string) =>
    (await service.call('GET', `/v1/lists?${query}`)).json.lists as { id: number; email?: string | null }[];
  const shown = (all: { id: number; email?: string | null }[]) => all.map(({ id, email }) => [id, email]);
  expect(shown(await lists('single=only&include=email'))).toEqual([
    [second, 'two@b.test'],
    [first, 'one@b.test'],
  ]);
  expect(shown(await lists('single=only&limit=1'))).toEqual([[second, undefined]]);
  expect(shown(await lists('single=true&include=email'))).toEqual([
    [second, 'two@b.test'],
    [first, 'one@b.test'],
    [list.id, null],
  ]);
  expect((await service.call('GET', `/v1/lists/${first}?include=email`)).json).toMatchObject({
    id: first,
    email: 'one@b.test',
  });
  // In another mode, and in another account, there are none.
  for (const key of [testKey, (await service.open()).apiKey])
    expect((await service.call('GET', '/v1/lists?single=only&include=email', { key })).json.lists).toEqual(
      [],
    );
  expect(service.logged.join()).not.toContain('one@b.test');
});
