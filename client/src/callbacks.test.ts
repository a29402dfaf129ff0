import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startService, type TestService } from '../../server/test/http-service.ts';
import { until } from '../../server/test/until.ts';
import { startFake } from '../test/fake-service.ts';
import { ConnectionFailed, Forbidden, MXProof } from './index.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

const sent = (id: number) =>
  `event: callback\nid: ${id}\ndata: ${JSON.stringify({ list_id: id, url: 'u', headers: {}, body: '{}' })}\n\n`;

test('callbacks come one by one, across connections that break, none twice', async () => {
  const fake = await startFake((response, _request, place) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (place === 0) response.write(`:\n\n${sent(1)}${sent(2)}`, () => response.destroy());
    else if (place === 1) response.destroy();
    else response.write(sent(3));
  });
  const mx = new MXProof({ apiKey: 'mx_test_x', baseUrl: fake.url });
  const got: number[] = [];
  for await (const { list_id } of mx.callbacks.listen()) if (got.push(list_id) === 3) break;
  expect(got).toEqual([1, 2, 3]);
  expect(fake.seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2', '2']);
  await until(() => fake.open === 0);
  await fake.close();
});

test('a service that is not there is said at once, and so is a key that may not listen', async () => {
  const fake = await startFake((response) => void response.destroy());
  const away = new MXProof({ apiKey: 'mx_test_x', baseUrl: fake.url });
  await expect(away.callbacks.listen().next()).rejects.toBeInstanceOf(ConnectionFailed);
  expect(fake.seen).toHaveLength(1);
  await fake.close();
  const live = new MXProof({ apiKey: service.account.apiKey, baseUrl: `http://127.0.0.1:${service.port}` });
  const refused = await live.callbacks
    .listen()
    .next()
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Forbidden);
  expect(refused).toMatchObject({ kind: 'only_test_keys' });
});

test('callbacks of all lists come page by page', async () => {
  const mx = new MXProof({ apiKey: service.account.apiKey, baseUrl: `http://127.0.0.1:${service.port}` });
  const callbackUrl = 'https://example.com/hook';
  const first = await mx.lists.create({ emails: ['a@x.test'], name: 'first', callbackUrl });
  const second = await mx.lists.create({ emails: ['a@x.test'], callbackUrl });
  const entry = {
    url: callbackUrl,
    state: 'pending',
    attempt_count: 0,
    last_attempt: null,
    next_attempt_at: null,
  };
  const [newer, older] = [
    { list_id: second.id, list_name: '', ...entry },
    { list_id: first.id, list_name: 'first', ...entry },
  ];
  expect(await mx.callbacks.list()).toEqual([newer, older]);
  expect(await mx.callbacks.list({ offset: 1, limit: 1 })).toEqual([older]);
});
