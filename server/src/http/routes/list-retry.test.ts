import type { Verdict } from '@mxproof/engine';
import { afterEach, expect, test } from 'vitest';
import {
  type CallOptions,
  startService,
  type TestResponse,
  type TestService,
} from '../../../test/http-service.ts';
import { accepted } from '../../../test/verdicts.ts';
import { verifyLedger } from '../../store/verify-ledger.ts';

const unknown = { ...accepted, state: 'unknown', reason: 'no_connect', score: 0 } as const;

let service: TestService;
afterEach(async () => {
  expect((await verifyLedger(service.context.db)).differences).toEqual([]);
  await service.close();
});

const call = (method: string, path: string, options?: CallOptions) => service.call(method, path, options);
/** A finished list of which so many addresses are unknown. */
async function unknownList(count: number): Promise<{ id: number; path: string }> {
  const emails = Array.from({ length: count }, (_, n) => `a${n}@b.test`);
  const { json } = await call('POST', '/v1/lists', { body: { emails } });
  await service.find(json.id, Object.fromEntries(emails.map((_, n) => [n, unknown])));
  return { id: json.id, path: `/v1/lists/${json.id}` };
}
const pathOf = ({ headers }: TestResponse) => ({ path: String(headers.location) });
/** In the order of its addresses. */
const answer = (made: TestResponse, ...verdicts: readonly Verdict[]) =>
  service.find(made.json.id, { ...verdicts });
async function emailsOf(made: TestResponse): Promise<string[]> {
  expect(made.status).toBe(201);
  const { json } = await call('GET', `${pathOf(made).path}/results`);
  return json.results.map(({ email }: { email: string }) => email);
}
const retry = ({ path }: { path: string }, key?: string) =>
  call('POST', `${path}/retry`, key === undefined ? {} : { headers: { 'idempotency-key': key } });
const statusAndJson = ({ status, json }: TestResponse) => [status, json];
const account = async () => (await call('GET', '/v1/account')).json;
const window = (answered: TestResponse, kind: string) =>
  Number(new RegExp(`"${kind}";r=(\\d+)`).exec(String(answered.headers.ratelimit))?.[1]);

test('it counts one request and its addresses; refused by the window or for want of credits it counts no address', async () => {
  service = await startService({ limits: { rateRequests: 100, rateAddresses: 10 }, credits: 4 });
  const list = await unknownList(4);
  const before = window(await call('GET', list.path), 'requests');
  const retried = await retry(list);
  expect(retried.status).toBe(201);
  expect([window(retried, 'requests'), window(retried, 'addresses')]).toEqual([before - 1, 2]);

  await answer(retried, unknown, unknown, unknown, unknown);
  // The window comes before the credits, and its refusal costs nothing at all.
  const full = await retry(list);
  expect(statusAndJson(full)).toEqual([429, { error: 'rate limit exceeded' }]);
  expect(Number(full.headers['retry-after'])).toBeGreaterThan(0);
  expect(window(await call('GET', list.path), 'requests')).toBe(before - 2);
  await service.close();

  service = await startService({ limits: { rateRequests: 100, rateAddresses: 12 }, credits: 4 });
  const again = await unknownList(4);
  await call('POST', '/v1/lists', { body: { emails: ['a@c.test', 'b@c.test', 'c@c.test', 'd@c.test'] } });
  for (let n = 0; n < 3; n++) {
    const short = await retry(again);
    expect(statusAndJson(short)).toEqual([402, { error: 'insufficient credits: 4 needed' }]);
    expect(window(short, 'addresses')).toBe(4);
  }
  expect(await account()).toMatchObject({ credits: 0, lists: 2 });
});

