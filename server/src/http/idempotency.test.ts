import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallOptions, startService, type TestService } from '../../test/http-service.ts';
import { lockWaits } from '../../test/lock-waits.ts';
import { until } from '../../test/until.ts';
import { accepted, acceptedRow } from '../../test/verdicts.ts';
import type { RowVerdict } from '../rules/chunk-results.ts';

// Single checks that end when the test says so.
const ends = new Map<string, (verdict: RowVerdict | null) => void>();
const waitedFor = new Map<number, Promise<RowVerdict | null>>();
let begun = 0;
let waiting = 0;
/** Delays each request that begins to wait for a check. */
let gate: Promise<null> | null = null;

let service: TestService;
beforeAll(async () => {
  service = await startService({
    singles: {
      makeWay: () => () => {},
      begin(listId, _accountId, email) {
        begun++;
        waitedFor.set(listId, new Promise((resolve) => ends.set(email, resolve)));
      },
      finished(listId, waitMs) {
        waiting++;
        if (gate) return gate;
        return Promise.race([
          waitedFor.get(listId) ?? null,
          new Promise<null>((resolve) => setTimeout(resolve, waitMs, null).unref()),
        ]);
      },
    },
  });
});
afterAll(() => service.close());

let keys = 0;
const freshKey = () => ({ 'idempotency-key': `key ${++keys}` });
const submit = (headers: Record<string, string>, options: CallOptions = {}) =>
  service.call('POST', '/v1/lists', { body: { emails: ['a@b.test', 'c@d.test'] }, headers, ...options });

test('the same key and body give the first answer again, charged once', async () => {
  const { apiKey: key } = await service.open({ credits: 3 });
  const headers = freshKey();
  const first = await submit(headers, { key });
  const again = await submit(headers, { key });
  expect(first.headers['idempotent-replayed']).toBeUndefined();
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect([again.status, again.text, again.headers.location]).toEqual([
    201,
    first.text,
    first.headers.location,
  ]);
  expect((await service.call('GET', '/v1/account', { key })).json).toMatchObject({ credits: 1, lists: 1 });
  // Also when the list has moved on, and when it is gone.
  await service.find(first.json.id, { 0: accepted });
  expect((await submit(headers, { key })).text).toBe(first.text);
  await service.call('DELETE', `/v1/lists/${first.json.id}`, { key });
  expect((await submit(headers, { key })).text).toBe(first.text);
});

test('a hundred at once are one list', async () => {
  const { apiKey: key } = await service.open({ credits: 2 });
  const headers = freshKey();
  const all = await Promise.all(Array.from({ length: 100 }, () => submit(headers, { key })));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(all.map(({ text }) => text)).size).toBe(1);
  expect((await service.call('GET', '/v1/account', { key })).json).toMatchObject({ credits: 0, lists: 1 });
});

test('another body under the same key is refused', async () => {
  const headers = freshKey();
  await submit(headers);
  const other = await submit(headers, { body: { emails: ['a@b.test'] } });
  expect(other.status).toBe(422);
  // The bytes count, not what they mean.
  const spaced = await submit(headers, { raw: '{ "emails": ["a@b.test","c@d.test"]}' });
  expect(spaced.status).toBe(422);
});

test('keys are per account and per route', async () => {
  const headers = freshKey();
  const first = await submit(headers);
  const { apiKey: key } = await service.open();
  expect((await submit(headers, { key })).json.id).not.toBe(first.json.id);
  const verify = service.call('POST', '/v1/verify', {
    body: { email: 'route@b.test' },
    headers: { ...headers, prefer: 'wait=0' },
  });
  expect((await verify).status).toBe(202);
});

test('refusals are not remembered', async () => {
  const { apiKey: key, accountId } = await service.open({ credits: 1 });
  const headers = freshKey();
  expect((await submit(headers, { key, raw: '{' })).status).toBe(400);
  expect((await submit(headers, { key })).status).toBe(402);
  await service.context.db.query('UPDATE mxproof.accounts SET credits = 9 WHERE id = $1', [accountId]);
  expect((await submit(headers, { key })).status).toBe(201);
});

test.each(['', 'x'.repeat(256), 'ümlaut', 'a\tb'])('the key %j is refused', async (text) => {
  const refused = await submit({ 'idempotency-key': Buffer.from(text).toString('latin1') });
  expect({ status: refused.status, json: refused.json }).toEqual({
    status: 400,
    json: { error: 'Idempotency-Key must be 1 to 255 printable ASCII characters' },
  });
});

