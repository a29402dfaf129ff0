import { expect, test } from 'vitest';
import type { List, ListStatus } from './list.ts';
import { groupSummary, isGroup } from './list-group.ts';

const list = (id: number, status: ListStatus, more: Partial<List> = {}): List => ({
  id,
  accountId: 1,
  single: false,
  name: `people.csv (${id} of 3)`,
  status,
  total: 10,
  duplicatesRemoved: 1,
  checked: 4,
  counts: { deliverable: 1, risky: 1, undeliverable: 1, unknown: 1 },
  callbackUrl: null,
  failure: null,
  group: 'g',
  retryOf: null,
  keyId: null,
  createdAtSeconds: 100 + id,
  finishedAtSeconds: status === 'done' || status === 'failed' ? 200 + id : null,
  file: null,
  pausedAtSeconds: null,
  resultsExpiredAtSeconds: null,
  ...more,
});

test('the lists of a group are one', () => {
  expect(groupSummary('g', [list(1, 'done'), list(2, 'checking')])).toEqual({
    group: 'g',
    name: 'people.csv',
    lists: [1, 2],
    status: 'checking',
    total: 20,
    duplicates_removed: 2,
    checked: 8,
    counts: { deliverable: 2, risky: 2, undeliverable: 2, unknown: 2 },
    created_at: 101,
    finished_at: null,
  });
  expect(groupSummary('g', [])).toBeNull();
});

test.each<[ListStatus[], ListStatus]>([
  [['processing', 'processing'], 'processing'],
  [['processing', 'done'], 'checking'],
  [['checking', 'processing'], 'checking'],
  [['failed', 'checking'], 'checking'],
  [['done', 'done'], 'done'],
  [['done', 'failed', 'done'], 'failed'],
])('%j together are %s', (statuses, expected) => {
  const summary = groupSummary(
    'g',
    statuses.map((status, at) => list(at + 1, status)),
  );
  expect(summary).toMatchObject({
    status: expected,
    finished_at: ['done', 'failed'].includes(expected) ? 200 + statuses.length : null,
  });
});

test.each([
  ['people.csv (2 of 3)', 'people.csv'],
  ['people (1 of 2) (1 of 12)', 'people (1 of 2)'],
  ['people.csv', 'people.csv'],
  ['people (of 3)', 'people (of 3)'],
  ['', ''],
])('%j is of %j', (name, expected) => {
  expect(groupSummary('g', [list(2, 'done', { name }), list(3, 'done')])).toMatchObject({ name: expected });
});

test('a group is 1 to 64 letters, digits, _ and -', () => {
  expect(['a', 'A-z_09', 'x'.repeat(64)].filter((word) => !isGroup(word))).toEqual([]);
  expect(['', 'x'.repeat(65), 'a b', 'ü', 'a\n', 'a.b', 7, null, ['a']].filter(isGroup)).toEqual([]);
});
