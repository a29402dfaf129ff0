// Endpoints against the real service, and what its bad days do to them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../server/test/http-service.ts';
import { json, startFake } from '../test/fake-service.ts';
import { Conflict, MXProof, NotFound } from './index.ts';

const URL = 'https://example.com/hooks/mxproof';
let service: TestService;
let mx: MXProof;
beforeAll(async () => {
  service = await startService();
  mx = new MXProof({ apiKey: service.account.apiKey, baseUrl: `http://127.0.0.1:${service.port}` });
});
afterAll(() => service.close());

test('an endpoint is made, found, changed, paused, given another secret, and deleted', async () => {
  const made = await mx.webhooks.create({ url: URL, events: ['list.done'], description: 'shop' });
  const { webhook_secret, ...webhook } = made;
  expect(webhook_secret).toMatch(/^whsec_/);
  expect(await mx.webhooks.get(made.id)).toEqual(webhook);
  expect(await mx.webhooks.list()).toEqual([webhook]);
  const changed = await mx.webhooks.update(made.id, { events: ['list.failed', 'credits.low'], paused: true });
  expect(changed).toMatchObject({ url: URL, description: 'shop', events: ['list.failed', 'credits.low'] });
  expect(changed.paused_at).toBeTypeOf('number');
  await expect(mx.webhooks.test(made.id)).rejects.toBeInstanceOf(Conflict);
  expect((await mx.webhooks.update(made.id, { paused: false })).paused_at).toBeNull();
  const other = await mx.webhooks.rotateSecret(made.id);
  expect(other).toMatch(/^whsec_/);
  expect(other).not.toBe(webhook_secret);
  await mx.webhooks.delete(made.id);
  await expect(mx.webhooks.get(made.id)).rejects.toBeInstanceOf(NotFound);
  await expect(mx.webhooks.delete(made.id)).rejects.toMatchObject({ kind: 'webhook_not_found' });
});

test('deliveries are read page by page and all, by their state, and sent again', async () => {
  const { id } = await mx.webhooks.create({ url: URL, events: ['list.done'] });
  const first = await mx.webhooks.test(id);
  const second = await mx.webhooks.test(id);
  expect(first).toMatchObject({ event: 'test', state: 'pending', list_id: null, attempts: [] });
  expect(await mx.webhooks.deliveries(id)).toEqual([second, first]);
  expect(await mx.webhooks.deliveries(id, { offset: 1, limit: 1 })).toEqual([first]);
  expect(await mx.webhooks.deliveries(id, { state: 'failed' })).toEqual([]);
  expect(await Array.fromAsync(mx.webhooks.allDeliveries(id, { state: 'pending' }))).toEqual([second, first]);
  await expect(mx.webhooks.resend(id, first.id)).rejects.toMatchObject({ kind: 'delivery_pending' });
  await service.context.db.query("UPDATE mxproof.webhook_deliveries SET state = 'failed'");
  expect(await mx.webhooks.resend(id, first.id)).toMatchObject({ id: first.id, state: 'pending' });
  for (const wrong of ['', '..', 'a/b', 'x'.repeat(65)])
    expect(() => mx.webhooks.resend(id, wrong)).toThrow(TypeError);
});

test('what happens while deliveries are read moves the pages, and nothing comes twice', async () => {
  const deliveries = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => ({ id: `d${from + at}` }));
  const fake = await startFake((response, { path }) =>
    // One more has happened when the second page is asked for.
    json(response, 200, {
      deliveries: path.includes('offset=0') ? deliveries(0, 1_000) : deliveries(999, 1_500),
    }),
  );
  const far = new MXProof({ apiKey: 'mx_test_x', baseUrl: fake.url });
  const ids = (await Array.fromAsync(far.webhooks.allDeliveries(7))).map(({ id }) => id);
  expect(ids).toEqual(deliveries(0, 1_500).map(({ id }) => id));
  await fake.close();
});

test('what would be done twice is not asked for again after an answer that was lost', async () => {
  const fake = await startFake((response) => void response.destroy());
  const away = new MXProof({ apiKey: 'mx_test_x', baseUrl: fake.url });
  const calls = [
    away.webhooks.create({ url: URL, events: ['list.done'] }),
    away.webhooks.test(7),
    away.webhooks.rotateSecret(7),
    away.webhooks.resend(7, 'd1'),
  ];
  for (const call of await Promise.allSettled(calls)) expect(call.status).toBe('rejected');
  expect(fake.seen).toHaveLength(calls.length);
  await fake.close();
});

test('an endpoint that an attempt in doubt has deleted is deleted', async () => {
  const fake = await startFake((response, _request, place) =>
    place === 0
      ? void response.destroy()
      : json(response, 404, { error: 'x' }, { 'mxproof-error': 'webhook_not_found' }),
  );
  const flaky = new MXProof({ apiKey: 'mx_test_x', baseUrl: fake.url });
  await flaky.webhooks.delete(7);
  expect(fake.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(
    Array(2).fill('DELETE /v1/webhooks/7'),
  );
  await fake.close();
});

test('where credits are low is set, shown and taken back', async () => {
  const settings = async () => (await mx.account.get({ include: 'settings' })).settings;
  expect(await settings()).toEqual({ low_credits: null, outcomes: false });
  expect((await mx.account.update({ low_credits: 500 })).settings).toEqual({
    low_credits: 500,
    outcomes: false,
  });
  expect(await settings()).toEqual({ low_credits: 500, outcomes: false });
  await mx.account.update({ low_credits: null });
  expect((await mx.account.get({ include: ['settings', 'retention'] })).settings).toEqual({
    low_credits: null,
    outcomes: false,
  });
});
