import { readSheet } from 'read-excel-file/node';
import { expect, test } from 'vitest';
import { collect } from '../../test/in-memory.ts';
import { newWorkbook } from './new-workbook.ts';

test('a workbook of our own is read by a reader that is not ours, cell by cell', async () => {
  const rows = Array.from({ length: 2_500 }, (_, at) => [`a${at}@x.com`, at, at % 2 === 0]);
  const bytes = await collect(
    newWorkbook({
      name: 'Results',
      headings: ['email', 'score', 'role'],
      widths: [30, 8, 8],
      batches: [rows.slice(0, 1_000), rows.slice(1_000)],
    }),
  );
  expect(await readSheet(Buffer.from(bytes))).toEqual([['email', 'score', 'role'], ...rows]);
});

test('a text that looks like a formula or like markup is a text', async () => {
  const text = '=HYPERLINK("http://x")&<b>';
  const bytes = await collect(
    newWorkbook({ name: 'Results', headings: ['mx'], widths: [9], batches: [[[text]]] }),
  );
  expect(await readSheet(Buffer.from(bytes))).toEqual([['mx'], [text]]);
});
