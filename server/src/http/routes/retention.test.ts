import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { accepted } from '../../../test/verdicts.ts';
import { CHUNKS_AT_ONCE } from '../../flow/read-results.ts';
import { CHUNK_SIZE } from '../../rules/clean-emails.ts';
import { NOTHING_EXPIRES } from '../../rules/retention.ts';
import { dueRetentions, expireStep, setRetention } from '../../store/retention.ts';

const DAY = 86_400;
const unknown = { ...accepted, state: 'unknown', reason: 'no_connect', score: 0 } as const;
const KEPT = { ...NOTHING_EXPIRES, results: 30, evidence: 0.5 };

let service: TestService;
beforeAll(async () => {
  service = await startService({ retention: KEPT });
});
afterAll(() => service.close());

const statusAndError = async (method: string, path: string, body?: unknown) => {
  const { status, json } = await service.call(method, path, body === undefined ? {} : { body });
  return [status, json.error];
};

test('a list says when its results are deleted, and afterwards that they were', async () => {
  const { db } = service.context;
  const { json: list } = await service.call('POST', '/v1/lists', {
    body: { emails: ['a@b.test', 'b@gmial.com'], group: 'spring', callback_url: 'https://a.test/' },
  });
  const path = `/v1/lists/${list.id}`;
  const get = async () => (await service.call('GET', `${path}?include=retention,group`)).json;
  expect(await get()).toMatchObject({ results_expire_at: null, results_expired_at: null, group: 'spring' });
  await service.find(list.id, { 0: accepted, 1: unknown });
  const finished = await get();
  expect(finished.results_expire_at).toBe(finished.finished_at + 30 * DAY);
  await db.query(`UPDATE mxproof.callbacks SET state = 'failed'`);
  await setRetention(db, service.account.accountId, { ...NOTHING_EXPIRES, results: 1 });
  expect((await get()).results_expire_at).toBe(finished.finished_at + DAY);
  const [shown] = (await service.call('GET', '/v1/lists?include=retention')).json.lists;
  expect(shown).toMatchObject({ results_expire_at: finished.finished_at + DAY, results_expired_at: null });

  const summary = (await service.call('GET', path)).json;
  expect(Object.keys(summary)).not.toContain('results_expire_at');
  await db.query(`UPDATE mxproof.lists SET finished_at = finished_at - interval '2 days'`);
  for (const due of await dueRetentions(db, KEPT)) await expireStep(db, due);
  expect(await get()).toMatchObject({ results_expire_at: null, results_expired_at: expect.any(Number) });
  expect((await service.call('GET', path)).json).toEqual({
    ...summary,
    finished_at: summary.finished_at - 2 * DAY,
  });
  for (const part of [
    'results',
    'results?state=unknown',
    'results?format=csv',
    'breakdown',
    'results/0/evidence',
  ])
    expect(await statusAndError('GET', `${path}/${part}`), part).toEqual([404, 'results expired']);
  expect(await statusAndError('POST', `${path}/retry`)).toEqual([409, 'nothing to retry']);
  expect(await statusAndError('POST', `${path}/corrections`, {})).toEqual([409, 'nothing to correct']);
  // What was sent of the list is a kind of its own, and is sent again for as long as it is kept.
  expect((await service.call('GET', `${path}/callback`)).json.state).toBe('failed');
  expect((await service.call('POST', `${path}/callback/resend`)).status).toBe(202);
  await db.query(`UPDATE mxproof.callbacks SET state = 'delivered'`);
  for (const due of await dueRetentions(db, { ...NOTHING_EXPIRES, callbacks: 1 })) await expireStep(db, due);
  expect(await statusAndError('GET', `${path}/callback`)).toEqual([404, 'no callback']);
  expect(await statusAndError('POST', `${path}/callback/resend`)).toEqual([404, 'no callback']);
  expect((await service.call('GET', '/v1/callbacks')).json.callbacks).toEqual([]);
  expect((await service.call('GET', `${path}/waiting`)).json).toMatchObject({ pending: 0, waiting: [] });
  expect((await service.call('GET', '/v1/groups/spring')).json).toMatchObject({ total: 2, lists: [list.id] });
  expect((await service.call('PATCH', path, { body: { name: 'old' } })).json.name).toBe('old');
  expect((await service.call('DELETE', path)).status).toBe(200);
});

