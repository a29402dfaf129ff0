// `include` on the real service: what it adds, and that nothing changes without it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../test/http-service.ts';
import { accepted, acceptedRow } from '../../test/verdicts.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({
    singles: { makeWay: () => () => {}, begin() {}, finished: async () => acceptedRow },
  });
});
afterAll(() => service.close());

const HEADER = 'email,state,reason,score,accept_all,role,free,disposable,mx,provider';
const BAD_INCLUDE = 'include must be a comma list of detail, suggestion, provider, checked_at';

const submit = async (emails: readonly string[]): Promise<number> =>
  (await service.call('POST', '/v1/lists', { body: { emails } })).json.id;
const resultsOf = (id: number, query = '') => service.call('GET', `/v1/lists/${id}/results${query}`);
const verify = (query = '', headers = {}) =>
  service.call('POST', `/v1/verify${query}`, { body: { email: 'ann@gmial.com' }, headers });
/** As a version before 0.2 stored it. */
const storeAsBefore = (id: number) =>
  service.context.db.query('UPDATE mxproof.chunks SET results = $2 WHERE list_id = $1', [
    id,
    '{"mx":["mx.example.com"],"provider":["other"],"rows":[[0,95,0,0,0]]}',
  ]);

test('rows get the fields that are asked for, at their end and in one order; pending rows have null', async () => {
  const id = await submit(['a@gmial.com', 'b@x.test', 'c@gmial.com']);
  await service.find(id, { 0: accepted, 1: { ...accepted, detail: 'greylisted' } });
  const plain = (await resultsOf(id)).json.results;
  const { results } = (await resultsOf(id, '?include=checked_at,detail,suggestion')).json;
  const checked_at = expect.any(Number);
  expect(results).toEqual([
    { ...plain[0], detail: 'accepted', suggestion: 'gmail.com', checked_at },
    { ...plain[1], detail: 'greylisted', suggestion: null, checked_at },
    { ...plain[2], detail: null, suggestion: null, checked_at: null },
  ]);
  expect(Object.keys(results[0]).slice(-4)).toEqual(['provider', 'detail', 'suggestion', 'checked_at']);
  const at: number = results[0].checked_at;
  expect(at).toBeGreaterThanOrEqual((await service.call('GET', `/v1/lists/${id}`)).json.created_at);
  const csv = await resultsOf(id, '?include=checked_at,suggestion,provider,detail&format=csv');
  expect(csv.text).toBe(
    `${HEADER},detail,suggestion,checked_at\r\n` +
      `a@gmial.com,deliverable,accepted_email,95,False,False,False,False,mx.example.com,other,accepted,gmail.com,${at}\r\n` +
      `b@x.test,deliverable,accepted_email,95,False,False,False,False,mx.example.com,other,greylisted,,${at}\r\n` +
      'c@gmial.com,pending,,0,False,False,False,False,,,,,\r\n',
  );
});

test('without `include`, and with what rows have anyway, a page keeps every byte', async () => {
  const id = await submit(['a@gmial.com', 'b@x.test']);
  await service.find(id, { 0: accepted });
  const { text } = await resultsOf(id);
  expect(text).toBe(
    '{"results":[{"email":"a@gmial.com","state":"deliverable","reason":"accepted_email","score":95,"accept_all":false,"role":false,"free":false,"disposable":false,"mx":"mx.example.com","provider":"other"},' +
      '{"email":"b@x.test","state":"pending","reason":"","score":0,"accept_all":false,"role":false,"free":false,"disposable":false,"mx":null,"provider":""}]}',
  );
  expect((await resultsOf(id, '?include=provider')).text).toBe(text);
  const csv = (await resultsOf(id, '?format=csv')).text;
  expect(csv.split('\r\n')[0]).toBe(HEADER);
  expect((await resultsOf(id, '?format=csv&include=provider')).text).toBe(csv);
});

