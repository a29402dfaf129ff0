import type { ListSummary } from '@mxproof/client';
import { expect, test } from 'vitest';
import { type Family, foldMade, membersOf, questionsOf } from './fold-made.ts';

const list = (id: number, total: number, unknown = 0, deliverable = total - unknown): ListSummary => ({
  id,
  name: `list ${id}`,
  status: 'done',
  total,
  duplicates_removed: 0,
  checked: total,
  counts: { deliverable, risky: total - unknown - deliverable, undeliverable: 0, unknown },
  created_at: id,
  finished_at: id,
});
const alone = (one: ListSummary) => ({ list: one, ids: [one.id] });
const shape = (families: readonly Family[]) =>
  families.map(({ list: { id }, later }) => [id, later.map((one) => [one.list.id, one.by])]);

test('only lists that a newer one can have been made of are asked about', () => {
  // Of 3 without an answer, a list of 2 may be a retry; of 3 that are not deliverable, it may be a correction too.
  expect(questionsOf([list(9, 2), list(8, 100), list(7, 50, 3)])).toEqual([
    { of: 7, by: 'retries', newest: 9 },
    { of: 7, by: 'corrections', newest: 9 },
  ]);
  expect(questionsOf([list(9, 2), list(7, 50, 0, 48)])).toEqual([{ of: 7, by: 'corrections', newest: 9 }]);
  expect(questionsOf([list(9, 4), list(7, 50, 3)])).toEqual([]);
  // What is older, what is a part of a file, and what is not finished.
  expect(questionsOf([list(9, 50, 3), list(7, 2)])).toEqual([]);
  expect(questionsOf([{ ...list(9, 2), group: 'g' }, list(7, 50, 3)])).toEqual([]);
  expect(questionsOf([list(9, 2), { ...list(7, 50, 3), finished_at: null }])).toEqual([]);
});

test('a stopped list may have been retried with all that was never checked', () => {
  const stopped = { ...list(7, 50), status: 'failed' as const, checked: 10, counts: list(7, 10).counts };
  expect(questionsOf([list(9, 40), stopped])).toContainEqual({ of: 7, by: 'retries', newest: 9 });
});

test('retries, retries of retries and corrections lie under their first list, oldest first', () => {
  const shown = [9, 8, 6, 5, 3, 2].map((id) => alone(list(id, 10)));
  const made = [
    { of: 5, by: 'retries', ids: [8] },
    { of: 3, by: 'retries', ids: [5, 8] },
    { of: 3, by: 'corrections', ids: [6] },
    { of: 6, by: 'retries', ids: [9] },
  ] as const;
  expect(shape(foldMade(shown, made))).toEqual([
    [
      3,
      [
        [5, 'retries'],
        [6, 'corrections'],
        [8, 'retries'],
        [9, 'retries'],
      ],
    ],
    [2, []],
  ]);
});

test('what was made of a part lies under its file; what was made of a list that is gone stands alone', () => {
  const file = { list: list(2, 30), ids: [2, 3, 4] };
  const made = [
    { of: 4, by: 'retries', ids: [7] },
    { of: 1, by: 'retries', ids: [8] },
  ] as const;
  const [first, second] = foldMade([alone(list(8, 1)), alone(list(7, 1)), file], made);
  expect(shape([first!, second!])).toEqual([
    [8, []],
    [2, [[7, 'retries']]],
  ]);
  expect(membersOf(second!)).toEqual([
    { id: 2, kind: 'part' },
    { id: 3, kind: 'part' },
    { id: 4, kind: 'part' },
    { id: 7, kind: 'retries' },
  ]);
});
