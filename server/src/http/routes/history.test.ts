import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { accepted, verdictOf } from '../../../test/verdicts.ts';
import { grantCredits } from '../../store/ledger.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const unknown = verdictOf('unknown@example.com');

async function openAccount() {
  const { apiKey, accountId } = await service.open({ credits: 100 });
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { key: apiKey, ...(body === undefined ? {} : { body }) });
  return { accountId, call };
}

test('the history says what happened to the balance, newest first, also of lists that are gone', async () => {
  const { accountId, call } = await openAccount();
  const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
  const list = (await call('POST', '/v1/lists', { emails, name: 'Spring' })).json;
  await service.find(list.id, { 0: accepted, 1: unknown, 2: unknown });
  await grantCredits(service.context.db, accountId, 50, 'invoice 2041');
  await call('POST', '/v1/verify', { email: 'ann@example.com' });
  const history = async (query = '') => (await call('GET', `/v1/account/history${query}`)).json.entries;
  const entries = await history();
  const check = entries[0].list_id;
  const entry = (each: object) => ({ id: expect.any(Number), at: expect.any(Number), ...each });
  const opening = {
    ...{ kind: 'grant', credits: 100, balance: 100 },
    ...{ list_id: null, list_name: null, single: null, note: 'opening credits' },
  };
  const ofList = { list_id: list.id, list_name: 'Spring', single: false };
  const ofCheck = { list_id: check, list_name: '', single: true };
  const charged = { kind: 'charge', credits: -3, balance: 97, note: `3 addresses of list ${list.id}` };
  const note = `2 of 3 addresses of list ${list.id} without a result`;
  const refunded = { kind: 'refund', credits: 2, balance: 99, note };
  expect(entries).toEqual(
    [
      { kind: 'charge', credits: -1, balance: 148, ...ofCheck, note: 'single check' },
      { ...opening, credits: 50, balance: 149, note: 'invoice 2041' },
      { ...refunded, ...ofList },
      { ...charged, ...ofList },
      opening,
    ].map(entry),
  );
  expect(await history('?offset=1&limit=2')).toEqual(entries.slice(1, 3));
  expect(await history('?kind=refund')).toEqual([entries[2]]);
  expect(await history('?kind=grant&offset=1')).toEqual([entries[4]]);
  expect(await history('?offset=5')).toEqual([]);
  await call('DELETE', `/v1/lists/${list.id}`);
  const gone = { ...ofList, list_name: null, single: null };
  expect((await history('?limit=4')).slice(2)).toEqual(
    [
      { ...refunded, ...gone },
      { ...charged, ...gone },
    ].map(entry),
  );
});

test('the usage has every day, today last, and keeps what a deleted list has shown', async () => {
  const { call } = await openAccount();
  const usage = async (query = '') => (await call('GET', `/v1/account/usage${query}`)).json.days;
  const nothing = { charged: 0, refunded: 0, deliverable: 0, risky: 0, undeliverable: 0, unknown: 0 };
  const days = await usage();
  expect(days).toHaveLength(30);
  const today = Date.parse(days.at(-1).date);
  expect(Math.abs(Date.now() - today)).toBeLessThan(25 * 3600 * 1000);
  expect(days).toEqual(
    Array.from({ length: 30 }, (_, n) => ({
      date: new Date(today - (29 - n) * 24 * 3600 * 1000).toISOString().slice(0, 10),
      ...nothing,
    })),
  );
  const list = (await call('POST', '/v1/lists', { emails: ['a@example.com', 'b@example.com'] })).json;
  const open = (await call('POST', '/v1/lists', { emails: ['a@example.com', 'b@example.com'] })).json;
  await service.find(list.id, { 0: accepted, 1: unknown });
  await service.find(open.id, { 0: accepted });
  await call('DELETE', `/v1/lists/${list.id}`);
  await call('DELETE', `/v1/lists/${open.id}`);
  // A test may see midnight.
  const [before, now] = await usage('?days=2');
  const sum = Object.keys(nothing).map((name) => before[name] + now[name]);
  expect(sum).toEqual([4, 2, 2, 0, 0, 1]);
  expect(await usage('?days=366')).toHaveLength(366);
  expect(await usage('?days=1')).toEqual([now]);
});

test('another account’s history and usage are its own', async () => {
  const one = await openAccount();
  const other = await openAccount();
  await one.call('POST', '/v1/verify', { email: 'ann@example.com' });
  expect((await other.call('GET', '/v1/account/history')).json.entries).toHaveLength(1);
  expect(
    (await other.call('GET', '/v1/account/usage?days=2')).json.days.map(
      (day: { charged: number }) => day.charged,
    ),
  ).toEqual([0, 0]);
});

test('what is asked wrongly is refused', async () => {
  const error = async (path: string) => {
    const { status, json } = await service.call('GET', path);
    return [status, json.error];
  };
  for (const days of ['0', '367', '-1', '1.5', 'x', ''])
    expect(await error(`/v1/account/usage?days=${days}`)).toEqual([
      400,
      'days must be an integer from 1 to 366',
    ]);
  for (const kind of ['spent', 'grant,charge', ''])
    expect(await error(`/v1/account/history?kind=${kind}`)).toEqual([
      400,
      'kind must be grant, charge or refund',
    ]);
  expect(await error('/v1/account/history?offset=-1')).toEqual([
    400,
    'offset must be a non-negative integer',
  ]);
  expect(await error('/v1/account/history?limit=0')).toEqual([400, 'limit must be a positive integer']);
});
