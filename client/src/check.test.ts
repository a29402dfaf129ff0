// Single checks that take longer than the service waits: followed by reading, never posted again.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../server/test/http-service.ts';
import { accepted } from '../../server/test/verdicts.ts';
import { type FakeService, json, LIST, ROW, startFake } from '../test/fake-service.ts';
import { DeadlineExceeded, ListFailed, MXProof } from './index.ts';

let service: TestService;
const requests: string[] = [];
let mx: MXProof;
beforeAll(async () => {
  // Checks that end when the test says so.
  const singles = { makeWay: () => () => {}, begin() {}, finished: async () => null };
  service = await startService({ singles, limits: { verifyWaitSeconds: 0 } });
  mx = new MXProof({
    apiKey: service.account.apiKey,
    baseUrl: `http://127.0.0.1:${service.port}`,
    async fetch(url, init) {
      requests.push(`${init?.method} ${new URL(String(url)).pathname}`);
      const answer = await fetch(url, init);
      // The first read finds it unfinished, the second one done.
      const reads = requests.filter((request) => /^GET \/v1\/lists\/\d+$/.test(request)).length;
      if (reads === 1) await service.find(Number(requests.at(-1)!.split('/').at(-1)), { 0: accepted });
      return answer;
    },
  });
});
afterAll(() => service.close());
let fake: FakeService | undefined;
afterEach(async () => {
  requests.length = 0;
  await fake?.close();
  fake = undefined;
});

test('a 202 is followed to the result, in the same shape as a 200, and is charged once', async () => {
  const before = await mx.account.get();
  const result = await mx.verify('Slow@x.test');
  expect(result).toMatchObject({ email: 'slow@x.test', state: 'deliverable' });
  expect(result).not.toHaveProperty('provider');
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual(['POST /v1/verify']);
  expect((await mx.account.get()).credits).toBe(before.credits - 1);
});

test('what is to be included is in the result, answered at once or followed', async () => {
  const include = ['detail', 'checked_at'] as const;
  const followed = await mx.verify('Slow@gmial.com', { include });
  expect(followed).toMatchObject({ detail: 'accepted', checked_at: expect.any(Number) });
  expect(followed).not.toHaveProperty('provider');
  expect(followed).not.toHaveProperty('suggestion');
  const { listId } = await mx.verify('again@gmial.com', { wait: false });
  await service.find(listId, { 0: accepted });
  expect(await mx.check(listId, { include: ['provider', 'suggestion'] }).result()).toMatchObject({
    provider: 'other',
    suggestion: 'gmail.com',
  });
  const at = await startService();
  const quick = new MXProof({ apiKey: at.account.apiKey, baseUrl: `http://127.0.0.1:${at.port}` });
  expect(await quick.verify('quick@x.test', { include: 'detail' })).toMatchObject({
    detail: expect.any(String),
  });
  await at.close();
});

test('without waiting there is a handle, whose result can be awaited later, twice, and by its list id', async () => {
  const check = await mx.verify('later@x.test', { wait: false });
  expect(requests).toEqual(['POST /v1/verify']);
  const result = await check.result();
  expect(result.state).toBe('deliverable');
  expect(await check.result()).toEqual(result);
  expect(await mx.check(check.listId).result()).toEqual(result);
  expect(requests.filter((request) => request.startsWith('POST'))).toHaveLength(1);
});

test('a handle of a check that was answered at once has its result and its list', async () => {
  const at = await startService();
  const quick = new MXProof({ apiKey: at.account.apiKey, baseUrl: `http://127.0.0.1:${at.port}` });
  const check = await quick.verify('quick@x.test', { wait: false });
  expect(await check.result()).toMatchObject({ email: 'quick@x.test' });
  expect(await quick.lists.get(check.listId)).toMatchObject({ total: 1, status: 'done' });
  await at.close();
});

test('a wait in seconds gives a handle that has the result if it came by then, for forms', async () => {
  const at = await startService();
  const quick = new MXProof({ apiKey: at.account.apiKey, baseUrl: `http://127.0.0.1:${at.port}` });
  const { answer, listId } = await quick.verify('quick@x.test', { wait: 3 });
  expect(answer).toMatchObject({ email: 'quick@x.test', state: 'deliverable' });
  expect(await quick.check(listId).result()).toEqual(answer);
  await at.close();
  const waits: unknown[] = [];
  fake = await startFake((response, { headers }) => {
    waits.push(headers.prefer);
    json(response, 202, { state: 'pending', list_id: 9 });
  });
  const slow = new MXProof({ apiKey: 'k', baseUrl: fake.url });
  expect(await slow.verify('a@x.test', { wait: 3 })).toMatchObject({ answer: null, listId: 9 });
  expect(await slow.verify('a@x.test', { wait: false })).toMatchObject({ answer: null, listId: 9 });
  expect(waits).toEqual(['wait=3', 'wait=0']);
  for (const wait of [-1, 0.5, 301, Number.NaN])
    await expect(slow.verify('a@x.test', { wait })).rejects.toBeInstanceOf(TypeError);
  expect(waits).toHaveLength(2);
});

test('a check that takes longer than the deadline says which list will have its result', async () => {
  fake = await startFake((response, { path }) => {
    if (path === '/v1/verify') json(response, 202, { state: 'pending', list_id: 9 });
    else json(response, 200, { ...LIST, id: 9 });
  });
  const mine = new MXProof({ apiKey: 'k', baseUrl: fake.url, deadlineMs: 200 });
  const usual = new MXProof({ apiKey: 'k', baseUrl: fake.url });
  const tries = [
    () => mine.verify('a@x.test'),
    () => usual.verify('a@x.test', { deadlineMs: 200 }),
    () => usual.check(9).result({ deadlineMs: 200 }),
  ];
  for (const attempt of tries) {
    const late = await attempt().catch((error: unknown) => error);
    expect(late).toBeInstanceOf(DeadlineExceeded);
    expect(late).toMatchObject({ listId: 9 });
  }
  expect(fake.seen.filter(({ method }) => method === 'POST')).toHaveLength(2);
});

test('with a key that only verifies, a 202 is followed by reading the result alone', async () => {
  const made = await mx.account.keys.create({ label: 'form', access: 'verify' });
  let reads = 0;
  const form = new MXProof({
    apiKey: made.api_key,
    baseUrl: `http://127.0.0.1:${service.port}`,
    async fetch(url, init) {
      const answer = await fetch(url, init);
      const id = /^\/v1\/lists\/(\d+)\/results$/.exec(new URL(String(url)).pathname)?.[1];
      // The first read finds it pending.
      if (id !== undefined && ++reads === 1) await service.find(Number(id), { 0: accepted });
      return answer;
    },
  });
  expect(await form.verify('slow@x.test', { include: 'detail' })).toMatchObject({
    state: 'deliverable',
    detail: 'accepted',
  });
  await expect(form.lists.create({ emails: ['a@x.test'] })).rejects.toMatchObject({ kind: 'key_access' });
});

test('a check that failed inside the service is an error that names its list', async () => {
  fake = await startFake((response, { path }) => {
    if (path === '/v1/verify') return json(response, 202, { state: 'pending', list_id: 9 });
    if (path.includes('/results')) return json(response, 200, { results: [{ ...ROW, state: 'pending' }] });
    json(response, 200, { ...LIST, id: 9, status: 'failed' });
  });
  const failed = await new MXProof({ apiKey: 'k', baseUrl: fake.url })
    .verify('a@x.test')
    .catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(ListFailed);
  expect(failed).toMatchObject({ listId: 9 });
});
