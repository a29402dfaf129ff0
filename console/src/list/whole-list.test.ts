import type { ListSummary } from '@mxproof/client';
import { expect, test } from 'vitest';
import { wholeOf } from './whole-list.ts';

const PART: ListSummary = {
  id: 1,
  name: 'people.csv (1 of 2)',
  status: 'done',
  total: 100,
  duplicates_removed: 2,
  checked: 100,
  counts: { deliverable: 70, risky: 10, undeliverable: 15, unknown: 5 },
  created_at: 1_000,
  finished_at: 1_060,
};

test('a list of one part is that part, under the name of its file', () => {
  expect(wholeOf([PART])).toBe(PART);
  expect(wholeOf([PART], 'people.csv')).toEqual({ ...PART, name: 'people.csv' });
});

test('two parts are counted together, from the first beginning to the last end', () => {
  expect(wholeOf([PART, { ...PART, id: 2, created_at: 1_010, finished_at: 1_090 }], 'people.csv')).toEqual({
    id: 1,
    name: 'people.csv',
    status: 'done',
    total: 200,
    duplicates_removed: 4,
    checked: 200,
    counts: { deliverable: 140, risky: 20, undeliverable: 30, unknown: 10 },
    created_at: 1_000,
    finished_at: 1_090,
    paused_at: null,
  });
});

test('it is paused while each of its parts that runs is', () => {
  const running = { ...PART, status: 'checking', finished_at: null } as const;
  const paused = { ...running, paused_at: 1_030 };
  expect(wholeOf([PART, paused, { ...paused, paused_at: 1_020 }]).paused_at).toBe(1_020);
  expect(wholeOf([PART, paused, running]).paused_at).toBeNull();
  expect(wholeOf([PART, PART]).paused_at).toBeNull();
});

test.each([
  ['checking', { ...PART, status: 'checking', finished_at: null }],
  ['failed', { ...PART, status: 'failed' }],
] as const)('with a part that is %s, so is the whole', (status, part) => {
  expect(wholeOf([PART, part]).status).toBe(status);
});
