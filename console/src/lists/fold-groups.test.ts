import type { ListSummary } from '@mxproof/client';
import { expect, test } from 'vitest';
import { foldGroups } from './fold-groups.ts';

const list = (id: number): ListSummary => ({
  id,
  name: `list ${id}`,
  status: 'done',
  total: 10,
  duplicates_removed: 0,
  checked: 10,
  counts: { deliverable: 10, risky: 0, undeliverable: 0, unknown: 0 },
  created_at: 1_000 + id,
  finished_at: 2_000 + id,
});

test('the lists of a file are one, at the place of the newest; others stay as they are', () => {
  const shown = foldGroups([list(9), list(8), list(7), list(3)], [{ ids: [7, 9], name: 'people.csv' }]);
  expect(shown.map(({ list: { id, name, total }, parts }) => [id, name, total, parts])).toEqual([
    [7, 'people.csv', 20, 2],
    [8, 'list 8', 10, 1],
    [3, 'list 3', 10, 1],
  ]);
});

test('parts that are not there are not counted', () => {
  expect(foldGroups([list(9)], [{ ids: [7, 9], name: 'people.csv' }])).toEqual([{ list: list(9), parts: 1 }]);
});
