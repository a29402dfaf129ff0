import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type EventReader, readEvents } from '../../../test/event-reader.ts';
import { type CallOptions, startService, type TestService } from '../../../test/http-service.ts';
import { until } from '../../../test/until.ts';
import { accepted } from '../../../test/verdicts.ts';
import { verifyLedger } from '../../store/verify-ledger.ts';

let service: TestService;
const readers: EventReader[] = [];
beforeAll(async () => {
  service = await startService({ pollMs: 50 });
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});
afterAll(async () => {
  expect((await verifyLedger(service.context.db)).differences).toEqual([]);
  await service.close();
});

const call = (method: string, path: string, options?: CallOptions) => service.call(method, path, options);
async function submit(count = 3): Promise<{ id: number; path: string }> {
  const emails = Array.from({ length: count }, (_, n) => `a${n}@b.test`);
  const { json } = await call('POST', '/v1/lists', { body: { emails } });
  return { id: json.id, path: `/v1/lists/${json.id}` };
}
async function refused(path: string): Promise<[number, string, unknown]> {
  const { status, json, headers } = await call('POST', path);
  return [status, json.error, headers['mxproof-error']];
}
const shown = async (path: string) => (await call('GET', `${path}?include=paused`)).json;

test('a list is paused and resumed once: its summary and the balance stay, and it is said since when', async () => {
  const { id, path } = await submit();
  await service.find(id, { 0: accepted });
  const before = (await call('GET', path)).json;
  const account = (await call('GET', '/v1/account')).json;
  expect(await shown(path)).toEqual({ ...before, paused_at: null });

  const paused = await call('POST', `${path}/pause`);
  expect([paused.status, paused.json]).toEqual([200, before]);
  expect(before).toMatchObject({ status: 'checking', checked: 1 });
  expect(await refused(`${path}/pause`)).toEqual([409, 'list is paused', 'list_paused']);
  const { paused_at: since, ...same } = await shown(path);
  expect(same).toEqual(before);
  expect(since).toBeGreaterThanOrEqual(before.created_at);
  const all = await call('GET', '/v1/lists?include=paused&limit=1');
  expect(all.json.lists).toEqual([{ ...before, paused_at: since }]);
  expect((await call('GET', `${path}/waiting`)).json).toEqual({
    pending: 2,
    checking: 0,
    done_by: null,
    waiting: [{ why: 'paused', host: null, provider: null, addresses: 2, attempt: 1, next_attempt_at: null }],
  });

  const resumed = await call('POST', `${path}/resume`);
  expect([resumed.status, resumed.json]).toEqual([200, before]);
  expect(await refused(`${path}/resume`)).toEqual([409, 'list is not paused', 'list_not_paused']);
  expect(await shown(path)).toEqual({ ...before, paused_at: null });
  expect((await call('GET', `${path}/waiting`)).json).toMatchObject({
    done_by: expect.any(Number),
    waiting: [{ why: 'queued', addresses: 2 }],
  });
  expect((await call('GET', '/v1/account')).json).toEqual(account);
});

test('a finished list, a single check and another account’s list are not paused', async () => {
  const { id, path } = await submit(1);
  await service.find(id, { 0: accepted });
  const single = await call('POST', '/v1/verify', { body: { email: 'a@b.test' } });
  const ofSingle = single.headers['content-location']!.replace('/results', '');
  const stranger = await service.open();
  for (const verb of ['pause', 'resume']) {
    expect(await refused(`${path}/${verb}`)).toEqual([409, 'list is finished', 'list_finished']);
    expect(await refused(`${ofSingle}/${verb}`)).toEqual([
      409,
      'single checks cannot be paused',
      'single_check',
    ]);
    for (const other of [path, '/v1/lists/01', '/v1/lists/9007199254740993'])
      expect((await call('POST', `${other}/${verb}`, { key: stranger.apiKey })).status).toBe(404);
  }
});

test('a paused list is cancelled and deleted as any: what was not checked is refunded', async () => {
  const owner = await service.open({ credits: 10 });
  const own = { key: owner.apiKey };
  const emails = ['a@b.test', 'b@b.test', 'c@b.test'];
  const [one, other] = [
    (await call('POST', '/v1/lists', { ...own, body: { emails } })).json.id,
    (await call('POST', '/v1/lists', { ...own, body: { emails } })).json.id,
  ];
  await service.find(one, { 0: accepted });
  for (const id of [one, other]) await call('POST', `/v1/lists/${id}/pause`, own);
  const undone = await call('DELETE', `/v1/lists/${other}?undo=60`, own);
  expect([undone.status, undone.json.error]).toEqual([409, 'list is not finished']);
  expect((await call('POST', `/v1/lists/${one}/cancel`, own)).json).toMatchObject({
    status: 'failed',
    checked: 1,
  });
  expect((await call('GET', `/v1/lists/${one}?include=paused`, own)).json.paused_at).toBeNull();
  expect((await call('DELETE', `/v1/lists/${other}`, own)).status).toBe(200);
  expect((await call('GET', '/v1/account', own)).json).toMatchObject({
    credits: 9,
    credits_used: 1,
    lists: 1,
  });
});

test('those who follow a list are told that it is paused, and that it is resumed', async () => {
  const { id, path } = await submit();
  const reader = await readEvents(service.port, `${path}/events`, service.account.apiKey);
  readers.push(reader);
  await until(() => expect(reader.events).toHaveLength(1));
  await call('POST', `${path}/pause`);
  await until(() => expect(reader.events).toHaveLength(2));
  await call('POST', `${path}/resume`);
  await until(() => expect(reader.events).toHaveLength(3));
  const summary = (await call('GET', path)).json;
  for (const { event, data } of reader.events) expect([event, data]).toEqual(['progress', summary]);
  await service.find(id, { 0: accepted, 1: accepted, 2: accepted });
  expect(await reader.ended).toBe('end');
});

test('of pauses and resumes at the same moment one is granted', async () => {
  const { path } = await submit();
  for (const verb of ['pause', 'resume', 'pause']) {
    const all = await Promise.all(Array.from({ length: 6 }, () => call('POST', `${path}/${verb}`)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  }
});
