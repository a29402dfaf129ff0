import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFakeChecker, type FakeChecker } from '../../../test/fake-checker.ts';
import { startService, type TestService } from '../../../test/http-service.ts';
import { quiet } from '../../../test/service.ts';
import { until } from '../../../test/until.ts';
import { accepted } from '../../../test/verdicts.ts';
import { startNode } from '../../worker/node.ts';
import { startNotifications } from '../../worker/notifications.ts';

let service: TestService;
let checker: FakeChecker;
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  service = await startService();
  checker = createFakeChecker({
    laterMs: 3_600_000,
    slowFor: () => ({ why: 'rate_limited', host: 'mx.example.net' }),
  });
});
afterAll(async () => {
  for (const close of closers) await close();
  await service.close();
});

/** From here on the lists of this file are worked on. */
function startChecking(): void {
  const { context } = service;
  const notifications = startNotifications(context.db, quiet);
  const node = startNode({ context, checker, sources: [], keepEvidence: false, log: quiet, notifications });
  closers.push(node.stop, notifications.stop);
}

const submit = async (emails: readonly string[], key = service.account.apiKey) =>
  (await service.call('POST', '/v1/lists', { body: { emails }, key })).json;
const NOTHING = { pending: 0, checking: 0, done_by: null, waiting: [] };

test('a list that no node has taken yet is queued; a finished one waits for nothing', async () => {
  const { id, created_at } = await submit(['a@x.test', 'b@x.test']);
  const { status, json } = await service.call('GET', `/v1/lists/${id}/waiting`);
  expect([status, json]).toEqual([
    200,
    {
      pending: 2,
      checking: 0,
      done_by: expect.any(Number),
      waiting: [
        { why: 'queued', host: null, provider: null, addresses: 2, attempt: 1, next_attempt_at: null },
      ],
    },
  ]);
  expect(json.done_by - created_at - 14_400).toBeOneOf([0, 1]);
  await service.find(id, { 0: accepted, 1: accepted });
  expect((await service.call('GET', `/v1/lists/${id}/waiting`)).json).toEqual(NOTHING);
});

test('it costs one request; unknown lists and lists of others are not found', async () => {
  const { id } = await submit(['a@x.test']);
  const { apiKey } = await service.open();
  const remaining = ({ headers }: { headers: Record<string, unknown> }) =>
    Number(/"requests";r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
  const first = await service.call('GET', `/v1/lists/${id}/waiting`);
  const second = await service.call('GET', `/v1/lists/${id}/waiting`);
  expect(remaining(first) - remaining(second)).toBe(1);
  for (const [path, key] of [
    [`/v1/lists/${id}/waiting`, apiKey],
    ['/v1/lists/999999/waiting', service.account.apiKey],
    ['/v1/lists/x/waiting', service.account.apiKey],
  ] as const) {
    const { status, json } = await service.call('GET', path, { key });
    expect([status, json]).toEqual([404, { error: 'list not found' }]);
  }
  await service.call('POST', `/v1/lists/${id}/cancel`);
  expect((await service.call('GET', `/v1/lists/${id}/waiting`)).json).toEqual(NOTHING);
});

test('what is at a node and what waits in jobs is told together, by every node that answers', async () => {
  startChecking();
  const { id } = await submit(['ok@x.test', 'slow1@x.test', 'slow2@x.test', 'wait@x.test']);
  await until(async () => {
    const { json } = await service.call('GET', `/v1/lists/${id}/waiting`);
    expect(json).toMatchObject({
      pending: 3,
      checking: 0,
      waiting: [
        { why: 'rate_limited', host: 'mx.example.net', provider: null, addresses: 2, attempt: 1 },
        { why: 'greylisted', addresses: 1, attempt: 2, next_attempt_at: expect.any(Number) },
      ],
    });
  });
  checker.release();
});

test('a test list tells of its slow addresses', async () => {
  const { json: key } = await service.call('POST', '/v1/keys', { body: { label: 'ci', test: true } });
  const { id } = await submit(['anna+slow@example.com', 'ben@example.com'], key.api_key);
  await until(async () => {
    const { json } = await service.call('GET', `/v1/lists/${id}/waiting`, { key: key.api_key });
    expect(json).toMatchObject({
      pending: 1,
      checking: 0,
      waiting: [{ why: 'greylisted', host: 'mx.mxproof.test', addresses: 1, attempt: 2 }],
    });
  });
});