test('an account says how long it keeps what, and a test list is never promised more than its seven days', async () => {
  await setRetention(service.context.db, service.account.accountId, { ...NOTHING_EXPIRES, callbacks: 14 });
  const { json } = await service.call('GET', '/v1/account?include=retention');
  expect(json.retention).toEqual({ results: 30, evidence: 1, callbacks: 14, single_checks: null });
  expect(Object.keys((await service.call('GET', '/v1/account')).json)).not.toContain('retention');
  expect(await statusAndError('GET', '/v1/account?include=all')).toEqual([
    400,
    'include must be a comma list of retention, settings',
  ]);
  expect(await statusAndError('GET', '/v1/lists?include=group,all')).toEqual([
    400,
    'include must be a comma list of group, email, retention, paused, file',
  ]);

  const made = await service.call('POST', '/v1/keys', { body: { label: 'test', test: true } });
  const key = made.json.api_key as string;
  const { json: list } = await service.call('POST', '/v1/lists', { key, body: { emails: ['a@b.test'] } });
  await service.find(list.id, { 0: accepted });
  const shown = await service.call('GET', `/v1/lists/${list.id}?include=retention`, { key });
  expect(shown.json.results_expire_at).toBe(list.created_at + 7 * DAY);
  expect((await service.call('GET', '/v1/account?include=retention', { key })).json.retention.callbacks).toBe(
    14,
  );
});

test('results that expire while they are read are said to have expired, and never look complete', async () => {
  const { db } = service.context;
  const emails = [...Array.from({ length: READ_IN_TWO }, (_, n) => `a${n}@b.test`), 'b@gmial.com'];
  const verdicts = Object.fromEntries(emails.map((_, n) => [n, n === READ_IN_TWO ? unknown : accepted]));
  const { prepared } = db;
  const credits = async () => (await service.call('GET', '/v1/account')).json.credits;
  /** Of a list whose results expire right before this statement reads some of them. */
  const answered = async (statement: number, method: string, part: string) => {
    const { json: list } = await service.call('POST', '/v1/lists', { body: { emails } });
    await service.find(list.id, verdicts);
    await db.query(`UPDATE mxproof.lists SET finished_at = now() - interval '31 days' WHERE id = $1`, [
      list.id,
    ]);
    const before = await credits();
    let statements = 0;
    db.prepared = async (name, ...rest) => {
      if (name === 'read-chunks' && ++statements === statement)
        for (const due of await dueRetentions(db, KEPT)) await expireStep(db, due);
      return prepared(name, ...rest);
    };
    try {
      const body = method === 'POST' && part === 'corrections' ? {} : undefined;
      return await statusAndError(method, `/v1/lists/${list.id}/${part}`, body);
    } finally {
      db.prepared = prepared;
      expect([statements >= statement, await credits()], part).toEqual([true, before]);
    }
  };
  await setRetention(db, service.account.accountId, NOTHING_EXPIRES);
  await db.query('DELETE FROM mxproof.retention_marks');
  const expired = [404, 'results expired'];
  expect(await answered(1, 'GET', 'results?limit=2001')).toEqual(expired);
  expect(await answered(2, 'GET', 'results?state=unknown')).toEqual(expired);
  expect(await answered(3, 'GET', 'results?state=unknown&format=csv')).toEqual(expired);
  expect(await answered(2, 'GET', 'breakdown')).toEqual(expired);
  expect(await answered(1, 'GET', 'results/0/evidence')).toEqual(expired);
  expect(await answered(2, 'POST', 'retry')).toEqual([409, 'nothing to retry']);
  expect(await answered(2, 'POST', 'corrections')).toEqual([409, 'nothing to correct']);
  // The status is out: the answer breaks off.
  for (const format of ['json', 'csv'])
    await expect(answered(2, 'GET', `results?limit=2001&format=${format}`)).rejects.toThrow('aborted');
});

/** As many as one statement brings; what is behind them takes another. */
const READ_IN_TWO = CHUNKS_AT_ONCE * CHUNK_SIZE;
