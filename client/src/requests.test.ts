// What names an answer, and finding it again, against the real service.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../server/test/http-service.ts';
import { until } from '../../server/test/until.ts';
import { json, startFake } from '../test/fake-service.ts';
import { type AnswerInfo, ListNotFound, MXProof } from './index.ts';

let service: TestService;
let mx: MXProof;
beforeAll(async () => {
  service = await startService();
  mx = new MXProof({ apiKey: service.account.apiKey, baseUrl: `http://127.0.0.1:${service.port}` });
});
afterAll(() => service.close());

test('the id of a success and of a refusal finds the request, and a remembered answer says so', async () => {
  const told: AnswerInfo[] = [];
  const options = { onAnswer: (answer: AnswerInfo) => void told.push(answer), idempotencyKey: 'once' };
  for (let times = 0; times < 2; times++) await mx.lists.create({ emails: ['a@b.test'] }, options);
  expect(told.map(({ status, replayed }) => [status, replayed])).toEqual([
    [201, false],
    [201, true],
  ]);
  const refused = await mx.lists.get(424_242).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ListNotFound);
  const ids = [...told.map(({ requestId }) => requestId), (refused as ListNotFound).requestId];
  const find = async (id: string) => (await mx.requests.list({ id }))[0];
  for (const [at, id] of ids.entries())
    expect(
      await until(async () => {
        const found = await find(id!);
        expect(found).toBeDefined();
        return found;
      }),
    ).toMatchObject(
      at < 2
        ? { id, method: 'POST', route: '/v1/lists', status: 201, error: null }
        : { id, method: 'GET', route: '/v1/lists/{id}', status: 404, error: 'list_not_found' },
    );
  expect((await Array.fromAsync(mx.requests.all({ status: 201 }))).map(({ id }) => id)).toEqual(
    ids.slice(0, 2).reverse(),
  );
});

test('each answer of a call is told, those of retries and refusals included, to the call before the client', async () => {
  const fake = await startFake((response, _request, place) =>
    place === 0
      ? json(response, 503, { error: 'service unavailable' }, { 'x-request-id': 'first', 'retry-after': '0' })
      : json(
          response,
          200,
          { name: 'a', credits: 1, credits_used: 0, lists: 0 },
          { 'x-request-id': 'second' },
        ),
  );
  try {
    const told: unknown[] = [];
    const other = new MXProof({
      apiKey: 'mx_live_x',
      baseUrl: fake.url,
      onAnswer: ({ requestId }) => void told.push(requestId),
    });
    await other.account.get();
    expect(told).toEqual(['first', 'second']);
    await other.account.get({ onAnswer: ({ status }) => void told.push(status) });
    expect(told).toEqual(['first', 'second', 200]);
  } finally {
    await fake.close();
  }
});