test('filtered pages take it too, and a detail filters', async () => {
  const id = await submit(['a@x.test', 'b@x.test', 'c@x.test', 'd@x.test']);
  await service.find(id, {
    0: accepted,
    1: { ...accepted, detail: 'mailbox_full' },
    2: { ...accepted, detail: 'timeout' },
  });
  const page = await resultsOf(id, '?detail=timeout,mailbox_full&include=detail&limit=1');
  expect(page.headers['x-total-count']).toBe('2');
  expect(page.json.results).toMatchObject([{ position: 1, detail: 'mailbox_full' }]);
  const csv = await resultsOf(id, '?detail=timeout&format=csv');
  expect(csv.headers['x-total-count']).toBe('1');
  expect(csv.text.split('\r\n')[1]).toMatch(/^c@x\.test,/);
});

test('filtered pages have suggestions too, in JSON and CSV, and pending rows have none', async () => {
  const id = await submit(['a@gmial.com', 'b@x.test', 'c@gmial.com', 'd@gmial.com']);
  await service.find(id, {
    0: accepted,
    1: accepted,
    2: { ...accepted, state: 'risky', reason: 'low_quality' },
  });
  const page = await resultsOf(id, '?state=risky,pending&include=suggestion');
  expect(page.json.results).toMatchObject([
    { position: 2, suggestion: 'gmail.com' },
    { position: 3, suggestion: null },
  ]);
  const csv = (await resultsOf(id, '?q=gmial&include=suggestion&format=csv&offset=1')).text.split('\r\n');
  expect(csv[0]).toBe(`${HEADER},suggestion`);
  expect(csv[1]).toMatch(/^c@gmial\.com,risky,.*,gmail\.com$/);
  expect(csv[2]).toMatch(/^d@gmial\.com,pending,.*,,$/);
});

test('rows from before 0.2 have no detail and no time, count in no detail, and match none', async () => {
  const id = await submit(['a@gmial.com']);
  await storeAsBefore(id);
  const { results } = (await resultsOf(id, '?include=detail,suggestion,checked_at')).json;
  expect(results[0]).toMatchObject({ detail: null, suggestion: 'gmail.com', checked_at: null });
  expect((await resultsOf(id, '?include=detail,checked_at&format=csv')).text).toMatch(/,other,,\r\n$/);
  expect((await resultsOf(id, '?detail=accepted')).headers['x-total-count']).toBe('0');
  const breakdown = (await service.call('GET', `/v1/lists/${id}/breakdown`)).json;
  expect(breakdown).toMatchObject({ reasons: { accepted_email: 1 }, details: {} });
});

test('POST /verify adds them behind the fields it has, and without `include` keeps every byte', async () => {
  const plain = (await verify()).text;
  expect(plain).toBe(
    '{"email":"ann@gmial.com","state":"deliverable","reason":"accepted_email","score":95,"accept_all":false,"role":false,"free":false,"disposable":false,"mx":"mx.example.com"}',
  );
  expect((await verify('?include=provider,checked_at,detail,suggestion')).text).toBe(
    `${plain.slice(0, -1)},"detail":"accepted","suggestion":"gmail.com","provider":"other","checked_at":${acceptedRow.checkedAtSeconds}}`,
  );
});

test('a repeat of POST /verify is the first answer, whatever it asks to include', async () => {
  const headers = { 'idempotency-key': 'include' };
  const first = await verify('?include=detail', headers);
  expect(first.json.detail).toBe('accepted');
  expect((await verify('?include=provider', headers)).text).toBe(first.text);
  expect((await verify('', headers)).text).toBe(first.text);
});

test.each([
  'details',
  '',
  'detail,',
  'detail&include=provider',
  'Detail',
  '__proto__',
])('include=%s is refused in a sentence, before anything is charged', async (value) => {
  const id = await submit(['a@x.test']);
  const credits = async () => (await service.call('GET', '/v1/account')).json.credits;
  const before = await credits();
  for (const answered of [await resultsOf(id, `?include=${value}`), await verify(`?include=${value}`)])
    expect([answered.status, answered.json]).toEqual([400, { error: BAD_INCLUDE }]);
  expect(await credits()).toBe(before);
});
