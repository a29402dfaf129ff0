import { expect, test } from 'vitest';
import { filtersOf, hasMore, pageOf } from './filters.ts';

test('what an address says is read as it is meant, whatever was typed', () => {
  expect(
    filtersOf({ account: '12', page: 3, q: 42, status: 'active', make: true, since: '2026-11-15' }),
  ).toEqual({
    account: 12,
    page: 3,
    q: '42',
    status: 'active',
    make: true,
    since: '2026-11-15',
  });
  expect(filtersOf({ account: 'all', page: -1, hours: 1.5, q: '', status: undefined, actor: null })).toEqual(
    {},
  );
  expect(filtersOf({ q: 'x'.repeat(1_000) }).q).toHaveLength(200);
});

test('a page is as many rows; another follows one that is full, or where there are more in all', () => {
  expect(pageOf({})).toEqual({ offset: 0, limit: 50 });
  expect(pageOf({ page: 3 })).toEqual({ offset: 100, limit: 50 });
  expect([hasMore({}, 50, null), hasMore({}, 49, null)]).toEqual([true, false]);
  expect([hasMore({ page: 2 }, 50, 101), hasMore({ page: 2 }, 50, 100)]).toEqual([true, false]);
});
