// Test mode from the request to the result.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFirstAccount } from '../src/flow/first-account.ts';
import { unpackEvidence } from '../src/rules/evidence-pack.ts';
import { MAX_TEST_BYTES } from '../src/rules/test-bytes.ts';
import { allAccounts } from '../src/store/accounts.ts';
import { decompress } from '../src/store/compress.ts';
import { removeDeletedLists } from '../src/store/deleted-lists.ts';
import { oldTestLists, removeLists } from '../src/store/lists.ts';
import { verifyLedger } from '../src/store/verify-ledger.ts';
import { startSweeps } from '../src/worker/sweeps.ts';
import { quiet } from './service.ts';
import { startTestMode, type TestMode } from './test-mode.ts';
import { until } from './until.ts';
import { accepted } from './verdicts.ts';

let mode: TestMode;
beforeEach(async () => {
  mode = await startTestMode();
});
afterEach(() => mode.end());

const WORDS = [
  ...['accepted-email', 'low-deliverability', 'catch-all', 'low-quality', 'disposable', 'rejected-email'],
  ...['invalid-domain', 'invalid-email', 'unavailable-smtp', 'no-connect', 'dns-error'],
];

test('one address is checked at once, and charged on the test balance unless it is unknown', async () => {
  const { service, verify, account } = mode;
  const found = await Promise.all(WORDS.map((word) => verify(`ann+${word}@example.com`)));
  expect(found.map(({ status }) => status)).toEqual(WORDS.map(() => 200));
  expect(found.map(({ json }) => json.reason)).toEqual([
    ...['accepted_email', 'low_deliverability', 'low_deliverability', 'low_quality', 'disposable'],
    ...['rejected_email', 'invalid_domain', 'invalid_email', 'unavailable_smtp', 'no_connect', 'dns_error'],
  ]);
  expect((await verify('not an address')).json.reason).toBe('invalid_email');
  expect(await account()).toMatchObject({ credits: 1_000_000 - 9, credits_used: 9, lists: 12 });
  const live = await service.call('GET', '/v1/account');
  expect(live.json).toMatchObject({ credits: 1_000_000, credits_used: 0, lists: 0 });
  expect(live.headers['mxproof-mode']).toBeUndefined();
});

test('a list goes the way of every list: results in order, counts, refunds, evidence that says it is a test', async () => {
  const { service, call, submit, finished, account } = mode;
  const emails = [...WORDS.map((word) => `${word}@example.com`), 'broken@', 'rate-limited@example.com'];
  const id = await submit({ emails, name: 'a test' });
  expect(await finished(id)).toMatchObject({
    status: 'done',
    total: 13,
    checked: 13,
    counts: { deliverable: 2, risky: 4, undeliverable: 4, unknown: 3 },
  });
  const { results } = (await call('GET', `/v1/lists/${id}/results`)).json;
  expect(results.map((row: { email: string }) => row.email)).toEqual(emails);
  expect(results[2]).toMatchObject({ state: 'risky', reason: 'low_deliverability', accept_all: true });
  expect((await call('GET', `/v1/lists/${id}/results?format=csv`)).status).toBe(200);
  expect(await account()).toMatchObject({ credits: 1_000_000 - 10, credits_used: 10, lists: 1 });
  const [row] = await service.context.db.query<{ data: Buffer }>('SELECT data FROM mxproof.evidence');
  const evidence = unpackEvidence(decompress(row!.data));
  expect(evidence.size).toBe(13);
  expect(evidence.get(5)!.rule).toBe('test: rejected-email');
});

test('test lists and live lists do not see each other', async () => {
  const { service, stopWork, call, submit, finished } = mode;
  const id = await submit({ emails: ['a@example.com'] });
  await finished(id);
  for (const path of [`/v1/lists/${id}`, `/v1/lists/${id}/results`]) {
    const refused = await service.call('GET', path);
    expect([refused.status, refused.json]).toEqual([404, { error: 'list not found' }]);
  }
  expect((await service.call('GET', '/v1/lists')).json).toEqual({ lists: [] });
  await stopWork();
  const live = await service.call('POST', '/v1/lists', { body: { emails: ['b@example.com'] } });
  expect((await call('GET', `/v1/lists/${live.json.id}`)).status).toBe(404);
  expect((await call('DELETE', `/v1/lists/${live.json.id}`)).status).toBe(404);
  expect((await call('GET', '/v1/lists')).json.lists).toHaveLength(1);
});

