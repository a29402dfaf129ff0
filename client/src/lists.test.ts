// What is done to a list, against the real service; and what is told when an answer was lost.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startService, type TestService } from '../../server/test/http-service.ts';
import { accepted } from '../../server/test/verdicts.ts';
import { startFlakyProxy } from '../test/flaky-proxy.ts';
import { Conflict, ListNotFound, MXProof, NotFound } from './index.ts';

let service: TestService;
let mx: MXProof;
beforeAll(async () => {
  service = await startService();
  mx = new MXProof({ apiKey: service.account.apiKey, baseUrl: `http://127.0.0.1:${service.port}` });
});
afterAll(() => service.close());
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

const unknown = { ...accepted, state: 'unknown', reason: 'no_connect', detail: 'timeout', score: 0 } as const;

test('all lists, callbacks and entries of the history are read in a loop, newest first', async () => {
  const made = [];
  for (const name of ['one', 'two', 'three']) {
    const callbackUrl = 'https://shop.example/hook';
    made.unshift((await mx.lists.create({ emails: ['a@x.test'], name, callbackUrl })).id);
  }
  const all = await Array.fromAsync(mx.lists.all({ status: 'processing' }));
  expect(all.map(({ id }) => id).slice(0, 3)).toEqual(made);
  const callbacks = await Array.fromAsync(mx.callbacks.all());
  expect(callbacks.map(({ list_id }) => list_id)).toEqual(made);
  const charges = await Array.fromAsync(mx.account.allHistory({ kind: 'charge' }));
  expect(charges.map(({ list_id }) => list_id).slice(0, 3)).toEqual(made);
});

test('a list is renamed, broken down, filtered and retried', async () => {
  const { id } = await mx.lists.create({ emails: ['a@x.test', 'b@x.test', 'c@y.test'] });
  expect(await mx.lists.rename(id, 'autumn')).toMatchObject({ id, name: 'autumn' });
  await service.find(id, { 0: accepted, 1: unknown, 2: accepted });
  expect(await mx.lists.breakdown(id)).toMatchObject({
    reasons: { accepted_email: 2, no_connect: 1 },
    details: { accepted: 2, timeout: 1 },
  });
  const found = await Array.fromAsync(mx.lists.results(id, { state: ['unknown', 'risky'] }));
  expect(found).toMatchObject([{ email: 'b@x.test', position: 1 }]);
  const waited = await Array.fromAsync(
    mx.lists.results(id, { detail: ['timeout', 'greylisted'], include: ['detail', 'suggestion'] }),
  );
  expect(waited).toMatchObject([{ email: 'b@x.test', position: 1, detail: 'timeout', suggestion: null }]);
  const csv = await Array.fromAsync(mx.lists.csv(id, { detail: 'timeout', include: 'detail' }));
  expect(csv.join('')).toMatch(/,provider,detail\r\nb@x\.test,.*,other,timeout\r\n$/);
  const { total, results } = await mx.lists.page(id, { state: 'deliverable', limit: 1 });
  expect([total, results.length]).toEqual([2, 1]);
  const again = await mx.lists.retry(id);
  expect(again).toMatchObject({ name: 'autumn', total: 1 });
  expect(await mx.lists.retries(id)).toEqual([again.id]);
});

test('misspelt addresses are checked as they were meant, once however often it is asked', async () => {
  const proxy = await startFlakyProxy(service.port, (place) => (place % 2 === 0 ? 'lost' : 'none'));
  const { apiKey } = await service.open({ credits: 8 });
  const flaky = new MXProof({ apiKey, baseUrl: proxy.url });
  const emails = ['a@gmial.com', 'b@gmai.com', 'c@x.test'];
  const { id } = await flaky.lists.create({ emails });
  const gone = { ...accepted, state: 'undeliverable', reason: 'invalid_domain', score: 0 } as const;
  await service.find(id, { 0: gone, 1: gone, 2: gone });
  const one = await flaky.lists.correct(id, { domains: ['gmial.com'] });
  expect(one.total).toBe(1);
  const both = await flaky.lists.correct(id);
  expect(both.total).toBe(2);
  expect(await flaky.lists.corrections(id)).toEqual([one.id, both.id]);
  expect(await flaky.account.get()).toMatchObject({ credits: 2, lists: 3 });
  await service.find(one.id, { 0: accepted });
  await expect(flaky.lists.correct(one.id)).rejects.toMatchObject({ kind: 'nothing_to_correct' });
  await proxy.close();
});