test('a single check repeated while the first runs waits for it, and both say the same', async () => {
  const { apiKey: key } = await service.open({ credits: 1 });
  const headers = freshKey();
  const verify = () => service.call('POST', '/v1/verify', { key, headers, body: { email: 'twice@b.test' } });
  const before = begun;
  const first = verify();
  await until(() => begun > before);
  const second = verify();
  const third = verify();
  await until(() => ends.has('twice@b.test'));
  ends.get('twice@b.test')!(acceptedRow);
  const answers = await Promise.all([first, second, third, verify()]);
  expect(begun).toBe(before + 1);
  for (const { status, text, headers: got } of answers) {
    expect([status, text]).toEqual([200, answers[0]!.text]);
    expect(got['content-location']).toBe(answers[0]!.headers['content-location']);
  }
  expect((await service.call('GET', '/v1/account', { key })).json).toMatchObject({ credits: 0, lists: 1 });
});

test("an account's repeats that look for the first answer leave connections and a turn to other accounts", async () => {
  const { apiKey } = await service.open({ credits: 1 });
  const headers = freshKey();
  const verify = () => service.call('POST', '/v1/verify', { headers, body: { email: 'crowd@b.test' } });
  const neighbour = () =>
    service.call('POST', '/v1/verify', { key: apiKey, headers, body: { email: 'beside@b.test' } });
  const { db } = service.context;
  const before = waiting;
  const firsts = [verify(), neighbour()];
  await until(() => waiting === before + 2);
  const { promise, resolve } = Promise.withResolvers<null>();
  gate = promise;
  const repeats = Array.from({ length: db.poolSize + 4 }, verify);
  await until(() => waiting === before + 2 + repeats.length);
  const last = neighbour();
  await until(() => waiting === before + 3 + repeats.length);
  gate = null;
  await db.transaction(async (tx) => {
    await tx.query('LOCK TABLE mxproof.idempotency IN ACCESS EXCLUSIVE MODE');
    resolve(null);
    // Four of its own, and the neighbour's, which came last.
    await until(async () => expect(await lockWaits(db)).toBe(5));
    // By the end of it all of them would have looked.
    await db.query('SELECT pg_sleep(1)');
    expect(await lockWaits(db)).toBe(5);
  });
  for (const email of ['crowd@b.test', 'beside@b.test']) ends.get(email)!(acceptedRow);
  const [first, beside] = await Promise.all(firsts);
  expect((await last).text).toBe(beside!.text);
  for (const repeat of await Promise.all(repeats))
    expect([repeat.status, repeat.text]).toEqual([first!.status, first!.text]);
});

test('a first answer of 202 stays the answer, also when the check has ended since', async () => {
  const headers = { ...freshKey(), prefer: 'wait=0' };
  const verify = () => service.call('POST', '/v1/verify', { headers, body: { email: 'slow@b.test' } });
  const first = await verify();
  expect(first.status).toBe(202);
  await service.find(first.json.list_id, { 0: accepted });
  const again = await verify();
  expect([again.status, again.text]).toEqual([202, first.text]);
  const where = again.headers['content-location']!;
  expect((await service.call('GET', where)).json.results[0].state).toBe('deliverable');
});

test('a repeat answers for a first request whose node died before it could', async () => {
  const headers = { ...freshKey(), prefer: 'wait=0' };
  const verify = () => service.call('POST', '/v1/verify', { headers, body: { email: 'dead@b.test' } });
  const first = await verify();
  await service.context.db.query(
    'UPDATE mxproof.idempotency SET status = NULL, answer = NULL WHERE list_id = $1',
    [first.json.list_id],
  );
  await service.find(first.json.list_id, { 0: accepted });
  const again = await verify();
  expect([again.status, again.json.email]).toEqual([200, 'dead@b.test']);
  expect((await verify()).text).toBe(again.text);
});

test.each<[string | undefined, number, string | undefined]>([
  ['wait=0', 202, 'wait=0'],
  ['respond-async, wait=0', 202, 'wait=0'],
  ['Wait = "0"; foo=bar', 202, 'wait=0'],
])('Prefer: %s ends the wait', async (prefer, status, applied) => {
  const answered = await service.call('POST', '/v1/verify', {
    headers: { prefer: prefer! },
    body: { email: `p${++keys}@b.test` },
  });
  expect([answered.status, answered.headers['preference-applied']]).toEqual([status, applied]);
  expect(answered.json).toEqual({ state: 'pending', list_id: expect.any(Number) });
});

test.each([
  undefined,
  'wait=21',
  'wait=-1',
  'wait=soon',
  'wait',
  'wait=1.5',
  'return=minimal',
])('Prefer: %s changes nothing', async (prefer) => {
  const email = `p${++keys}@b.test`;
  const answer = service.call('POST', '/v1/verify', { headers: prefer ? { prefer } : {}, body: { email } });
  await until(() => ends.has(email));
  ends.get(email)!(acceptedRow);
  const answered = await answer;
  expect([answered.status, answered.headers['preference-applied']]).toEqual([200, undefined]);
});