test('POST /verify can be refused for want of credits, or for the rate', async () => {
  const { verify, account } = mode;
  const short = await verify('ann+insufficient-credits@example.com');
  expect([short.status, short.json]).toEqual([402, { error: 'insufficient credits: 1 needed' }]);
  const limited = await verify('rate-limited@example.com');
  expect([limited.status, limited.json]).toEqual([429, { error: 'rate limit exceeded' }]);
  expect(limited.headers['retry-after']).toBe('1');
  expect(await account()).toMatchObject({ credits: 1_000_000, lists: 0 });
});

test('a slow address is pending, whatever wait was asked for, and survives a restart', async () => {
  const { startWork, stopWork, verify, submit, finished } = mode;
  const hasty = await verify('slow@example.com', { prefer: 'wait=0' });
  expect([hasty.status, hasty.headers['preference-applied']]).toEqual([202, 'wait=0']);
  const patient = await verify('slow@example.com', { prefer: 'wait=20' });
  expect([patient.status, patient.headers['preference-applied']]).toEqual([202, undefined]);
  const listed = await submit({ emails: ['slow@example.com', 'b@example.com'] });
  await stopWork();
  startWork();
  for (const id of [hasty.json.list_id, patient.json.list_id, listed]) {
    const { counts, total } = await finished(id);
    expect(counts.deliverable).toBe(total);
  }
});

test('a repeat gets the first answer, and is charged once', async () => {
  const { service, stopWork, call, verify, account } = mode;
  const headers = { 'idempotency-key': 'once' };
  const first = await verify('a@example.com', headers);
  expect((await verify('a@example.com', headers)).text).toBe(first.text);
  expect(await account()).toMatchObject({ credits_used: 1 });
  // The same key of a live request is another one.
  await stopWork();
  const body = { emails: ['x@example.com'] };
  expect((await service.call('POST', '/v1/lists', { body, headers })).status).toBe(201);
  expect((await call('POST', '/v1/lists', { body: { emails: ['y@example.com'] }, headers })).status).toBe(
    201,
  );
});

test('a list named fail fails, and its credits come back', async () => {
  const { service, submit, finished, account } = mode;
  const id = await submit({
    emails: Array.from({ length: 600 }, (_, n) => `a${n}@example.com`),
    name: 'fail',
  });
  expect(await finished(id)).toMatchObject({ status: 'failed', total: 600, checked: 0 });
  expect(await account()).toMatchObject({ credits: 1_000_000, credits_used: 0, lists: 1 });
  await until(async () => (await service.context.db.query('SELECT 1 FROM mxproof.jobs')).length === 0);
});

test('a test list is paused and resumed', async () => {
  const { startWork, stopWork, call, submit, finished } = mode;
  await stopWork();
  const id = await submit({ emails: ['a@example.com', 'slow@example.com'] });
  expect((await call('POST', `/v1/lists/${id}/pause`)).status).toBe(200);
  startWork();
  // Another list is checked meanwhile.
  await finished(await submit({ emails: ['b@example.com'] }));
  expect((await call('GET', `/v1/lists/${id}/waiting`)).json).toMatchObject({
    pending: 2,
    done_by: null,
    waiting: [{ why: 'paused', addresses: 2 }],
  });
  expect((await call('POST', `/v1/lists/${id}/resume`)).status).toBe(200);
  expect(await finished(id)).toMatchObject({ status: 'done', counts: { deliverable: 2 } });
});