test('lists of a group are found, and shown as one', async () => {
  const first = await mx.lists.create({ emails: ['a@x.test'], name: 'big (1 of 2)', group: 'big_1' });
  const second = await mx.lists.create({ emails: ['b@x.test'], name: 'big (2 of 2)', group: 'big_1' });
  expect(await mx.lists.group('big_1')).toMatchObject({
    name: 'big',
    lists: [first.id, second.id],
    total: 2,
  });
  expect(await mx.lists.list({ group: 'big_1' })).toEqual([second, first]);
  expect(await mx.lists.list({ limit: 1, include: 'group' })).toEqual([{ ...second, group: 'big_1' }]);
  expect(await mx.lists.get(first.id, { include: ['group', 'retention'] })).toEqual({
    ...first,
    group: 'big_1',
    results_expire_at: null,
    results_expired_at: null,
  });
  await expect(mx.lists.group('no/such')).rejects.toMatchObject({ kind: 'group_not_found' });
});

test('an unfinished list tells what it waits for, a finished one waits for nothing', async () => {
  const { id, created_at } = await mx.lists.create({ emails: ['a@x.test', 'b@x.test'] });
  const { done_by, ...now } = await mx.lists.waiting(id);
  expect(now).toEqual({
    pending: 2,
    checking: 0,
    waiting: [{ why: 'queued', host: null, provider: null, addresses: 2, attempt: 1, next_attempt_at: null }],
  });
  expect(done_by).toBeGreaterThan(created_at);
  await service.find(id, { 0: accepted, 1: accepted });
  expect(await mx.lists.waiting(id)).toEqual({ pending: 0, checking: 0, done_by: null, waiting: [] });
  await expect(mx.lists.waiting(id + 1_000)).rejects.toBeInstanceOf(NotFound);
});

test('refusals of one status are told apart by their kind', async () => {
  const { id } = await mx.lists.create({ emails: ['a@x.test'] });
  const kindOf = (call: Promise<unknown>) => call.catch((error: unknown) => (error as { kind: string }).kind);
  expect(await kindOf(mx.lists.evidence(id, 0))).toBe('not_checked_yet');
  expect(await kindOf(mx.lists.evidence(id, 5))).toBe('no_such_position');
  expect(await kindOf(mx.lists.retry(id))).toBe('list_unfinished');
  expect(await kindOf(mx.lists.callback(id))).toBe('no_callback');
  expect(await mx.lists.cancel(id)).toMatchObject({ status: 'failed' });
  await expect(mx.lists.cancel(id)).rejects.toBeInstanceOf(Conflict);
  await expect(mx.lists.callback(id)).rejects.toBeInstanceOf(NotFound);
  expect(await kindOf(mx.lists.cancel(id))).toBe('list_finished');
});

test('account, history, usage, keys, suggestions, replies and the status', async () => {
  const { apiKey } = await service.open({ name: 'books', credits: 5 });
  const own = new MXProof({ apiKey, baseUrl: `http://127.0.0.1:${service.port}` });
  await own.verify('a@x.test');
  expect((await own.account.history()).map(({ kind, credits }) => [kind, credits])).toEqual([
    ['charge', -1],
    ['grant', 5],
  ]);
  expect((await own.account.history({ kind: 'grant' })).length).toBe(1);
  expect(await own.account.usage({ days: 2 })).toHaveLength(2);
  const made = await own.account.keys.create({ label: 'ci' });
  expect(
    await new MXProof({ apiKey: made.api_key, baseUrl: `http://127.0.0.1:${service.port}` }).account.get(),
  ).toMatchObject({ name: 'books' });
  expect((await own.account.keys.list()).map(({ label }) => label)).toContain('ci');
  await own.account.keys.delete(made.id);
  expect((await own.account.keys.list()).map(({ label }) => label)).not.toContain('ci');
  expect(await own.account.rename('old books')).toMatchObject({ name: 'old books' });
  expect(await own.lists.list({ single: 'only', include: 'email' })).toMatchObject([{ email: 'a@x.test' }]);
  expect(await own.account.webhookSecret()).toMatch(/^whsec_/);
  expect(await own.domain('bücher.example')).toMatchObject({
    domain: 'xn--bcher-kva.example',
    catch_all: 'unknown',
  });
  await expect(own.domain('a/../b')).rejects.toMatchObject({ kind: 'bad_domain' });
  expect(await own.suggest('info@gmial.com')).toMatchObject({ valid: true, role: true });
  // No node checks here.
  expect(await own.status()).toEqual({ checking: 'waiting', reasons: [] });
  expect(await own.readReply('5.2.2 Mailbox full', { code: 552 })).toMatchObject({ meaning: 'over_quota' });
  expect(await own.readBounce('<a@x.test>: 550 no such user\n<b@x.test>: 552 mailbox full')).toMatchObject([
    { position: 0, state: 'undeliverable' },
    { position: 1, state: 'risky' },
  ]);
});

