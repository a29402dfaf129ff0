// Addresses on sheets that are not read are mentioned, as far as a look at their first rows goes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSheet } from 'read-excel-file/node';
import { expect, test } from 'vitest';
import { clean, sourceOf } from '../../test/in-memory.ts';
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

test('sheets that are added are read and written with the first: rows, columns and repeated rows', async () => {
  const sheet = (...rows: readonly (readonly string[])[]) =>
    sheetXml(
      rows
        .map((cells, y) => {
          const all = cells.map((cell, x) => `<c r="${'AB'[x]}${y + 1}" t="str"><v>${cell}</v></c>`);
          return `<row r="${y + 1}">${all.join('')}</row>`;
        })
        .join(''),
    );
  const bytes = zipOf(
    workbookParts({
      S: sheet(['Email', 'Name'], ['ann@x.test', 'Ann'], ['bad@x.test', 'Bob']),
      T: sheet(['Name', 'Mail'], ['Ann', 'ann@x.test'], ['Cy', 'cy@x.test'], ['Di', 'n/a']),
      U: sheet(['Mail'], ['eve@x.test']),
    }),
  );
  const named = { alsoSheets: ['T'] };
  const table = await openTable(sourceOf(bytes), named);
  expect(table.layout).toMatchObject({ sheet: 'S', columns: [0], alsoSheets: ['T'] });
  expect(await table.otherSheets()).toEqual(['U']);
  const seen: unknown[] = [];
  const survey = await table.survey({
    onAddress: (address, at, cellAt, sheet) => seen.push([address, at, cellAt(0), sheet]),
    onOther: (cell, at, sheet) => seen.push([cell, at, sheet]),
  });
  expect(survey).toEqual({ rows: 5, withoutAddress: 1, withMore: 0 });
  expect(seen).toEqual([
    ['ann@x.test', 2, 'ann@x.test', undefined],
    ['bad@x.test', 3, 'bad@x.test', undefined],
    ['ann@x.test', 2, 'Ann', 'T'],
    ['cy@x.test', 3, 'Cy', 'T'],
    ['n/a', 4, 'T'],
  ]);

  const rowsOf = async (file: Uint8Array, sheet: string) =>
    (await readSheet(Buffer.from(file), sheet)).map((cells) => cells.slice(0, 3));
  const whole = await clean(bytes, named);
  expect(await rowsOf(whole.bytes, 'T')).toEqual([
    ['Name', 'Mail', 'state'],
    ['Ann', 'ann@x.test', 'deliverable'],
    ['Cy', 'cy@x.test', 'deliverable'],
    ['Di', 'n/a', null],
  ]);
  expect(await rowsOf(whole.bytes, 'U')).toEqual([['Mail'], ['eve@x.test']]);
  const good = await clean(bytes, named, { words: null, keep: 'deliverable', dropsRepeated: true });
  expect(await rowsOf(good.bytes, 'S')).toEqual([
    ['Email', 'Name'],
    ['ann@x.test', 'Ann'],
  ]);
  expect(await rowsOf(good.bytes, 'T')).toEqual([
    ['Name', 'Mail'],
    ['Cy', 'cy@x.test'],
  ]);
  expect(good.kept).toBe(2);
});
