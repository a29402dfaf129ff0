// What GET /v1/lists/{id} says while the last addresses of a list are still waited for.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { startService, type TestService } from '../../test/http-service.ts';
import { addresses, quiet } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import { startNode } from '../worker/node.ts';
import { startNotifications } from '../worker/notifications.ts';

const checker = createFakeChecker();
let service: TestService;
let stop: () => Promise<void>;
beforeAll(async () => {
  service = await startService();
  const { context } = service;
  const notifications = startNotifications(context.db, quiet);
  const node = startNode({ context, checker, sources: [], keepEvidence: true, log: quiet, notifications });
  stop = async () => {
    await node.stop();
    await notifications.stop();
  };
});
afterAll(async () => {
  await stop();
  await service.close();
});

test('two unresponsive hosts of 261 addresses: 259 results are there while they are waited for, and the list ends', async () => {
  const muted = ['mute1@one.example', 'mute2@two.example'];
  const emails = [
    ...addresses(200, 'ok'),
    muted[0],
    ...addresses(50, 'no'),
    muted[1],
    ...addresses(9, 'unknown'),
  ];
  const { json: submitted } = await service.call('POST', '/v1/lists', { body: { emails } });
  const summary = async () => (await service.call('GET', `/v1/lists/${submitted.id}`)).json;
  const pending = async () => {
    const { json } = await service.call('GET', `/v1/lists/${submitted.id}/results?limit=261`);
    return json.results
      .filter(({ state }: { state: string }) => state === 'pending')
      .map(({ email }: { email: string }) => email);
  };
  const counts = { deliverable: 200, risky: 0, undeliverable: 50, unknown: 9 };
  const partly = { status: 'checking', total: 261, checked: 259, counts };

  // On the wire for the first time, deferred, on the wire for the second time: always the same two.
  for (const times of [1, 2]) {
    await until(() => expect(muted.map((email) => checker.asked.get(email))).toEqual([times, times]));
    await until(async () => expect(await summary()).toMatchObject(partly));
    expect(await pending()).toEqual(muted);
    checker.release();
  }

  const done = { status: 'done', total: 261, checked: 261, counts: { ...counts, unknown: 11 } };
  await until(async () => expect(await summary()).toMatchObject(done));
  const { json: account } = await service.call('GET', '/v1/account');
  expect(account.credits_used).toBe(250);
});