test('of retries at the same moment one is made; with the same Idempotency-Key all are told of it', async () => {
  service = await startService({ credits: 1_000 });
  const list = await unknownList(3);
  const all = await Promise.all(Array.from({ length: 6 }, () => retry(list)));
  expect(all.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  for (const { status, headers } of all)
    if (status === 409) expect(headers['mxproof-error']).toBe('nothing_to_retry');
  expect(await account()).toMatchObject({ credits: 997, lists: 2 });
  await answer(all.find(({ status }) => status === 201)!, unknown, unknown, unknown);
  expect(await account()).toMatchObject({ credits: 1_000, lists: 2 });

  const same = await Promise.all(Array.from({ length: 8 }, () => retry(list, 'one')));
  expect(new Set(same.map(({ status, text, headers }) => `${status} ${headers.location} ${text}`)).size).toBe(
    1,
  );
  expect(same[0]!.status).toBe(201);
  expect(await account()).toMatchObject({ credits: 997, lists: 3 });

  // The first answer again, also when the list is gone; a key that was used for another list is a mistake.
  await call('DELETE', list.path);
  const later = await retry(list, 'one');
  expect([later.status, later.headers.location, later.text]).toEqual([
    201,
    same[0]!.headers.location,
    same[0]!.text,
  ]);
  expect((await retry(list, 'two')).status).toBe(404);
  const other = await unknownList(2);
  expect((await retry(other, 'one')).status).toBe(422);
  expect((await retry(other, 'x'.repeat(256))).status).toBe(400);
  // A refusal is not remembered.
  expect((await retry(other, 'two')).status).toBe(201);
});

test('with credits for one, of two retries with the same key both are told of it', async () => {
  service = await startService({ credits: 300 });
  const list = await unknownList(300);
  const both = await Promise.all([retry(list, 'one'), retry(list, 'one')]);
  expect(both.map(({ status }) => status)).toEqual([201, 201]);
  expect(both[0]!.json).toEqual(both[1]!.json);
  expect(await account()).toMatchObject({ credits: 0, credits_used: 300, lists: 2 });
});

test('of a list that was cancelled also the addresses that were never checked are retried', async () => {
  service = await startService();
  const { json } = await call('POST', '/v1/lists', {
    body: { emails: ['a@b.test', 'b@b.test', 'c@b.test', 'd@b.test'] },
  });
  await service.find(json.id, { 0: accepted, 2: unknown });
  const path = `/v1/lists/${json.id}`;
  await call('POST', `${path}/cancel`);
  const before = await account();
  expect(await emailsOf(await retry({ path }))).toEqual(['b@b.test', 'c@b.test', 'd@b.test']);
  expect(await account()).toMatchObject({ credits: before.credits - 3 });
});

test('a retry takes what earlier retries have left open, and none runs beside another', async () => {
  service = await startService({ credits: 1_000 });
  const list = await unknownList(4);
  const first = await retry(list);
  expect(statusAndJson(await retry(list))).toEqual([409, { error: 'nothing to retry' }]);
  await answer(first, accepted, unknown, accepted, unknown);
  const second = await retry(list);
  expect(await emailsOf(second)).toEqual(['a1@b.test', 'a3@b.test']);
  // The first retry is retried with it: its own are open no more while this one runs.
  expect((await retry(pathOf(first))).status).toBe(409);
  await answer(second, accepted);
  await call('POST', `${pathOf(second).path}/cancel`);
  const third = await retry(pathOf(first));
  expect(await emailsOf(third)).toEqual(['a3@b.test']);
  await answer(third, accepted);
  for (const one of [list, pathOf(first), pathOf(second)])
    expect(statusAndJson(await retry(one))).toEqual([409, { error: 'nothing to retry' }]);
  // What a deleted retry had answered is open again.
  await call('DELETE', pathOf(third).path);
  expect(await emailsOf(await retry(list))).toEqual(['a3@b.test']);
  expect(await account()).toMatchObject({ credits: 1_000 - 2 - 1 - 1 - 1 });
});

test('what retries have answered takes no place in the addresses window', async () => {
  service = await startService({ limits: { rateRequests: 100, rateAddresses: 16 }, credits: 100 });
  const list = await unknownList(4);
  const first = await retry(list);
  await answer(first, accepted, accepted, accepted, unknown);
  expect(window(await retry(list), 'addresses')).toBe(16 - 4 - 4 - 1);
});
