import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallOptions, startService, type TestService } from '../../../test/http-service.ts';
import { accepted } from '../../../test/verdicts.ts';
import { addKey } from '../../flow/add-key.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { verifyLedger } from '../../store/verify-ledger.ts';

const refused = { ...accepted, state: 'undeliverable', reason: 'invalid_domain', score: 0 } as const;
const risky = { ...accepted, state: 'risky', reason: 'low_deliverability', score: 40 } as const;
const unknown = { ...accepted, state: 'unknown', reason: 'no_connect', score: 0 } as const;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  expect((await verifyLedger(service.context.db)).differences).toEqual([]);
  await service.close();
});

/** An account of its own with a list whose addresses got these verdicts; null: none yet. */
async function checked(found: readonly (readonly [string, typeof accepted | null])[], credits = 100) {
  const owner = await service.open({ credits });
  const call = (method: string, path: string, options: CallOptions = {}) =>
    service.call(method, path, { key: owner.apiKey, ...options });
  const { json } = await call('POST', '/v1/lists', {
    body: { emails: found.map(([email]) => email), name: 'spring', group: 'file' },
  });
  const verdicts = found.flatMap(([, verdict], at) => (verdict ? [[at, verdict] as const] : []));
  await service.find(json.id, Object.fromEntries(verdicts));
  const path = `/v1/lists/${json.id}`;
  return {
    call,
    path,
    id: json.id as number,
    correct: (body?: unknown, key?: string) =>
      call('POST', `${path}/corrections`, {
        ...(body !== undefined && { body }),
        ...(key !== undefined && { headers: { 'idempotency-key': key } }),
      }),
    corrections: async () => (await call('GET', `${path}/corrections`)).json,
    emailsOf: async (id: number): Promise<string[]> =>
      (await call('GET', `/v1/lists/${id}/results`)).json.results.map(
        ({ email }: { email: string }) => email,
      ),
    account: async () => {
      const { credits: left, credits_used: used, lists } = (await call('GET', '/v1/account')).json;
      return { left, used, lists };
    },
  };
}
const statusAndJson = ({ status, json }: { status: number; json: unknown }) => [status, json];
const NOTHING = [409, { error: 'nothing to correct' }];

test('likelier spellings become a list, in their order and each once, charged as any', async () => {
  const { call, path, correct, corrections, emailsOf, account } = await checked([
    ['ann@gmial.com', refused],
    ['ben@shop.test', refused],
    ['ben@hotmial.com', risky],
    ['ann@gmai.com', refused],
    ['cy@gmial.com', unknown],
    ['"a@b"@gmial.com', refused],
    // Mail arrives: it is spelt as it should be, however it looks.
    ['dora@gmial.com', accepted],
    // Its likelier spelling is in the list, and its answer known.
    ['eve@gmial.com', refused],
    ['eve@gmail.com', unknown],
  ]);
  expect(await corrections()).toEqual({ lists: [] });
  const made = await correct();
  expect([made.status, made.headers.location]).toEqual([201, `/v1/lists/${made.json.id}`]);
  expect(made.json).toMatchObject({ name: 'spring', total: 4, duplicates_removed: 1, status: 'processing' });
  expect(await emailsOf(made.json.id)).toEqual([
    'ann@gmail.com',
    'ben@hotmail.com',
    'cy@gmail.com',
    '"a@b"@gmail.com',
  ]);
  // Nine and four, less two that stayed unknown.
  expect(await account()).toEqual({ left: 89, used: 11, lists: 2 });
  // It is of no group, and no retry.
  expect((await call('GET', '/v1/groups/file')).json.lists).toHaveLength(1);
  expect((await call('GET', `${path}/retries`)).json).toEqual({ lists: [] });
  expect(await corrections()).toEqual({ lists: [made.json.id] });

  // What a client makes of the rows is what was checked.
  const { results } = (await call('GET', `${path}/results?include=suggestion`)).json;
  const meant = (results as { email: string; state: string; suggestion: string | null }[]).flatMap(
    ({ email, state, suggestion }) =>
      state !== 'deliverable' && suggestion
        ? [`${email.slice(0, email.lastIndexOf('@'))}@${suggestion}`]
        : [],
  );
  expect(new Set(meant)).toEqual(new Set([...(await emailsOf(made.json.id)), 'eve@gmail.com']));

  // A retry of it is a retry of it, and not one of the first list.
  await service.find(made.json.id, { 0: accepted, 1: unknown, 2: accepted, 3: accepted });
  const again = (await call('POST', `/v1/lists/${made.json.id}/retry`)).json.id;
  expect((await call('GET', `/v1/lists/${made.json.id}/retries`)).json).toEqual({ lists: [again] });
  expect(await corrections()).toEqual({ lists: [made.json.id] });
});

test('only the domains that are named are corrected, in whatever case', async () => {
  const { correct, emailsOf, corrections } = await checked([
    ['ann@gmial.com', refused],
    ['ben@gmai.com', refused],
    ['cy@hotmial.com', refused],
  ]);
  const first = await correct({ domains: [' GMIAL.com', 'hotmial.com', 'shop.test'] });
  expect(await emailsOf(first.json.id)).toEqual(['ann@gmail.com', 'cy@hotmail.com']);
  const second = await correct({ domains: ['gmai.com'] });
  expect(await emailsOf(second.json.id)).toEqual(['ben@gmail.com']);
  expect(await corrections()).toEqual({ lists: [first.json.id, second.json.id] });
  expect(statusAndJson(await correct({ domains: ['gmail.com'] }))).toEqual(NOTHING);
  expect((await correct({})).json.total).toBe(3);
});

