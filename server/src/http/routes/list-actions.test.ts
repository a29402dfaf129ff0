import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFakeChecker } from '../../../test/fake-checker.ts';
import { type CallOptions, startService, type TestService } from '../../../test/http-service.ts';
import { quiet } from '../../../test/service.ts';
import { until } from '../../../test/until.ts';
import { accepted } from '../../../test/verdicts.ts';
import { verifyLedger } from '../../store/verify-ledger.ts';
import { startNotifications } from '../../worker/notifications.ts';
import { createSingleChecks } from '../../worker/single-checks.ts';

const unknown = { ...accepted, state: 'unknown', reason: 'no_connect', score: 0 } as const;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  expect((await verifyLedger(service.context.db)).differences).toEqual([]);
  await service.close();
});

/** An account of its own with a list of so many addresses. */
async function listOf(count: number, { credits = 100, more = {} } = {}) {
  const owner = await service.open({ credits });
  const call = (method: string, path: string, options: CallOptions = {}) =>
    service.call(method, path, { key: owner.apiKey, ...options });
  const emails = Array.from({ length: count }, (_, n) => `a${n}@b.test`);
  const { json } = await call('POST', '/v1/lists', { body: { emails, name: 'spring', ...more } });
  const path = `/v1/lists/${json.id}`;
  const account = async () => {
    const { credits: left, credits_used: used, lists } = (await call('GET', '/v1/account')).json;
    return { left, used, lists };
  };
  return { call, path, list: json, account };
}
const statusAndJson = ({ status, json }: { status: number; json: unknown }) => [status, json];

test('another account’s list is not found, whatever is asked of it', async () => {
  const { path } = await listOf(1, { more: { callback_url: 'https://b.test/' } });
  const asked = [
    ['GET', '/events'],
    ['GET', '/callback'],
    ['POST', '/callback/resend'],
    ['POST', '/cancel'],
    ['POST', '/pause'],
    ['POST', '/resume'],
    ['POST', '/retry'],
  ] as const;
  for (const of of [path, '/v1/lists/01', '/v1/lists/9007199254740993']) {
    for (const [method, act] of asked)
      expect(statusAndJson(await service.call(method, `${of}${act}`))).toEqual([
        404,
        { error: 'list not found' },
      ]);
    const renamed = await service.call('PATCH', of, { body: { name: 'mine' } });
    expect(statusAndJson(renamed)).toEqual([404, { error: 'list not found' }]);
  }
});

test('a list is renamed by the rules of a name at submission, a single check too', async () => {
  const { call, path, list } = await listOf(1);
  const name = `\u0000 ${'😀'.repeat(198)}`;
  expect(statusAndJson(await call('PATCH', path, { body: { name } }))).toEqual([200, { ...list, name }]);
  expect((await call('GET', path)).json.name).toBe(name);
  for (const [body, error] of [
    [{}, 'name must be a string'],
    [[], 'name must be a string'],
    [{ name: null }, 'name must be a string'],
    [{ name: 'x'.repeat(201) }, 'name too long'],
  ] as const)
    expect(statusAndJson(await call('PATCH', path, { body }))).toEqual([400, { error }]);
  expect(statusAndJson(await call('PATCH', path, { raw: '{' }))).toEqual([400, { error: 'invalid JSON' }]);
  expect((await call('GET', path)).json.name).toBe(name);

  const checked = await call('POST', '/v1/verify', { body: { email: 'a@b.test' } });
  const single = checked.headers['content-location']!.replace('/results', '');
  expect((await call('PATCH', single, { body: { name: '' } })).json).toMatchObject({ name: '', total: 1 });
});

test('a cancelled list has failed: what is checked stays and is paid for, the rest is refunded', async () => {
  const { call, path, list, account } = await listOf(5, { more: { callback_url: 'https://b.test/' } });
  await service.find(list.id, { 0: accepted, 3: unknown });
  const cancelled = await call('POST', `${path}/cancel`);
  expect(statusAndJson(cancelled)).toEqual([
    200,
    {
      ...list,
      status: 'failed',
      checked: 2,
      counts: { deliverable: 1, risky: 0, undeliverable: 0, unknown: 1 },
      finished_at: expect.any(Number),
    },
  ]);
  expect(await account()).toEqual({ left: 99, used: 1, lists: 1 });
  const { json } = await call('GET', `${path}/results`);
  expect(json.results.map(({ state }: { state: string }) => state)).toEqual([
    ...['deliverable', 'pending', 'pending', 'unknown', 'pending'],
  ]);
  expect(statusAndJson(await call('POST', `${path}/cancel`))).toEqual([409, { error: 'list is finished' }]);
  // No callback is sent for it, and a late answer changes nothing.
  expect(statusAndJson(await call('GET', `${path}/callback`))).toEqual([404, { error: 'no callback' }]);
  await service.find(list.id, { 1: accepted });
  expect((await call('GET', path)).json).toEqual(cancelled.json);
  expect(await account()).toEqual({ left: 99, used: 1, lists: 1 });
});

