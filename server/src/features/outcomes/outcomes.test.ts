// Outcomes over HTTP: taken, held against verdicts, and what follows of them.

import type { Verdict } from '@mxproof/engine';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startService, type TestResponse, type TestService } from '../../../test/http-service.ts';
import { accepted, verdictOf } from '../../../test/verdicts.ts';
import { deleteList } from '../../flow/delete-list.ts';
import { openAccount } from '../../flow/open-account.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { addressHash } from '../../rules/erased-hash.ts';
import { eraseOutcomes } from '../../store/outcome-settings.ts';
import { sweepOldOutcomes } from './stored-outcomes.ts';

let s: TestService;
let accountId: number;
let key: string;
beforeAll(async () => {
  s = await startService();
});
afterAll(() => s.close());
beforeEach(async () => {
  ({ accountId, apiKey: key } = await s.open());
  expect((await patch({ outcomes: true })).json.settings).toEqual({ low_credits: null, outcomes: true });
});

const patch = (body: object) => s.call('PATCH', '/v1/account', { key, body });
const post = (outcomes: readonly object[]) => s.call('POST', '/v1/outcomes', { key, body: { outcomes } });
const accuracy = async (days = 90) => (await s.call('GET', `/v1/accuracy?days=${days}`, { key })).json;
const suppressions = async (path: string, emails: readonly string[]): Promise<TestResponse> =>
  s.call('POST', `/v1/suppressions${path}`, { key, body: { emails } });
const counts = async () => (await s.call('GET', '/v1/suppressions', { key })).json;
const rows = () =>
  s.context.db.query(
    'SELECT outcome, day::text, state, list_id, suppresses FROM mxproof.outcomes WHERE account_id = $1',
    [accountId],
  );

/** All of them with this verdict. */
async function checked(emails: readonly string[], verdict = accepted): Promise<number> {
  const { json } = await s.call('POST', '/v1/lists', { key, body: { emails } });
  await s.find(json.id, Object.fromEntries(emails.map((_, at) => [at, verdict])));
  return json.id;
}

const RISKY: Verdict = {
  ...accepted,
  state: 'risky',
  reason: 'low_deliverability',
  detail: 'catch_all',
  score: 40,
  acceptAll: true,
  provider: 'google',
};
const NO_MAILBOX = verdictOf('nobody@example.com');
const GONE = '550 5.1.1 <x@example.com>: User unknown (in reply to RCPT TO command)';
const none = { delivered: 0, bounced: 0, full: 0, blocked: 0, complained: 0, unclear: 0 };
const bounced = (email: string, reply?: string) => ({ email, outcome: 'bounced', reply });
const delivered = (email: string) => ({ email, outcome: 'delivered' });

test('only what the mail server says about the mailbox counts against a verdict', async () => {
  const emails = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((local) => `${local}@example.com`);
  await checked(emails);
  const { json } = await post([
    delivered('A@example.com '),
    bounced('b@example.com', GONE),
    bounced('c@example.com', 'smtp; 552 5.2.2 Mailbox full'),
    bounced(
      'd@example.com',
      '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
    ),
    bounced('e@example.com', '550 5.7.1 Message rejected as spam by content filtering'),
    { email: 'f@example.com', outcome: 'complained' },
    bounced('g@example.com'),
    // A service's "hard", without what the server said.
    bounced('h@example.com', 'hard bounce'),
    delivered('nobody@example.com'),
  ]);
  expect(json).toEqual({ accepted: 9, ignored: 0, duplicates: 0, errors: [] });
  const { matched, unmatched, states, providers, details } = await accuracy();
  expect([matched, unmatched]).toEqual([8, 1]);
  expect(states).toEqual({
    deliverable: { delivered: 1, bounced: 1, full: 1, blocked: 2, complained: 1, unclear: 2 },
    risky: none,
    undeliverable: none,
    unknown: none,
  });
  const rate = { n: 3, bounced: 1, rate: null, low: null, high: null };
  expect(providers).toEqual([{ provider: accepted.provider, state: 'deliverable', ...rate }]);
  expect(details).toEqual([{ detail: 'accepted', ...rate }]);
  expect(await counts()).toEqual({ total: 2, bounced: 1, complained: 1, uploaded: 0 });
  // No text of it holds an address, or what was said.
  const stored = JSON.stringify(await s.context.db.query('SELECT * FROM mxproof.outcomes'));
  expect(stored).not.toMatch(/@|User unknown/);
});

