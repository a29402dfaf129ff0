// Hooks against the real service, and an answer that is lost.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../server/test/http-service.ts';
import { json, startFake } from '../test/fake-service.ts';
import { MXProof } from './index.ts';

let service: TestService;
let mx: MXProof;
beforeAll(async () => {
  service = await startService();
  mx = new MXProof({ apiKey: service.account.apiKey, baseUrl: `http://127.0.0.1:${service.port}` });
});
afterAll(() => service.close());

test('a hook is made, listed without its URL, and deleted', async () => {
  const { url, ...hook } = await mx.hooks.create({ service: 'postmark' });
  expect(url).toMatch(/\/v1\/hooks\/postmark\/[\w-]{43}$/);
  expect(await mx.hooks.list()).toEqual([hook]);
  await expect(mx.hooks.create({ service: 'ses' })).rejects.toMatchObject({ kind: 'bad_topic' });
  await mx.hooks.delete(hook.id);
  expect(await mx.hooks.list()).toEqual([]);
  await expect(mx.hooks.delete(hook.id)).rejects.toMatchObject({ kind: 'hook_not_found' });
});

test('a hook is not asked for again after an answer that was lost', async () => {
  const fake = await startFake((response) => void response.destroy());
  const away = new MXProof({ apiKey: 'mx_test_x', baseUrl: fake.url });
  await expect(away.hooks.create({ service: 'postmark' })).rejects.toThrow();
  expect(fake.seen).toHaveLength(1);
  await fake.close();
});

test('a deletion whose answer was lost is done', async () => {
  const fake = await startFake((response, _request, place) =>
    place === 0
      ? void response.destroy()
      : json(response, 404, { error: 'hook not found' }, { 'mxproof-error': 'hook_not_found' }),
  );
  const flaky = new MXProof({ apiKey: 'mx_test_x', baseUrl: fake.url });
  await flaky.hooks.delete(7);
  expect(fake.seen).toHaveLength(2);
  await fake.close();
});