test.each([
  ['insufficient-credits', 402, 'insufficient_credits'],
  ['rate-limited', 429, 'rate_limited'],
  ['unavailable', 503, 'unavailable'],
  ['conflict', 409, 'group_full'],
])('a list named %s is refused with %s, and nothing is charged or created', async (name, status, code) => {
  const { service, call, account } = mode;
  const body = { emails: ['a@example.com', 'b@example.com'], name };
  const refused = await call('POST', '/v1/lists', { body });
  expect([refused.status, refused.headers['mxproof-error']]).toEqual([status, code]);
  expect(refused.headers['mxproof-credits-needed']).toBe(status === 402 ? '2' : undefined);
  expect(refused.headers['retry-after'] !== undefined).toBe(status === 429 || status === 503);
  expect(await account()).toMatchObject({ credits: 1_000_000, lists: 0 });
  // Of live lists the name says nothing.
  await mode.stopWork();
  expect((await service.call('POST', '/v1/lists', { body })).status).toBe(201);
});

test('a list named slow-answer is there before its answer, which a repeat gets at once', async () => {
  const { call } = mode;
  const post = {
    body: { emails: ['a@example.com'], name: 'slow-answer' },
    headers: { 'idempotency-key': '1' },
  };
  const order: string[] = [];
  const slow = call('POST', '/v1/lists', post).finally(() => order.push('slow'));
  await until(async () => (await call('GET', '/v1/lists')).json.lists.length === 1);
  const repeat = await call('POST', '/v1/lists', post).finally(() => order.push('repeat'));
  expect([repeat.status, repeat.headers['idempotent-replayed']]).toEqual([201, 'true']);
  expect((await slow).text).toBe(repeat.text);
  expect(order).toEqual(['repeat', 'slow']);
  expect((await call('GET', '/v1/lists')).json.lists).toHaveLength(1);
});

test('a test list has at most 10,000 addresses', async () => {
  const { call, submit, finished } = mode;
  const emails = Array.from({ length: 10_001 }, (_, n) => `a${n}@example.com`);
  const refused = await call('POST', '/v1/lists', { body: { emails } });
  expect([refused.status, refused.json]).toEqual([400, { error: 'max 10000 addresses per test list' }]);
  const id = await submit({ emails: emails.slice(1) });
  expect(await finished(id)).toMatchObject({ status: 'done', counts: { deliverable: 10_000 } });
});

test('a test balance that would not do is filled up with the charge itself', async () => {
  const { service, testAccountId, verify, account } = mode;
  const { db } = service.context;
  await db.query(
    'UPDATE mxproof.accounts SET credits = credits - 999998, used = used + 999998 WHERE id = $1',
    [testAccountId],
  );
  await db.query(
    `INSERT INTO mxproof.ledger (account_id, kind, amount, list_id) VALUES ($1, 'charge', 999998, 999999)`,
    [testAccountId],
  );
  const made = await Promise.all(['a', 'b', 'c', 'd'].map((name) => verify(`${name}@example.com`)));
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await account()).toMatchObject({ credits: 999_998, credits_used: 1_000_002 });
});

test('while nothing is reachable, test lists go on', async () => {
  const { checker, submit, finished } = mode;
  checker.reachable = false;
  const ids = await Promise.all(
    [1, 2, 3].map((n) => submit({ emails: Array.from({ length: 300 }, (_, m) => `a${n}-${m}@example.com`) })),
  );
  for (const id of ids) expect((await finished(id)).status).toBe('done');
});

test('every refusal of a test key says which mode it is', async () => {
  const { service, call } = mode;
  const refusals = [
    await call('GET', '/v1/nowhere'),
    await call('GET', '/v1/lists/999'),
    await call('POST', '/v1/lists', { raw: '{' }),
    await call('GET', '/v1/keys'),
    await call('GET', '/v1/account', { key: `mx_test_${'x'.repeat(43)}` }),
  ];
  await service.context.db.query('UPDATE mxproof.api_keys SET expires_at = now() WHERE test');
  refusals.push(await call('GET', '/v1/account'));
  expect(refusals.map(({ status }) => status)).toEqual([404, 404, 400, 403, 401, 401]);
});

