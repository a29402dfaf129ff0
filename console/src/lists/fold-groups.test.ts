import type { Group, ListSummary } from '@mxproof/client';
import { expect, test } from 'vitest';
import { foldGroups } from './fold-groups.ts';

const list = (id: number, group: string | null = null): ListSummary => ({
  id,
  name: `list ${id}`,
  status: 'done',
  total: 10,
  duplicates_removed: 0,
  checked: 10,
  counts: { deliverable: 10, risky: 0, undeliverable: 0, unknown: 0 },
  created_at: 1_000 + id,
  finished_at: 2_000 + id,
  group,
});

const PEOPLE: Group = { ...list(0), group: 'p', name: 'people.csv', lists: [2, 7, 9], total: 30 };
const GROUPS = new Map([['p', PEOPLE]]);

test('the lists of a group are one, at the place of the newest, with all that it has, read or not', () => {
  const shown = foldGroups([list(9, 'p'), list(8), list(7, 'p'), list(3)], GROUPS);
  expect(shown.map(({ list: { id, name, total }, ids }) => [id, name, total, ids])).toEqual([
    [2, 'people.csv', 30, [2, 7, 9]],
    [8, 'list 8', 10, [8]],
    [3, 'list 3', 10, [3]],
  ]);
});

test('a list whose group is gone stands alone; one whose group is not known yet is not shown', () => {
  const lists = [list(9, 'q'), list(8)];
  expect(foldGroups(lists, new Map([['q', null]])).map(({ list: { id } }) => id)).toEqual([9, 8]);
  expect(foldGroups(lists, GROUPS).map(({ list: { id } }) => id)).toEqual([8]);
});

test('a group is paused while each of its lists that has not ended is', () => {
  const part = (id: number, paused_at: number | null) => ({ ...list(id, 'p'), finished_at: null, paused_at });
  const pausedAt = (...lists: ListSummary[]) => foldGroups(lists, GROUPS)[0]!.list.paused_at;
  expect(pausedAt(part(9, 1_500), list(7, 'p'), part(2, 1_400))).toBe(1_500);
  expect(pausedAt(part(9, 1_500), part(7, null))).toBeNull();
  expect(pausedAt(list(9, 'p'), list(7, 'p'))).toBeNull();
});