test('a single check that is cancelled while it is waited for answers 202 at once, and its list has failed', async () => {
  const checker = createFakeChecker();
  const own = await startService({
    singles: {
      makeWay: () => () => {},
      begin: (...check) => singles.begin(...check),
      finished: (...wait) => singles.finished(...wait),
    },
  });
  const notifications = startNotifications(own.context.db, quiet);
  const singles = createSingleChecks({
    context: own.context,
    checker,
    keepEvidence: false,
    log: quiet,
    notifications,
    stopGraceMs: 0,
  });
  try {
    const waiting = own.call('POST', '/v1/verify', {
      body: { email: 'slow@b.test' },
      headers: { 'idempotency-key': 'one' },
    });
    await until(() => expect(checker.asked.size).toBe(1));
    const { json: page } = await own.call('GET', '/v1/lists?single=true');
    const cancelled = await own.call('POST', `/v1/lists/${page.lists[0].id}/cancel`);
    expect(cancelled.json).toMatchObject({ status: 'failed', checked: 0 });
    const answered = [202, { state: 'pending', list_id: page.lists[0].id }];
    expect(statusAndJson(await waiting)).toEqual(answered);
    // The mail server's answer comes too late, and a repeat gets the first answer.
    checker.release();
    const repeat = { body: { email: 'slow@b.test' }, headers: { 'idempotency-key': 'one' } };
    expect(statusAndJson(await own.call('POST', '/v1/verify', repeat))).toEqual(answered);
    expect((await own.call('GET', '/v1/account')).json).toMatchObject({ credits_used: 0, lists: 1 });
    expect((await verifyLedger(own.context.db)).differences).toEqual([]);
  } finally {
    checker.release();
    await singles.stop();
    await notifications.stop();
    await own.close();
  }
});
test('a retry is a new list of the unknown addresses, in their order, charged like any', async () => {
  const { call, path, list, account } = await listOf(600, {
    credits: 1_000,
    more: { callback_url: 'https://b.test/' },
  });
  expect(statusAndJson(await call('POST', `${path}/retry`))).toEqual([
    409,
    { error: 'list is not finished' },
  ]);
  const isUnknown = (n: number) => n % 2 === 1 || n > 300;
  await service.find(
    list.id,
    Object.fromEntries(Array.from({ length: 600 }, (_, n) => [n, isUnknown(n) ? unknown : accepted])),
  );
  const before = await account();
  const retried = await call('POST', `${path}/retry`);
  const again = Array.from({ length: 600 }, (_, n) => n).filter(isUnknown);
  expect(retried.status).toBe(201);
  expect(retried.headers.location).toBe(`/v1/lists/${retried.json.id}`);
  expect(retried.json).toMatchObject({
    name: 'spring',
    status: 'processing',
    total: again.length,
    duplicates_removed: 0,
    checked: 0,
  });
  const { json } = await call('GET', `/v1/lists/${retried.json.id}/results?limit=1000`);
  expect(json.results.map(({ email }: { email: string }) => email)).toEqual(again.map((n) => `a${n}@b.test`));
  expect(await account()).toEqual({
    left: before.left - again.length,
    used: before.used + again.length,
    lists: 2,
  });
  expect(statusAndJson(await call('GET', `/v1/lists/${retried.json.id}/callback`))).toEqual([
    404,
    { error: 'no callback' },
  ]);

  // Every state but unknown: nothing is left to retry.
  await service.find(retried.json.id, Object.fromEntries(again.map((_, n) => [n, accepted])));
  const nothing = await call('POST', `/v1/lists/${retried.json.id}/retry`);
  expect(statusAndJson(nothing)).toEqual([409, { error: 'nothing to retry' }]);
});

test("an account's retries hold few lists in memory at once, and leave a turn to other accounts", async () => {
  const [many, one] = [await listOf(1), await listOf(1)];
  for (const { list } of [many, one]) await service.find(list.id, { 0: unknown });
  const { db } = service.context;
  // A retry takes its addresses from the window when its turn has come, before it reads them.
  const addressesTaken = async () => {
    const rows = await db.query<{ taken: string }>(
      `SELECT taken FROM mxproof.rate_windows WHERE kind = 'account_addresses'`,
    );
    const counts = rows.flatMap(({ taken }) =>
      (JSON.parse(taken) as number[]).filter((_, at) => at % 2 === 1),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const before = await addressesTaken();
  const retries: Promise<{ status: number }>[] = [];
  await db.transaction(async (tx) => {
    await tx.query('LOCK TABLE mxproof.chunks IN ACCESS EXCLUSIVE MODE');
    for (let n = 0; n < 8; n++) retries.push(many.call('POST', `${many.path}/retry`));
    await until(async () => expect((await addressesTaken()) - before).toBe(4));
    // By the end of it all of them would have begun.
    await db.query('SELECT pg_sleep(1)');
    expect((await addressesTaken()) - before).toBe(4);
    retries.push(one.call('POST', `${one.path}/retry`));
    await until(async () => expect((await addressesTaken()) - before).toBe(5));
  });
  const statuses = (await Promise.all(retries)).map(({ status }) => status);
  expect(statuses.pop()).toBe(201);
  // Of one list's retries one is made.
  expect(statuses.sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
});
