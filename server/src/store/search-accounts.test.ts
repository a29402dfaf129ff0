import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../test/service.ts';
import { closeAccount } from './account-removal.ts';
import { insertTestTwin } from './accounts.ts';
import { type AccountSearch, findActive, searchAccounts } from './search-accounts.ts';
import { insertSession } from './sessions.ts';

let service: TestService;
const ids: Record<string, number> = {};

beforeAll(async () => {
  service = await startTestService();
  for (const [name, externalId] of [
    ['Acme Ltd', 'C-100'],
    ['acme 50% off', 'c-101'],
    ['50 off', 'D_1'],
    ['Bücher', 'D-1'],
    ['gone', 'C-102'],
  ] as const) {
    ids[name] = await service.open();
    await service.db.query('UPDATE mxproof.accounts SET name = $2, external_id = $3 WHERE id = $1', [
      ids[name],
      name,
      externalId,
    ]);
  }
  await closeAccount(service.db, ids.gone!);
  await service.db.query('UPDATE mxproof.accounts SET suspended_at = now() WHERE id = $1', [ids['50 off']]);
  await insertTestTwin(service.db, ids['Acme Ltd']!);
});
afterAll(() => service.close());

const search = async (wanted: Partial<AccountSearch> = {}) => {
  const { accounts, total } = await searchAccounts(service.db, {
    ...{ q: null, status: null, offset: 0, limit: 100 },
    ...wanted,
  });
  return { names: accounts.map(({ name }) => name), total };
};

test('all accounts are there, the newest first, without test sides and deleted ones', async () => {
  const names = ['Bücher', '50 off', 'acme 50% off', 'Acme Ltd', 'tester'];
  expect(await search()).toEqual({ names, total: 5 });
  expect(await search({ offset: 1, limit: 2 })).toEqual({ names: names.slice(1, 3), total: 5 });
  expect(await search({ offset: 9 })).toEqual({ names: [], total: 5 });
});

test.each([
  ['a piece of a name in any case', 'ACME', ['acme 50% off', 'Acme Ltd']],
  ['letters beyond ASCII', 'bÜCH', ['Bücher']],
  ['what LIKE would understand, as it stands', '50%', ['acme 50% off']],
  ['the same of an underscore', 'D_', ['50 off']],
  ['a backslash', '\\', []],
  ['how an external id begins, in any case', 'c-10', ['acme 50% off', 'Acme Ltd']],
  ['what is not how one begins', '-10', []],
  ['a deleted account’s', 'gone', []],
  ['what no name can have', 'a\0', []],
  ['a number too large for an id', '9'.repeat(40), []],
])('%s is found', async (_, q, names) => {
  expect(await search({ q })).toEqual({ names, total: names.length });
});

test('an id is found as a whole', async () => {
  const id = ids['Acme Ltd']!;
  expect((await search({ q: String(id) })).names).toEqual(['Acme Ltd']);
  expect((await search({ q: String(ids.gone) })).names).toEqual([]);
});

test('suspended accounts are apart from the others', async () => {
  expect((await search({ status: 'suspended' })).names).toEqual(['50 off']);
  expect(await search({ status: 'active', q: 'off' })).toEqual({ names: ['acme 50% off'], total: 1 });
});

test('an account was last active when a key or a session of either side was', async () => {
  const id = ids['Acme Ltd']!;
  const lastActive = async () => (await findActive(service.db, id))!.lastActiveAtSeconds;
  expect(await lastActive()).toBeNull();
  await service.db.query(
    `UPDATE mxproof.api_keys SET last_used_at = '2026-11-01T00:00:00Z', revoked_at = now() WHERE account_id = $1`,
    [id],
  );
  expect(await lastActive()).toBe(Date.UTC(2026, 10, 1) / 1000);
  const [twin] = await service.db.query<{ id: number }>(
    'SELECT id FROM mxproof.accounts WHERE test_of = $1',
    [id],
  );
  await insertSession(
    service.db,
    { accountId: twin!.id, keyId: null, memberId: null, personId: null },
    randomBytes(32),
  );
  await service.db.query(`UPDATE mxproof.sessions SET seen_at = '2026-11-02T00:00:00Z'`);
  expect(await lastActive()).toBe(Date.UTC(2026, 10, 2) / 1000);
  expect(
    (await searchAccounts(service.db, { q: 'Acme Ltd', status: null, offset: 0, limit: 1 })).accounts,
  ).toEqual([await findActive(service.db, id)]);
});
