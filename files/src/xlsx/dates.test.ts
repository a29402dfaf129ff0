// Dates as people see them: a workbook holds numbers, and says by a style what they are.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clean, collect, sourceOf } from '../../test/in-memory.ts';
import { sheetXml, workbookParts, zipOf } from '../../test/workbook.ts';
import { openTable } from '../open-table.ts';
import { builtInFormat, readFormat, showDate } from './date-format.ts';
import { Zip } from './zip.ts';

const fixture = (name: string) =>
  new Uint8Array(readFileSync(join(import.meta.dirname, '../../test/fixtures', name)));
const shown = (number: number | string, code: string, isFrom1904 = false) =>
  showDate(String(number), readFormat(code)!, isFrom1904);

test.each([
  'dates.xlsx',
  'dates-1904.xlsx',
])('%s: dates, times and durations are shown, numbers stay', async (name) => {
  const bytes = fixture(name);
  const { head } = await openTable(sourceOf(bytes));
  expect(head.slice(1)).toEqual([
    ['ann@example.com', '2024-02-29', '2024-02-29 18:30', '1969-07-20', '09:05', '36:00:00', '3.25', '45292'],
    ['bob@example.org', '2023-12-31'],
  ]);
  // What is given back has the very cells it had.
  const given = await collect(new Zip(bytes).read('xl/worksheets/sheet1.xml', 1e6));
  const back = await collect(new Zip((await clean(bytes)).bytes).read('xl/worksheets/sheet1.xml', 1e6));
  const cells = (xml: Uint8Array) =>
    [...new TextDecoder().decode(xml).matchAll(/<c r="[B-H]\d+".*?<\/c>/g)].map(([cell]) => cell);
  expect(cells(given)).toHaveLength(15);
  expect(cells(back)).toEqual(cells(given));
});

test('only the rows that are shown are shown so: the rest is read as it is written', async () => {
  const row = (at: number) =>
    `<row r="${at}"><c t="str"><v>a${at}@x.test</v></c><c s="1"><v>45000</v></c></row>`;
  const rows = Array.from({ length: 100 }, (_, at) => row(at + 1)).join('');
  const book = zipOf(workbookParts({ S: sheetXml(rows) }));
  const { head } = await openTable(sourceOf(book));
  expect(new Set(head.map(([, date]) => date))).toEqual(new Set(['2023-03-15']));
  const dates: string[] = [];
  const table = await openTable(sourceOf(book), { columns: [1] });
  await table.survey({ onAddress() {}, onOther: (cell) => dates.push(cell) });
  expect(new Set(dates)).toEqual(new Set(['45000']));
});

test('the count begins in 1900 with a leap year that was none, or in 1904', () => {
  expect([0, 1, 59, 60, 61, 2_958_465].map((day) => shown(day, 'd.m.yyyy'))).toEqual([
    '1900-01-00',
    '1900-01-01',
    '1900-02-28',
    '1900-02-29',
    '1900-03-01',
    '9999-12-31',
  ]);
  expect([0, 1, 43_830].map((day) => shown(day, 'd.m.yyyy', true))).toEqual([
    '1904-01-01',
    '1904-01-02',
    '2024-01-01',
  ]);
});

test('what is no day of the calendar stays the number it is', () => {
  for (const text of ['-1', '2958466', 'x', '1e99', '', 'NaN', '#N/A', '9'.repeat(99)])
    expect(shown(text, 'yyyy')).toBe(text === '' ? '1900-01-00' : text);
});

test('the last second of a day is not the 60th, nor of another day', () => {
  expect(shown(45_000.999999, 'yyyy-mm-dd hh:mm:ss')).toBe('2023-03-16 00:00:00');
  expect(shown(0.99998, 'h:mm:ss')).toBe('23:59:58');
  expect(shown(0.75, 'yyyy-mm-dd')).toBe('18:00');
});

test.each([
  ['yyyy\\-mm\\-dd', 'date'],
  ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', 'date'],
  ['[$-409]d\\-mmm\\-yy;@', 'date'],
  ['mmm', 'date'],
  ['[$-411]ge.m.d', 'date'],
  ['"Tag "d', 'date'],
  ['m/d/yy h:mm', 'both'],
  ['mm:ss.0', 'time'],
  ['h AM/PM', 'time'],
  ['[mm]:ss', 'time'],
  ['General', null],
  ['@', null],
  ['0.00E+00', null],
  ['#,##0.00 "days"', null],
  ['[Red]-0;[DBNum1]0', null],
  ['0\\d', null],
  ['_-* #,##0.00\\ _d_-', null],
  ['0;"unclosed d', null],
  ['0;yyyy', null],
  [`${'"x"'.repeat(100)}d`, null],
])('%s shows a date, a time, or neither', (code, kind) => {
  const format = readFormat(code);
  const found = format && (format.hasDate ? (format.hasTime ? 'both' : 'date') : 'time');
  expect(found).toBe(kind);
});

test('formats that have a number and no text', () => {
  const ids = Array.from({ length: 100 }, (_, id) => id);
  const dated = ids.filter((id) => builtInFormat(id) !== null);
  const range = (from: number, to: number) => ids.slice(from, to + 1);
  expect(dated).toEqual([...range(14, 22), ...range(27, 36), ...range(45, 47), ...range(50, 58)]);
});

test('a workbook whose styles are missing, damaged or without end is read all the same', async () => {
  const parts = workbookParts({
    S: sheetXml('<row><c t="str"><v>ann@x.test</v></c><c s="1"><v>45000</v></c></row>'),
  });
  const { 'xl/styles.xml': _, ...without } = parts;
  for (const styles of [
    '<styleSheet><cellXfs',
    '<!DOCTYPE x>',
    '<numFmts/><cellXfs><xf/>',
    '<xf/>'.repeat(300_000),
  ]) {
    const { head } = await openTable(sourceOf(zipOf({ ...parts, 'xl/styles.xml': styles })));
    expect(head).toEqual([['ann@x.test', '45000']]);
  }
  expect((await openTable(sourceOf(zipOf(without)))).head).toEqual([['ann@x.test', '45000']]);
});
