import { expect, test } from 'vitest';
import { fileStem } from './save-rows.ts';

test.each([
  ['customers.csv', 'send', 'customers-send'],
  ['Customers.2026.XLSX', 'results', 'Customers.2026-results'],
  ['a/b:c', 'send', 'a b c-send'],
  ['', 'send', 'results-send'],
  ['???', undefined, 'results'],
])('a file of %j for %s is named %j', (name, part, stem) => {
  expect(fileStem(name, part)).toBe(stem);
});