test('an account by hand: every number of its accuracy', async () => {
  const gone: Verdict = {
    ...accepted,
    state: 'undeliverable',
    reason: 'rejected_email',
    detail: 'no_such_mailbox',
    score: 0,
  };
  const some = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${name}${n}@example.com`);
  const [good, all, none29, mute] = [some('good', 42), some('all', 34), some('none', 29), some('mute', 2)];
  await checked(good, { ...accepted, provider: 'google' });
  await checked(all, RISKY);
  await checked(none29, gone);
  await checked(mute, { ...accepted, state: 'unknown', reason: 'no_connect', detail: 'timeout', score: 0 });
  const full = '552 5.2.2 Mailbox full';
  const blocked = '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org';
  await post([
    // 42 called deliverable at Google: 37 delivered, 1 called it spam, 2 are no mailboxes, 1 was full, 1 refused the sender.
    ...good.slice(0, 37).map(delivered),
    { email: good[37], outcome: 'complained' },
    ...good.slice(38, 40).map((email) => bounced(email, GONE)),
    bounced(good[40]!, full),
    bounced(good[41]!, blocked),
    // 34 that Google accepts like any name: 21 delivered, 9 are no mailboxes, 3 full, 1 says nothing.
    ...all.slice(0, 21).map(delivered),
    ...all.slice(21, 30).map((email) => bounced(email, GONE)),
    ...all.slice(30, 33).map((email) => bounced(email, full)),
    bounced(all[33]!),
    // 29 called undeliverable: one of them was delivered.
    delivered(none29[0]!),
    ...none29.slice(1).map((email) => bounced(email, GONE)),
    // 2 unknown, and 3 that were never checked.
    ...mute.map((email) => bounced(email, blocked)),
    ...some('new', 3).map(delivered),
  ]);
  const zero = { delivered: 0, bounced: 0, full: 0, blocked: 0, complained: 0, unclear: 0 };
  const nothing = { rate: null, low: null, high: null };
  // Of 40: 37 + 1 + 2. Its interval: (0.05 + 1.9207/40 ± 1.96·√(0.05·0.95/40 + 0.9604/40²)) / (1 + 3.8415/40).
  const ofGood = { n: 40, bounced: 2, rate: 0.05, low: 0.013821, high: 0.165039 };
  // Of 30: 21 + 9, and the same with 0.3.
  const ofAll = { n: 30, bounced: 9, rate: 0.3, low: 0.166647, high: 0.478758 };
  // Of 29 nothing is claimed.
  const ofNone = { n: 29, bounced: 28, ...nothing };
  expect(await accuracy()).toEqual({
    matched: 107,
    unmatched: 3,
    states: {
      deliverable: { delivered: 37, bounced: 2, full: 1, blocked: 1, complained: 1, unclear: 0 },
      risky: { delivered: 21, bounced: 9, full: 3, blocked: 0, complained: 0, unclear: 1 },
      undeliverable: { ...zero, delivered: 1, bounced: 28 },
      unknown: { ...zero, blocked: 2 },
    },
    providers: [
      { provider: 'google', state: 'deliverable', ...ofGood },
      { provider: 'google', state: 'risky', ...ofAll },
      { provider: 'other', state: 'undeliverable', ...ofNone },
    ],
    details: [
      { detail: 'accepted', ...ofGood },
      { detail: 'catch_all', ...ofAll },
      { detail: 'no_such_mailbox', ...ofNone },
    ],
  });
  expect(await counts()).toEqual({ total: 40, bounced: 39, complained: 1, uploaded: 0 });
});

test('a repeat changes nothing: by id, or by address, outcome and day', async () => {
  await checked(['a@example.com']);
  const at = Math.floor(Date.now() / 1_000);
  const first = [
    delivered('a@example.com'),
    delivered('A@EXAMPLE.COM'),
    { ...delivered('a@example.com'), at, id: 'x' },
    { ...delivered('a@example.com'), at, id: 'x' },
    { ...delivered('a@example.com'), at, id: 'y' },
    { ...delivered('a@example.com'), at: at - 86_400 },
  ];
  expect((await post(first)).json).toMatchObject({ accepted: 4, duplicates: 2 });
  expect((await post(first)).json).toMatchObject({ accepted: 0, duplicates: 6 });
  expect(await rows()).toHaveLength(4);
  const together = await Promise.all([1, 2, 3].map(() => post([{ ...delivered('b@example.com'), id: 'z' }])));
  expect(together.map(({ json }) => json.accepted).sort()).toEqual([0, 0, 1]);
});

test('an address counts once for each verdict, and a bounce that comes later overrides delivered', async () => {
  await checked(['a@example.com', 'b@example.com']);
  await post([delivered('a@example.com'), delivered('b@example.com')]);
  await post([bounced('a@example.com', GONE)]);
  // Whichever comes first, as services tell it.
  await post([bounced('b@example.com', '552 5.2.2 Mailbox full')]);
  await post([{ ...delivered('a@example.com'), id: 'late' }]);
  expect((await accuracy()).states.deliverable).toEqual({ ...none, bounced: 1, full: 1 });
  await checked(['a@example.com'], RISKY);
  await post([{ ...delivered('a@example.com'), id: 'next' }]);
  const { matched, states } = await accuracy();
  expect([matched, states.risky]).toEqual([3, { ...none, delivered: 1 }]);
});

test('a verdict answers for mail after it, for 90 days; an echo and what is older than a year is ignored', async () => {
  const listId = await checked(['a@example.com', 'b@example.com']);
  const day = 86_400;
  const now = Math.floor(Date.now() / 1_000);
  await s.context.db.query('UPDATE mxproof.checked_addresses SET day = day - 100 WHERE list_id = $1', [
    listId,
  ]);
  const { json } = await post([
    { ...delivered('a@example.com'), at: now - 101 * day },
    { ...delivered('a@example.com'), at: now - 5 * day },
    { ...delivered('b@example.com'), at: new Date((now - 20 * day) * 1_000).toISOString() },
    { ...delivered('b@example.com'), at: now - 367 * day },
    bounced('a@example.com', 'Not delivering to previously bounced address'),
  ]);
  expect(json).toMatchObject({ accepted: 3, ignored: 2 });
  expect((await rows()).map(({ state }) => state).sort()).toEqual(['deliverable', null, null]);
});

test('CSV and NDJSON say the same as JSON, and what is wrong is told by its place', async () => {
  await checked(['a@example.com', 'b@example.com']);
  const send = (type: string, raw: string) =>
    s.call('POST', '/v1/outcomes', { key, raw, headers: { 'content-type': type } });
  const csv = await send(
    'text/csv; charset=utf-8',
    `\ufeffOutcome,id,email,reply,campaign\r\ndelivered,1,a@example.com,,x\r\nbounced,2,b@example.com,"550 5.1.1 ""b"": User unknown\r\n(in reply to RCPT TO command)",x\r\nopened,3,a@example.com,,\r\n`,
  );
  expect(csv.json).toEqual({
    accepted: 2,
    ignored: 0,
    duplicates: 0,
    errors: [{ index: 2, error: 'outcome must be delivered, bounced or complained' }],
  });
  expect(csv.headers['mxproof-warning']).toBe('unknown field: campaign');
  expect((await rows()).map(({ outcome }) => outcome).sort()).toEqual(['bounced', 'delivered']);
  const lines = await send(
    'application/x-ndjson',
    '{"email":"a@example.com","outcome":"delivered","id":1}\n\n{"email":\n{"email":"b@example.com","outcome":"complained","id":"9"}\n[]\n',
  );
  expect(lines.json).toEqual({
    accepted: 1,
    ignored: 0,
    duplicates: 1,
    errors: [
      { index: 1, error: 'not JSON' },
      { index: 3, error: 'not an object' },
    ],
  });
  for (const [type, raw, code] of [
    ['text/csv', 'email;outcome\n', 'outcomes_required'],
    ['text/csv', 'address,outcome\na@example.com,delivered', 'outcomes_required'],
    ['application/x-ndjson', '\n', 'outcomes_required'],
    ['application/json', '{"outcomes":[]}', 'outcomes_required'],
    ['text/plain', '{"outcomes":{}}', 'outcomes_required'],
    ['application/x-ndjson', '{"outcome":"delivered"}\n'.repeat(10_001), 'too_many_outcomes'],
  ] as const)
    expect((await send(type, raw)).headers['mxproof-error'], raw.slice(0, 40)).toBe(code);
});

test('ten thousand are read off the main thread, and each counts in the addresses window', async () => {
  const outcomes = Array.from({ length: 10_000 }, (_, at) =>
    bounced(`a${at}@example.com`, `550 5.1.1 <a${at}@example.com>: User unknown`),
  );
  const { json, headers } = await post(outcomes);
  expect(json).toEqual({ accepted: 10_000, ignored: 0, duplicates: 0, errors: [] });
  expect(headers.ratelimit).toContain('"addresses";r=9990000');
  expect(await counts()).toMatchObject({ bounced: 10_000 });
});

test('the verdicts that were wrong have their address and place, the latest first, while their list is there', async () => {
  const wrong = async (query = '') => (await s.call('GET', `/v1/accuracy/wrong${query}`, { key })).json;
  expect(await wrong()).toEqual({ total: 0, gone: 0, wrong: [] });
  const good = await checked(['right@example.com', 'a@example.com', 'b@example.com', 'full@example.com']);
  const many = Array.from({ length: 300 }, (_, at) => `p${at}@example.com`);
  const bad = await checked([...many, 'c@example.com', 'd@example.com'], NO_MAILBOX);
  await checked(['e@example.com'], RISKY);
  const at = Math.floor(Date.now() / 1_000);
  // What was checked today answers for mail of today alone.
  await post([
    delivered('right@example.com'),
    bounced('a@example.com', GONE),
    { ...bounced('b@example.com', GONE), at },
    bounced('full@example.com', '552 5.2.2 Mailbox full'),
    delivered('c@example.com'),
    { email: 'd@example.com', outcome: 'complained' },
    bounced('p0@example.com', GONE),
    bounced('e@example.com', GONE),
  ]);
  await s.context.db.query(
    `UPDATE mxproof.outcomes SET day = day - 3 WHERE account_id = $1 AND list_id = $2 AND position = 1`,
    [accountId, good],
  );
  const found = await wrong();
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const undeliverable = {
    state: 'undeliverable',
    detail: 'no_such_mailbox',
    provider: accepted.provider,
    day: day(0),
  };
  const deliverable = { state: 'deliverable', detail: 'accepted', provider: accepted.provider };
  expect(found).toEqual({
    total: 4,
    gone: 0,
    wrong: [
      { email: 'c@example.com', list_id: bad, position: 300, ...undeliverable, outcome: 'delivered' },
      { email: 'd@example.com', list_id: bad, position: 301, ...undeliverable, outcome: 'complained' },
      {
        email: 'b@example.com',
        list_id: good,
        position: 2,
        ...deliverable,
        outcome: 'bounced',
        day: day(0),
      },
      {
        email: 'a@example.com',
        list_id: good,
        position: 1,
        ...deliverable,
        outcome: 'bounced',
        day: day(3),
      },
    ],
  });
  expect(await wrong('?days=2&offset=1&limit=1')).toEqual({ total: 3, gone: 0, wrong: [found.wrong[1]] });
  expect((await wrong('?limit=100000')).wrong).toHaveLength(4);
  for (const [query, code] of [
    ['days=367', 'bad_days'],
    ['offset=-1', 'bad_offset'],
    ['limit=0', 'bad_limit'],
  ] as const)
    expect(
      (await s.call('GET', `/v1/accuracy/wrong?${query}`, { key })).headers['mxproof-error'],
      query,
    ).toBe(code);
  // Neither another account's nor test mode's.
  const other = await s.open();
  const { json } = await s.call('POST', '/v1/keys', { key, body: { label: 'test', test: true } });
  for (const stranger of [other.apiKey, json.api_key])
    expect((await s.call('GET', '/v1/accuracy/wrong', { key: stranger })).json).toEqual({
      total: 0,
      gone: 0,
      wrong: [],
    });
  // Erased, hidden for an undo, gone.
  const addressKey = await s.context.addressKey(s.context.db);
  await eraseOutcomes(s.context.db, [addressHash(addressKey, 'd@example.com')], [accountId]);
  expect((await wrong()).total).toBe(3);
  await s.call('DELETE', `/v1/lists/${good}?undo=60`, { key });
  expect(await wrong()).toEqual({ total: 1, gone: 2, wrong: [found.wrong[0]] });
  await s.call('POST', `/v1/lists/${good}/undelete`, { key });
  expect((await wrong()).total).toBe(3);
  await deleteList(s.context, THE_SERVICE, good, accountId);
  expect(await wrong()).toEqual({ total: 1, gone: 2, wrong: [found.wrong[0]] });
});

test('off, nothing is taken; switching it off deletes the outcomes, and leaves of suppressions a hash', async () => {
  await checked(['a@example.com', 'b@example.com']);
  await post([delivered('a@example.com'), bounced('b@example.com', GONE)]);
  expect((await patch({ outcomes: false })).json.settings.outcomes).toBe(false);
  const refused = await post([delivered('a@example.com')]);
  expect([refused.status, refused.json, refused.headers['mxproof-error']]).toEqual([
    409,
    { error: 'outcomes are off' },
    'outcomes_off',
  ]);
  expect(await rows()).toEqual([
    { outcome: 'bounced', day: expect.any(String), state: null, list_id: null, suppresses: true },
  ]);
  expect((await accuracy()).matched).toBe(0);
  expect(await counts()).toEqual({ total: 1, bounced: 1, complained: 0, uploaded: 0 });
  expect((await patch({ outcomes: 'yes' })).headers['mxproof-error']).toBe('bad_outcomes');
});

test('outcomes outlive their list without its place, and go with their address and their account', async () => {
  const listId = await checked(['a@example.com', 'b@example.com']);
  await post([delivered('a@example.com'), bounced('b@example.com', GONE)]);
  await deleteList(s.context, THE_SERVICE, listId, accountId);
  expect((await rows()).map(({ state, list_id }) => [state, list_id])).toEqual([
    ['deliverable', null],
    ['deliverable', null],
  ]);
  const addressKey = await s.context.addressKey(s.context.db);
  const hashes = ['a@example.com', 'b@example.com'].map((email) => addressHash(addressKey, email));
  await eraseOutcomes(s.context.db, hashes, [accountId]);
  // Or the address would be mailed again.
  expect(await rows()).toMatchObject([{ outcome: 'bounced', state: null, suppresses: true }]);
  await s.context.db.query('DELETE FROM mxproof.outcomes WHERE account_id = $1', [accountId]);
  const other = await openAccount(s.context.db, THE_SERVICE, s.box, { name: 'other', credits: 1 });
  expect((await s.call('GET', '/v1/suppressions', { key: other.apiKey })).json.total).toBe(0);
});

test('outcomes go after a year; what they suppress stays', async () => {
  await post([delivered('a@example.com'), bounced('b@example.com', GONE)]);
  await sweepOldOutcomes(s.context.db);
  expect(await rows()).toHaveLength(2);
  await s.context.db.query('UPDATE mxproof.outcomes SET day = day - 367 WHERE account_id = $1', [accountId]);
  await sweepOldOutcomes(s.context.db);
  expect(await rows()).toMatchObject([{ outcome: 'bounced', suppresses: true }]);
  expect((await counts()).total).toBe(1);
});

test('suppressed addresses are told by their place, in any spelling, and come off until the next bounce', async () => {
  expect((await suppressions('', ['A@example.com', 'a@example.com', ' ', 'ü@bücher.example'])).json).toEqual({
    added: 2,
  });
  expect((await suppressions('', ['a@example.com', 'c@example.com'])).json).toEqual({ added: 1 });
  await post([bounced('d@example.com', GONE), bounced('a@example.com', GONE)]);
  expect(await counts()).toEqual({ total: 4, bounced: 2, complained: 0, uploaded: 3 });
  const asked = ['x@example.com', 'a@example.com', 'ü@xn--bcher-kva.example', 'D@example.com', ''];
  expect((await suppressions('/check', asked)).json).toEqual({ suppressed: [1, 2, 3] });
  const list = await checked(['x@example.com', 'd@example.com']);
  const page = await s.call('GET', `/v1/lists/${list}/results?include=suppressed`, { key });
  expect(page.json.results.map(({ suppressed }: { suppressed: boolean }) => suppressed)).toEqual([
    false,
    true,
  ]);
  expect((await suppressions('/remove', ['d@example.com', 'a@example.com', 'x@example.com'])).json).toEqual({
    removed: 2,
  });
  expect((await suppressions('/check', asked)).json).toEqual({ suppressed: [2] });
  // What became of mail is still known, and the next bounce counts.
  expect((await accuracy()).unmatched).toBe(2);
  await post([{ ...bounced('d@example.com', GONE), id: 'next' }]);
  expect((await suppressions('/check', asked)).json).toEqual({ suppressed: [2, 3] });
  expect((await suppressions('', [])).headers['mxproof-error']).toBe('emails_required');
});

test('an estimate is of the domain, else the provider, else the detail, and null where nothing is known', async () => {
  const known = Array.from({ length: 40 }, (_, at) => `a${at}@known.example`);
  await checked(known, RISKY);
  const before = await checked(['new@known.example'], RISKY);
  await post(known.map((email, at) => (at < 10 ? bounced(email, GONE) : delivered(email))));
  const listId = await checked(['new@known.example', 'new@other.example', 'new@third.example'], RISKY);
  const other = await checked(['new@fourth.example'], { ...RISKY, provider: 'other' });
  const unknown = await checked(['new@known.example'], accepted);
  const read = async (id: number, more = '') =>
    (await s.call('GET', `/v1/lists/${id}/results?include=estimate${more}`, { key })).json.results;
  const [ofDomain, ofProvider] = await read(listId);
  expect(ofDomain).toMatchObject({ bounce_probability: 0.25, bounce_n: 40, bounce_basis: 'domain' });
  expect(ofDomain.bounce_low).toBeCloseTo(0.141869, 5);
  expect(ofDomain.bounce_high).toBeCloseTo(0.40194, 5);
  expect(ofProvider).toMatchObject({ bounce_probability: 0.25, bounce_n: 40, bounce_basis: 'provider' });
  expect(await read(other)).toMatchObject([{ bounce_n: 40, bounce_basis: 'detail' }]);
  const nothing = {
    bounce_probability: null,
    bounce_low: null,
    bounce_high: null,
    bounce_n: null,
    bounce_basis: null,
  };
  expect(await read(unknown)).toMatchObject([nothing]);
  expect((await read(before, ',suppressed&state=risky'))[0]).toMatchObject({
    position: 0,
    bounce_n: 40,
    suppressed: false,
  });
  const csv = await s.call(
    'GET',
    `/v1/lists/${listId}/results?format=csv&limit=1&include=suppressed,estimate,detail`,
    { key },
  );
  expect(csv.text.split('\r\n')[0]).toMatch(
    /,detail,bounce_probability,bounce_low,bounce_high,bounce_n,bounce_basis,suppressed$/,
  );
  expect(csv.text.split('\r\n')[1]).toMatch(/,catch_all,0\.25,0\.\d+,0\.\d+,40,domain,False$/);
  // Without outcomes nothing of it is there.
  expect(await s.call('GET', `/v1/lists/${listId}/results?include=estimates`, { key })).toMatchObject({
    status: 400,
  });
});

test('another account has nothing of it, and a test key its own', async () => {
  await post([bounced('a@example.com', GONE)]);
  const { json } = await s.call('POST', '/v1/keys', { key, body: { label: 'test', test: true } });
  const test = json.api_key;
  expect((await s.call('GET', '/v1/suppressions', { key: test })).json.total).toBe(0);
  const body = { outcomes: [delivered('a@example.com')] };
  expect((await s.call('POST', '/v1/outcomes', { key: test, body })).status).toBe(409);
});