test('test lists are gone after seven days, and the balance does not change', async () => {
  const { service, stopWork, call, verify, submit, finished, account } = mode;
  const { db } = service.context;
  const [old, young] = [
    await submit({ emails: ['a@example.com'] }),
    await submit({ emails: ['b@example.com'] }),
  ];
  await verify('single@example.com');
  for (const id of [old, young]) await finished(id);
  await stopWork();
  const { json: live } = await service.call('POST', '/v1/lists', { body: { emails: ['c@example.com'] } });
  await service.find(live.id, { 0: accepted });
  await db.query(`UPDATE mxproof.lists SET created_at = now() - interval '8 days' WHERE id <> $1`, [young]);
  const before = await account();
  const sweeps = startSweeps({
    context: service.context,
    listLimitMs: 1e9,
    keepEvidence: true,
    log: quiet,
  });
  await until(async () => (await account()).lists === 1);
  await sweeps.stop();
  expect(await account()).toEqual({ ...before, lists: 1 });
  expect((await call('GET', `/v1/lists/${young}`)).status).toBe(200);
  expect((await service.call('GET', `/v1/lists/${live.id}`)).status).toBe(200);
});

test('operators count accounts, not their test twins', async () => {
  const { service, verify } = mode;
  const { db } = service.context;
  await verify('a@example.com');
  expect((await allAccounts(db)).map(({ id }) => id)).toEqual([service.account.accountId]);
  expect(await verifyLedger(db)).toMatchObject({ accounts: 1, lists: 0 });
  expect(await openFirstAccount(db, service.box, 1)).toBeNull();
});

test('`include` says why in one word and when, in POST /verify and in the rows of its list', async () => {
  const { call } = mode;
  const verify = (email: string) =>
    call('POST', '/v1/verify?include=checked_at,detail,provider,suggestion', { body: { email } });
  const found = await verify('ann+catch-all@gmial.com');
  expect(Object.keys(found.json).slice(-4)).toEqual(['detail', 'suggestion', 'provider', 'checked_at']);
  expect(found.json).toMatchObject({ detail: 'catch_all', suggestion: 'gmail.com', provider: 'other' });
  const list = found.headers['content-location']!;
  const { results } = (await call('GET', `${list}?include=detail,suggestion,checked_at`)).json;
  const { provider: _, ...more } = results[0];
  expect({ ...more, provider: 'other' }).toEqual(found.json);
  const summary = (await call('GET', list.replace('/results', ''))).json;
  expect(found.json.checked_at).toBe(summary.finished_at);
  expect((await call('GET', `${list}/0/evidence`)).json).toMatchObject({
    detail: 'catch_all',
    checked_at: found.json.checked_at,
  });
  // A check that outlasts the wait answers as ever; its row has the fields once it is final.
  const slow = await verify('slow@example.com');
  expect([slow.status, Object.keys(slow.json)]).toEqual([202, ['state', 'list_id']]);
  await mode.finished(slow.json.list_id);
  const row = await call('GET', `/v1/lists/${slow.json.list_id}/results?include=detail,checked_at`);
  expect(row.json.results[0]).toMatchObject({ detail: 'accepted', checked_at: expect.any(Number) });
});

/** What the test account is said to have, and what its lists add up to, those included that wait to be removed. */
async function testBytes(): Promise<{ kept: number; sum: number }> {
  const [row] = await mode.db.query<{ kept: number; sum: number }>(
    `SELECT test_bytes AS kept, (SELECT coalesce(sum(test_bytes), 0)::bigint FROM mxproof.lists) AS sum
     FROM mxproof.accounts WHERE id = $1`,
    [mode.testAccountId],
  );
  return row!;
}

/** Makes a list as large as the account may have in all. */
const enlarge = (id: number) =>
  mode.db.query(
    `WITH grown AS (UPDATE mxproof.lists SET test_bytes = test_bytes + ${MAX_TEST_BYTES} WHERE id = $1 RETURNING account_id)
     UPDATE mxproof.accounts a SET test_bytes = a.test_bytes + ${MAX_TEST_BYTES} FROM grown WHERE a.id = grown.account_id`,
    [id],
  );

