import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../test/service.ts';
import type { ListStatus } from '../rules/list.ts';
import type { Row, Tx } from './database.ts';
import { listsOf } from './lists.ts';

const SINGLES = 20_000;
const LISTS = 300;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  // Every list is older than all single checks but one.
  await service.db.query(
    `INSERT INTO mxproof.lists (account_id, single, name_json, total, duplicates_removed)
     SELECT $1, n > ${LISTS}, '""', 1, 0 FROM generate_series(1, ${LISTS + SINGLES}) n`,
    [service.accountId],
  );
  await service.db.query('VACUUM ANALYZE mxproof.lists');
});
afterAll(() => service.close());

interface Plan {
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

/** How many rows and index entries the statement looks at. */
async function lookedAt(page: {
  offset: number;
  limit: number;
  withSingles: boolean | 'only';
  group?: string;
  status?: ListStatus;
}): Promise<number> {
  let looked = 0;
  const count = (plan: Plan) => {
    if (plan['Relation Name'])
      looked += (plan['Actual Rows']! + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']!;
    plan.Plans?.forEach(count);
  };
  const explaining = {
    async query(text: string, values: readonly unknown[]): Promise<Row[]> {
      const [row] = await service.db.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
      count((row!['QUERY PLAN'] as [{ Plan: Plan }])[0].Plan);
      return [];
    },
  } as Partial<Tx> as Tx;
  await listsOf(explaining, { accountId: service.accountId, status: null, ...page });
  return looked;
}

test('a page of lists costs its lists, not the single checks made since', async () => {
  expect(await lookedAt({ offset: 0, limit: 100, withSingles: false })).toBeLessThanOrEqual(2 * 100);
  expect(await lookedAt({ offset: 200, limit: 100, withSingles: false })).toBeLessThanOrEqual(2 * 300);
  const page = { accountId: service.accountId, offset: 250, limit: 100, status: null, withSingles: false };
  const found = await listsOf(service.db, page);
  expect(found.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, n) => 50 - n));
});

test('a page of a group costs the lists of the group', async () => {
  await service.db.query(`UPDATE mxproof.lists SET group_word = 'g' WHERE id <= 5`);
  expect(await lookedAt({ offset: 0, limit: 100, withSingles: true, group: 'g' })).toBeLessThanOrEqual(2 * 5);
});

test('the filters hold together, newest first', async () => {
  await service.db.query("UPDATE mxproof.lists SET status = 'checking' WHERE id % 2 = 0 AND id <= 10");
  const page = { accountId: service.accountId, offset: 1, limit: 3, withSingles: false };
  const ids = async (more: object) =>
    (await listsOf(service.db, { ...page, status: null, ...more })).map(({ id }) => id);
  expect(await ids({ status: 'checking' })).toEqual([8, 6, 4]);
  expect(await ids({})).toEqual([LISTS - 1, LISTS - 2, LISTS - 3]);
  expect(await ids({ withSingles: true, offset: 0 })).toEqual(
    [0, 1, 2].map((back) => LISTS + SINGLES - back),
  );
  expect(await ids({ accountId: service.accountId + 1 })).toEqual([]);
});

test('a page by status costs its lists, whatever others the account has', async () => {
  const { accountId, db } = service;
  const fail = (which: string) =>
    db.query(`UPDATE mxproof.lists SET status = 'failed', finished_at = now() WHERE ${which}`);
  // The oldest single checks, and a list older than all of them.
  await fail(`id = 11 OR id BETWEEN ${LISTS + 1} AND ${LISTS + 5}`);
  await db.query('VACUUM ANALYZE mxproof.lists');
  const first = { offset: 0, limit: 100, status: 'failed' } as const;
  expect(await lookedAt({ ...first, withSingles: true })).toBeLessThanOrEqual(4 * 6);
  await fail(`id > ${LISTS + SINGLES / 2}`);
  await db.query('VACUUM ANALYZE mxproof.lists');
  expect(await lookedAt({ ...first, withSingles: false })).toBeLessThanOrEqual(4 * 1);
  const ids = async (page: { offset: number; limit: number; withSingles: boolean }) =>
    (await listsOf(db, { accountId, status: 'failed', ...page })).map(({ id }) => id);
  expect(await ids({ offset: 0, limit: 100, withSingles: false })).toEqual([11]);
  const all = Array.from({ length: 5 }, (_, n) => LISTS + 5 - n);
  expect(await ids({ offset: SINGLES / 2, limit: 100, withSingles: true })).toEqual([...all, 11]);
  expect(await ids({ offset: SINGLES / 2 + 1, limit: 3, withSingles: true })).toEqual(all.slice(1, 4));
});

test('a page of single checks costs its checks, whatever lists were made since', async () => {
  const { accountId, db } = service;
  await db.query(
    `INSERT INTO mxproof.lists (account_id, single, name_json, total, duplicates_removed)
     SELECT $1, false, '""', 1, 0 FROM generate_series(1, 20000)`,
    [accountId],
  );
  await db.query('VACUUM ANALYZE mxproof.lists');
  expect(await lookedAt({ offset: 0, limit: 10, withSingles: 'only' })).toBeLessThanOrEqual(6 * 10);
  const page = { accountId, offset: 2, limit: 3, status: null, withSingles: 'only' } as const;
  const last = LISTS + SINGLES;
  expect((await listsOf(db, page)).map(({ id }) => id)).toEqual([last - 2, last - 3, last - 4]);
  const oldest = { ...page, offset: SINGLES - 1 };
  expect((await listsOf(db, oldest)).map(({ id }) => id)).toEqual([LISTS + 1]);
});
