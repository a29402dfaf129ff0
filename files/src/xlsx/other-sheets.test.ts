// Addresses on sheets that are not read are mentioned, as far as a look at their first rows goes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceOf } from '../../test/in-memory.ts';
import { sheetXml, workbookParts, zipOf } from '../../test/workbook.ts';
import { openTable } from '../open-table.ts';
import type { LayoutOptions } from '../table.ts';

const FIXTURE = readFileSync(join(import.meta.dirname, '../../test/fixtures/dates.xlsx'));
const ROW = '<row><c t="str"><v>ann@x.test</v></c></row>';

async function others(bytes: Uint8Array, named: LayoutOptions = {}): Promise<readonly string[]> {
  return (await openTable(sourceOf(bytes), named)).otherSheets();
}

test('every other sheet with an address is named, and no sheet without one', async () => {
  expect(await others(FIXTURE)).toEqual(['Leads', '2024']);
  expect(await others(FIXTURE, { sheet: 'leads' })).toEqual(['People', '2024']);
  expect(await others(zipOf(workbookParts({ S: sheetXml(ROW), T: sheetXml('') })))).toEqual([]);
});

test('a text has no other sheets', async () => {
  expect(await others(Buffer.from('email\nann@x.test\n'))).toEqual([]);
});

test('a sheet that cannot be read is left out; the file is read all the same', async () => {
  const sheets = {
    S: sheetXml(ROW),
    Broken: sheetXml(`${ROW}</row>`),
    Cut: '<sheetData><row',
    Good: sheetXml(ROW),
  };
  expect(await others(zipOf(workbookParts(sheets)))).toEqual(['Good']);
});

test('twenty sheets are looked at, a hundred rows of each, and a megabyte', async () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`S${at}`, sheetXml(ROW)]));
  expect(await others(zipOf(workbookParts(many)))).toHaveLength(20);
  const filler = '<row><c t="str"><v>no address</v></c></row>';
  const deep = {
    S: sheetXml(ROW),
    At100: sheetXml(filler.repeat(99) + ROW),
    At9999: sheetXml(filler.repeat(9_999) + ROW),
  };
  expect(await others(zipOf(workbookParts(deep)))).toEqual(['At100']);
  // Not so regular that it is refused for that.
  const blanks = Array.from(
    { length: 60_000 },
    (_, at) => `<row r="${at + 1}" ht="${(at * 7_919) % 9_973}"/>`,
  ).join('');
  const blank = { S: sheetXml(ROW), Blank: sheetXml(blanks + ROW) };
  expect(await others(zipOf(workbookParts(blank)))).toEqual([]);
});