test('every test list counts with its bytes until it is removed, however it was made and is removed', async () => {
  const { call, submit, verify, finished } = mode;
  const emails = Array.from({ length: 600 }, (_, n) => `p${n}+unavailable-smtp@example.com`);
  const first = await submit({ emails });
  expect((await testBytes()).kept).toBeGreaterThan(emails.join().length);
  await finished(first);
  const before = (await testBytes()).kept;
  await verify('a@example.com');
  await verify('b@example.com', { 'idempotency-key': 'one' });
  const grouped = await submit({ emails: ['c@example.com'], group: 'g', name: 'in a group' });
  const retried = await call('POST', `/v1/lists/${first}/retry`);
  expect(retried.status).toBe(201);
  await finished(retried.json.id);
  await finished(grouped);
  let { kept, sum } = await testBytes();
  expect(kept).toBe(sum);
  expect(kept).toBeGreaterThan(2 * before);
  await call('DELETE', `/v1/lists/${first}`);
  const [deleted, later] = [await testBytes(), retried.json.id];
  expect(deleted).toEqual({ kept: kept - before, sum: kept - before });
  // What can be brought back is still stored.
  expect((await call('DELETE', `/v1/lists/${later}?undo=60`)).status).toBe(200);
  expect(await testBytes()).toEqual(deleted);
  await mode.db.query('UPDATE mxproof.lists SET remove_at = now() WHERE remove_at IS NOT NULL');
  await removeDeletedLists(mode.db, [later]);
  ({ kept, sum } = await testBytes());
  expect([kept, kept < deleted.kept]).toEqual([sum, true]);
  await mode.db.query(`UPDATE mxproof.lists SET created_at = now() - interval '8 days'`);
  await removeLists(mode.db, await oldTestLists(mode.db, 7));
  expect(await testBytes()).toEqual({ kept: 0, sum: 0 });
  // A live list is none.
  await mode.stopWork();
  expect((await mode.service.call('POST', '/v1/lists', { body: { emails } })).status).toBe(201);
  expect((await testBytes()).sum).toBe(0);
});

test('beyond 200 MB of test lists no test key creates one, until some are removed', async () => {
  const { call, submit, finished, verify, account, service } = mode;
  const id = await submit({ emails: ['unavailable-smtp@example.com', 'a@example.com'] });
  await finished(id);
  await enlarge(id);
  const before = await account();
  const left = async () => (await call('GET', '/v1/account')).headers.ratelimit;
  const remaining = /r=(\d+)/.exec(String(await left()))![1];
  const many = Array.from({ length: 300 }, (_, n) => `a${n}@example.com`);
  for (const [path, body, headers] of [
    ['/v1/lists', { emails: ['b@example.com'] }, {}],
    ['/v1/lists', { emails: many }, {}],
    ['/v1/lists', { emails: ['b@example.com'], group: 'g' }, {}],
    ['/v1/lists', { emails: ['b@example.com'] }, { 'idempotency-key': 'once' }],
    ['/v1/verify', { email: 'b@example.com' }, {}],
    [`/v1/lists/${id}/retry`, undefined, {}],
  ] as const) {
    const refused = await call('POST', path, { body, headers });
    expect([refused.status, refused.headers['mxproof-error']]).toEqual([429, 'test_lists_full']);
    expect(refused.json.error).toBe('test lists exceed 200 MB: delete some or wait until they expire');
  }
  // It cost nothing, and no test credits were added.
  expect(/r=(\d+)/.exec(String(await left()))![1]).toBe(String(Number(remaining) - 1));
  expect(await account()).toEqual(before);
  await call('DELETE', `/v1/lists/${id}`);
  expect((await verify('b@example.com')).status).toBe(200);
  await mode.stopWork();
  const small = await call('POST', '/v1/lists', { body: { emails: many } });
  expect(small.status).toBe(201);
  await enlarge(small.json.id);
  expect((await call('POST', '/v1/lists', { body: { emails: many } })).status).toBe(429);
  // Live lists have credits instead.
  expect((await service.call('POST', '/v1/lists', { body: { emails: many } })).status).toBe(201);
});
