import type { ListSummary, ResultRow } from '@mxproof/client';
import { expect, test } from 'vitest';
import { isSettled, nextToRead, PAGE_ROWS, pageOf, placesOf } from './row-pages.ts';

const LIST = { id: 7, total: 3 * PAGE_ROWS + 1, checked: 5, finished_at: null } as ListSummary;
const result = (email: string, state: ResultRow['state']) =>
  ({ email, state, reason: '', provider: '' }) as ResultRow;
const ANN = result('ann@x', 'deliverable');
const BEN = result('ben@x', 'pending');

test('a list has a page for every ten thousand addresses, and a file of several lists the pages of each', () => {
  const small = { ...LIST, id: 8, total: 1 };
  expect(placesOf([LIST, small]).map(({ list, offset }) => [list.id, offset])).toEqual([
    [7, 0],
    [7, 10_000],
    [7, 20_000],
    [7, 30_000],
    [8, 0],
  ]);
});

test('a row that has its result stays the same object when its page is read again', () => {
  const place = { list: LIST, offset: 10_000 };
  const before = pageOf(place, [ANN, BEN]);
  expect(before.rows.map(({ listId, position }) => [listId, position])).toEqual([
    [7, 10_000],
    [7, 10_001],
  ]);
  const now = pageOf(place, [{ ...ANN }, result('ben@x', 'risky')], before);
  expect(now.rows[0]).toBe(before.rows[0]);
  expect(now.rows[1]?.row.state).toBe('risky');
  expect([isSettled(before), isSettled(now)]).toEqual([false, true]);
});

test('only pages that can have changed are read again, each in its turn', () => {
  const places = placesOf([LIST]);
  const [settled, open] = [pageOf(places[0]!, [ANN]), pageOf(places[1]!, [ANN, BEN])];
  const pages = [open, settled, open, open];
  // Nothing was checked since.
  expect(nextToRead(pages, places, -1)).toBeNull();
  const later = placesOf([{ ...LIST, checked: 6 }]);
  expect([-1, 0, 1, 2, 3].map((last) => nextToRead(pages, later, last))).toEqual([0, 2, 2, 3, 0]);
  expect(nextToRead([settled, settled], later, 0)).toBeNull();
});

test('what a list that was stopped left unchecked is read once more, and then never', () => {
  const stopped = { ...LIST, finished_at: 1 };
  const places = placesOf([stopped]);
  const before = pageOf(placesOf([LIST])[0]!, [ANN, BEN]);
  expect(nextToRead([before], places, 0)).toBe(0);
  const last = pageOf(places[0]!, [ANN, BEN], before);
  expect(nextToRead([last], places, 0)).toBeNull();
});
