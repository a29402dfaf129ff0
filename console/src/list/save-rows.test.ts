import { expect, test } from 'vitest';
import { ownTable } from './own-table.ts';
import { csvOf, fileStem } from './save-rows.ts';
import type { PlacedRow } from './use-rows.ts';

test.each([
  ['customers.csv', 'send', 'customers-send'],
  ['Customers.2026.XLSX', 'results', 'Customers.2026-results'],
  ['a/b:c', 'send', 'a b c-send'],
  ['', 'send', 'results-send'],
  ['???', undefined, 'results'],
])('a file of %j for %s is named %j', (name, part, stem) => {
  expect(fileStem(name, part)).toBe(stem);
});

test.each([
  ['people', 'jörg@example.com', true],
  ['people', 'ann@example.com', false],
  ['machine', 'jörg@example.com', false],
] as const)('a CSV in the words of %s with %s begins with the mark that Excel needs: %s', async (words, email, isMarked) => {
  const row = { email, state: 'pending', checked_as: null };
  const csv = await csvOf([{ row } as unknown as PlacedRow], ownTable(words), words);
  const [first] = new Uint8Array(await csv.arrayBuffer());
  expect(first === 0xef).toBe(isMarked);
});