test.each([
  [{ domains: [] }],
  [{ domains: 'gmial.com' }],
  [{ domains: null }],
  [{ domains: ['gmial.com', 7] }],
  [{ domains: ['x'.repeat(1_001)] }],
  [{ domains: Array.from({ length: 10_001 }, (_, at) => `d${at}.test`) }],
  [['gmial.com']],
  ['gmial.com'],
])('a body %# that does not say which is refused, and nothing is charged', async (body) => {
  const { correct, account } = await checked([['ann@gmial.com', refused]]);
  const answered = await correct(body);
  expect([answered.status, answered.headers['mxproof-error']]).toEqual([400, 'bad_domains']);
  expect(await account()).toMatchObject({ used: 1 });
});

test('with nothing to correct, unfinished, another’s or deleted, it is refused', async () => {
  const none = await checked([
    ['ann@shop.test', refused],
    ['ben@gmial.com', accepted],
    ['not an address', refused],
  ]);
  const answered = await none.correct();
  expect(statusAndJson(answered)).toEqual(NOTHING);
  expect(answered.headers['mxproof-error']).toBe('nothing_to_correct');

  const open = await checked([
    ['ann@gmial.com', refused],
    ['ben@gmial.com', null],
    ['ann@gmail.com', null],
  ]);
  expect(statusAndJson(await open.correct())).toEqual([409, { error: 'list is not finished' }]);
  // Of one that was stopped, what was checked: a likelier spelling that never was is not known yet.
  await open.call('POST', `${open.path}/cancel`);
  expect(await open.emailsOf((await open.correct()).json.id)).toEqual(['ann@gmail.com']);

  const { apiKey: testKey } = await service.context.db.transaction((tx) =>
    addKey(tx, THE_SERVICE, { accountId: service.account.accountId, label: '', manage: false, test: true }),
  );
  for (const key of [service.account.apiKey, testKey])
    for (const method of ['GET', 'POST'])
      expect((await service.call(method, `${open.path}/corrections`, { key })).status).toBe(404);
  const [made] = (await open.corrections()).lists;
  await service.find(made, { 0: accepted });
  await open.call('DELETE', `/v1/lists/${made}?undo=60`);
  expect(await open.corrections()).toEqual({ lists: [] });
  await open.call('POST', `/v1/lists/${made}/undelete`);
  expect(await open.corrections()).toEqual({ lists: [made] });
  await open.call('DELETE', open.path);
  for (const method of ['GET', 'POST'])
    expect((await open.call(method, `${open.path}/corrections`)).status).toBe(404);
});

test('without the credits for all of them nothing is charged, and the answer says how many it takes', async () => {
  const { correct, corrections, account } = await checked(
    [
      ['ann@gmial.com', refused],
      ['ben@gmial.com', refused],
    ],
    3,
  );
  const short = await correct();
  expect(statusAndJson(short)).toEqual([402, { error: 'insufficient credits: 2 needed' }]);
  expect(short.headers['mxproof-credits-needed']).toBe('2');
  expect(await corrections()).toEqual({ lists: [] });
  expect(await account()).toEqual({ left: 1, used: 2, lists: 1 });
});

test('repeats with one Idempotency-Key are one list and one charge; other domains or another list are a mistake', async () => {
  const { call, path, correct, account } = await checked(
    [
      ['ann@gmial.com', refused],
      ['ben@gmai.com', refused],
    ],
    4,
  );
  const body = { domains: ['gmial.com', 'gmai.com'] };
  const same = await Promise.all(Array.from({ length: 6 }, () => correct(body, 'one')));
  expect(new Set(same.map(({ status, text, headers }) => `${status} ${headers.location} ${text}`)).size).toBe(
    1,
  );
  expect(same[0]!.status).toBe(201);
  expect(await account()).toEqual({ left: 0, used: 4, lists: 2 });
  expect((await correct({ domains: ['gmai.com'] }, 'one')).status).toBe(422);
  expect((await correct(undefined, 'one')).status).toBe(422);
  expect(
    (
      await call('POST', `${same[0]!.headers.location}/corrections`, {
        body,
        headers: { 'idempotency-key': 'one' },
      })
    ).status,
  ).toBe(422);
  // Also when the list is gone.
  await call('DELETE', path);
  expect((await correct(body, 'one')).text).toBe(same[0]!.text);
});

test('it counts one request and its addresses; what is refused counts no address', async () => {
  const { correct } = await checked([
    ['ann@gmial.com', refused],
    ['ben@gmial.com', refused],
  ]);
  const left = (headers: Record<string, unknown>, kind: string) =>
    Number(new RegExp(`"${kind}";r=(\\d+)`).exec(String(headers.ratelimit))?.[1]);
  const first = (await correct()).headers;
  await correct({ domains: ['shop.test'] });
  const second = (await correct()).headers;
  expect(left(first, 'addresses') - left(second, 'addresses')).toBe(2);
  expect(left(first, 'requests') - left(second, 'requests')).toBe(2);
});
