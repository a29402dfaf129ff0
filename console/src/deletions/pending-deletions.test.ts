import { expect, test } from 'vitest';
import { parseDeletions } from './pending-deletions.ts';

const DELETION = { listIds: [7, 8], name: 'people.csv', account: 'ann', dueAtMs: 10_000 };

test('what was kept is read again', () => {
  expect(parseDeletions(JSON.stringify([DELETION]))).toEqual([DELETION]);
});

test.each([
  ['nothing', ''],
  ['no JSON', '{'],
  ['no array', '{"listIds":[1]}'],
  ['no list', JSON.stringify([{ ...DELETION, listIds: [] }])],
  ['no id', JSON.stringify([{ ...DELETION, listIds: ['7'] }])],
  ['no time', JSON.stringify([{ ...DELETION, dueAtMs: null }])],
  ['null', '[null]'],
])('%s deletes nothing', (_, text) => {
  expect(parseDeletions(text)).toEqual([]);
});