test('a cancel, a delete and a retry whose first answer was lost are told as done, and done once', async () => {
  const proxy = await startFlakyProxy(service.port, (place) => (place % 2 === 0 ? 'lost' : 'none'));
  const { apiKey } = await service.open({ credits: 3 });
  const flaky = new MXProof({ apiKey, baseUrl: proxy.url });
  const { id } = await flaky.lists.create({ emails: ['a@x.test'] });
  expect(await flaky.lists.cancel(id)).toMatchObject({ id, status: 'failed' });
  await flaky.lists.delete(id);
  const second = await flaky.lists.create({ emails: ['b@x.test'] });
  await service.find(second.id, { 0: unknown });
  const third = await flaky.lists.retry(second.id);
  expect(third.id).not.toBe(second.id);
  expect(await flaky.account.get()).toMatchObject({ credits: 2, lists: 2 });
  // Not by this call: the list had ended before.
  await service.find(third.id, { 0: accepted });
  await expect(flaky.lists.cancel(third.id)).rejects.toBeInstanceOf(Conflict);
  await proxy.close();
});

test('a list is paused and resumed, and says what file it was made of, also when answers were lost', async () => {
  const proxy = await startFlakyProxy(service.port, (place) => (place % 2 === 0 ? 'lost' : 'none'));
  const flaky = new MXProof({ apiKey: service.account.apiKey, baseUrl: proxy.url });
  const file = { name: 'a.csv', rows: 1, addresses: 1, invalid: 0, duplicates: 0, corrected: 0 };
  const { id } = await mx.lists.create({ emails: ['a@x.test'], file });
  const list = await mx.lists.get(id);
  expect(await flaky.lists.pause(id)).toEqual(list);
  const held = await mx.lists.get(id, { include: ['paused', 'file'] });
  expect(held).toEqual({ ...list, paused_at: expect.any(Number), file });
  await expect(mx.lists.pause(id)).rejects.toMatchObject({ kind: 'list_paused' });
  expect(await flaky.lists.resume(id)).toEqual(list);
  await expect(mx.lists.resume(id)).rejects.toMatchObject({ kind: 'list_not_paused' });
  await proxy.close();
});

test('a list deleted with an undo comes back, and both are told as done when an answer was lost', async () => {
  const proxy = await startFlakyProxy(service.port, (place) => (place % 2 === 0 ? 'lost' : 'none'));
  const flaky = new MXProof({ apiKey: service.account.apiKey, baseUrl: proxy.url });
  const { id } = await mx.lists.create({ emails: ['a@x.test'] });
  await expect(mx.lists.delete(id, { undo: 60 })).rejects.toMatchObject({ kind: 'list_unfinished' });
  await service.find(id, { 0: accepted });
  const list = await mx.lists.get(id);
  await flaky.lists.delete(id, { undo: 60 });
  await expect(mx.lists.get(id)).rejects.toBeInstanceOf(ListNotFound);
  expect(await flaky.lists.undelete(id)).toEqual(list);
  expect(await mx.lists.get(id)).toEqual(list);
  await mx.lists.delete(id);
  await expect(mx.lists.undelete(id)).rejects.toBeInstanceOf(ListNotFound);
  await proxy.close();
});

test.each([
  0,
  -1,
  1.5,
  Number.NaN,
  '7' as unknown as number,
])('%s is not a list id, and is not sent', async (id) => {
  expect(() => mx.lists.results(id)).toThrow(TypeError);
  await expect(mx.lists.get(id)).rejects.toThrow(TypeError);
});
