import { expect, test } from 'vitest';
import { checkedName } from './checked-name.ts';

test.each([
  ['people.csv', 'people-checked.csv'],
  ['my.people.xlsx', 'my.people-checked.xlsx'],
  ['people', 'people-checked'],
  ['.hidden', '.hidden-checked'],
  ['', 'list-checked'],
])('%j comes back as %j', (name, back) => {
  expect(checkedName(name)).toBe(back);
});

test('some of its rows come back under a name that says which', () => {
  expect(checkedName('people.csv', 'good')).toBe('people-good.csv');
});
