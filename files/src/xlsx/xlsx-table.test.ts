import readXlsx, { readSheet } from 'read-excel-file/node';
import { expect, test } from 'vitest';
import { clean, collect } from '../../test/in-memory.ts';
import { sheetXml, workbookParts, zipOf } from '../../test/workbook.ts';
import { PEOPLE } from '../people-words.ts';
import { RESULT_COLUMNS } from '../result-columns.ts';
import { Zip } from './zip.ts';

const NOTES = sheetXml('<row r="1"><c r="A1"><v>7</v></c></row>');
const SHARED = [
  '<t>Zip</t>',
  '<t>E-mail</t>',
  '<t>00501</t>',
  '<r><t>ann@</t></r><r><t>x.com</t></r><rPh><t>no</t></rPh>',
];
const ROWS = [
  '<row r="1" spans="1:4"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>Since</t></is></c></row>',
  '<row r="2" spans="1:4" ht="20"><c r="A2" t="s"><v>2</v></c><c r="B2" t="s"><v>3</v></c><c r="C2" s="1"><v>45000</v></c><c r="D2"><f>C2*2</f><v>90000</v></c></row>',
  '<row r="4"/>',
  '<row r="5"><c r="A5"><v>12</v></c><c r="B5" t="inlineStr"><is><t>bad@x.com</t></is></c><c r="C5" s="1"><v>45001.5</v></c></row>',
  '<row r="6"><c r="A6"><v>3</v></c></row>',
  '<row r="7"><c r="B7" t="str"><f>"ANN@"&amp;"x.com"</f><v>ANN@x.com</v></c></row>',
];
const AROUND = {
  before:
    '<dimension ref="A1:D7"/><sheetViews><sheetView workbookViewId="0"/></sheetViews><cols><col min="1" max="1" width="30"/></cols>',
  after: '<autoFilter ref="A1:D7"/><mergeCells count="1"><mergeCell ref="A6:B6"/></mergeCells><pageMargins/>',
};
const SHEET = sheetXml(ROWS.join(''), AROUND);
const PARTS = workbookParts({ Notes: NOTES, People: SHEET }, SHARED);
const BOOK = zipOf(PARTS);

async function part(bytes: Uint8Array, name: string): Promise<string> {
  return new TextDecoder().decode(await collect(new Zip(bytes).read(name, 1e9)));
}

test('a workbook comes back with cells added to its sheet, and nothing else of it changes', async () => {
  const { bytes, addresses, table, rows, withoutAddress } = await clean(BOOK);
  expect(table.layout).toEqual({ format: 'xlsx', sheet: 'People', columns: [1], headings: ['E-mail'] });
  expect({ addresses, rows, withoutAddress }).toEqual({
    addresses: ['ann@x.com', 'bad@x.com', 'ANN@x.com'],
    rows: 4,
    withoutAddress: 1,
  });
  for (const name of Object.keys(PARTS).filter((each) => !each.endsWith('sheet2.xml')))
    expect(await part(bytes, name), name).toBe(PARTS[name]);
  const xml = await part(bytes, 'xl/worksheets/sheet2.xml');
  // Added cells stand in E to P; the rest is the sheet as it was.
  const without = xml.replace(/<c r="[E-P]\d+".*?<\/c>/g, '').replace('A1:P7', 'A1:D7');
  expect(without).toBe(SHEET.replaceAll(' spans="1:4"', ''));
});

test('an independent reader finds the dates, numbers and leading zeros, and the columns', async () => {
  const { bytes } = await clean(BOOK);
  const data = await readSheet(Buffer.from(bytes), 'People');
  const ok = ['deliverable', 'r', 9, false, false, false, false, 'mx.x', 'other', null, null, null];
  const bad = ['undeliverable', ...ok.slice(1)];
  const none = RESULT_COLUMNS.map(() => null);
  expect(data).toEqual([
    ['Zip', 'E-mail', 'Since', null, ...RESULT_COLUMNS],
    ['00501', 'ann@x.com', new Date('2023-03-15T00:00:00Z'), 90_000, ...ok],
    [null, null, null, null, ...none],
    [null, null, null, null, ...none],
    [12, 'bad@x.com', new Date('2023-03-16T12:00:00Z'), null, ...bad],
    [3, null, null, null, ...none],
    [null, 'ANN@x.com', null, null, ...ok],
  ]);
  const sheets = await readXlsx(Buffer.from(bytes));
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['Notes', 'People']);
});

test('rows that are not kept are left out, the others move up, and nothing refers to rows that moved', async () => {
  const comments = { 'xl/worksheets/_rels/sheet2.xml.rels': '<Relationships/>' };
  const { bytes } = await clean(zipOf({ ...PARTS, ...comments }), {}, { keep: 'deliverable' });
  const xml = await part(bytes, 'xl/worksheets/sheet2.xml');
  expect([...xml.matchAll(/<row r="(\d+)"/g)].map(([, number]) => number)).toEqual(['1', '2', '3', '4']);
  expect([...xml.matchAll(/<c r="B(\d+)"/g)].map(([, number]) => number)).toEqual(['1', '2', '4']);
  expect(xml).not.toMatch(/<f>|mergeCell|autoFilter|dimension/);
  expect(xml).toContain('<col min="1" max="1" width="30"/>');
  const zip = new Zip(bytes);
  expect([zip.has('xl/calcChain.xml'), zip.has('xl/worksheets/_rels/sheet2.xml.rels')]).toEqual([
    false,
    false,
  ]);
  expect(await part(bytes, '[Content_Types].xml')).not.toContain('calcChain');
  expect(await part(bytes, 'xl/_rels/workbook.xml.rels')).not.toContain('calcChain');
  const data = await readSheet(Buffer.from(bytes), 'People');
  expect(data.map((row) => row[1])).toEqual(['E-mail', 'ann@x.com', null, 'ANN@x.com']);
  expect(data[1]![3]).toBe(90_000);
});

test('without added columns, a whole workbook is the workbook, and rows that stay keep their cells', async () => {
  // Also where what it says of itself is not true.
  const parts = { ...PARTS, 'xl/worksheets/sheet2.xml': SHEET.replace('A1:D7', 'B2:C3') };
  const whole = await clean(zipOf(parts), {}, { words: null });
  for (const [name, xml] of Object.entries(parts)) expect(await part(whole.bytes, name), name).toBe(xml);
  const good = await clean(BOOK, {}, { words: null, keep: 'deliverable' });
  expect([good.kept, good.rows]).toEqual([2, 4]);
  for (const name of ['xl/workbook.xml', 'xl/styles.xml', 'xl/sharedStrings.xml', 'xl/worksheets/sheet1.xml'])
    expect(await part(good.bytes, name), name).toBe(PARTS[name]);
  const xml = await part(good.bytes, 'xl/worksheets/sheet2.xml');
  const rows = [ROWS[0]!, ROWS[1]!, ROWS[2]!, ROWS[5]!];
  const moved = rows.map((row, at) =>
    row
      .replace(/(<row r=")\d+/, `$1${at + 1}`)
      .replace(/(<c r="[A-Z])\d+/g, `$1${at + 1}`)
      .replace(/<f>.*?<\/f>/g, ''),
  );
  expect(xml).toContain(`<sheetData>${moved.join('')}</sheetData>`);
});

test('people’s words are texts in a workbook, those of the API have its types', async () => {
  const said = await readSheet(Buffer.from((await clean(BOOK, {}, { words: PEOPLE })).bytes), 'People');
  expect(said[0]!.slice(4, 9)).toEqual([
    'E-mail: what to do',
    'E-mail: status',
    'E-mail: reason',
    'E-mail: score',
    'E-mail: accepts everyone',
  ]);
  expect(said[1]!.slice(4, 9)).toEqual([null, 'Deliverable', 'r', 9, 'no']);
  const words = await readSheet(Buffer.from((await clean(BOOK)).bytes), 'People');
  expect(words[1]!.slice(4, 9)).toEqual(['deliverable', 'r', 9, false, false]);
});

test('prefixed elements and cells without references are read and written as they are', async () => {
  const inline = (text: string) => `<x:c t="inlineStr"><x:is><x:t>${text}</x:t></x:is></x:c>`;
  const xml = `<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData><x:row>${inline('a &lt; b')}${inline('email')}</x:row><x:row>${inline('1')}${inline('ann@x.com')}</x:row></x:sheetData></x:worksheet>`;
  const { bytes, addresses } = await clean(zipOf(workbookParts({ S: xml })));
  expect(addresses).toEqual(['ann@x.com']);
  const merged = await part(bytes, 'xl/worksheets/sheet1.xml');
  expect(merged.replace(/<x:c r="[C-N]\d".*?<\/x:c>/g, '')).toBe(xml);
  expect(merged).toContain('<x:c r="C2" t="inlineStr"><x:is><x:t>deliverable</x:t></x:is></x:c><x:c r="D2"');
});

test('a sheet can be named, and one that does not exist is told with those that do', async () => {
  await expect(clean(BOOK, { sheet: 'people' })).resolves.toMatchObject({ rows: 4 });
  await expect(clean(BOOK, { sheet: 'Leads' })).rejects.toThrow(
    'The workbook has no sheet "Leads": it has Notes, People.',
  );
});

function changed(from: number, to: number, byte: number): Uint8Array {
  return BOOK.slice().fill(byte, from, to);
}

const end = BOOK.length - 22;
const packedSheetAt =
  Buffer.from(BOOK).indexOf('xl/worksheets/sheet2.xml') + 'xl/worksheets/sheet2.xml'.length;
/** 9 KB that unpack to 8 MB. */
const bomb = () => zipOf({ ...PARTS, 'xl/_rels/workbook.xml.rels': '<a/>'.repeat(2_000_000) });

test.each([
  ['cut off', () => BOOK.subarray(0, BOOK.length - 30), 'damaged'],
  ['without a directory', () => changed(end + 16, end + 20, 0), 'damaged'],
  ['with a part that was changed', () => changed(packedSheetAt + 200, packedSheetAt + 204, 7), 'damaged'],
  ['that is no workbook', () => zipOf({ 'a.txt': 'ann@x.com' }), 'archive'],
  [
    'with a document type',
    () => zipOf(workbookParts({ S: `<!DOCTYPE x [<!ENTITY a "b">]>${SHEET}` })),
    'damaged',
  ],
  ['with a sheet that ends within a tag', () => zipOf(workbookParts({ S: SHEET.slice(0, -40) })), 'damaged'],
  ['with a cell outside', () => zipOf(workbookParts({ S: sheetXml('<row><c r="ZZZ1"/></row>') })), 'damaged'],
  ['that unpacks to too much', bomb, 'too_large'],
  ['without addresses', () => zipOf(workbookParts({ S: NOTES })), 'no_column'],
])('a workbook %s is refused in one sentence', async (_, make, kind) => {
  const refused = clean(make());
  await expect(refused).rejects.toMatchObject({ name: 'FileError', kind });
  await expect(refused).rejects.toThrow(/^[A-Z][^\n]*\.$/);
});

test('two columns of addresses in a sheet: two sets of cells, lines as the sheet counts them', async () => {
  const sheet = sheetXml(
    '<row r="1"><c r="A1" t="inlineStr"><is><t>Work</t></is></c><c r="B1" t="inlineStr"><is><t>Home</t></is></c></row>' +
      '<row r="3"><c r="A3" t="inlineStr"><is><t>a@x.com</t></is></c><c r="B3" t="inlineStr"><is><t>bad@x.com</t></is></c></row>',
  );
  const { bytes, table } = await clean(zipOf(workbookParts({ S: sheet })), { columns: [0, 1], sheet: 'S' });
  expect(table.sheets).toEqual(['S']);
  const lines: number[] = [];
  await table.survey({ onAddress: (_, line) => lines.push(line) });
  expect(lines).toEqual([3, 3]);
  const rows = await readSheet(Buffer.from(bytes), 'S');
  expect(rows[0]).toEqual(['Work', 'Home', ...RESULT_COLUMNS, ...RESULT_COLUMNS.map((name) => `${name}_2`)]);
  expect([rows[2]?.[2], rows[2]?.[2 + RESULT_COLUMNS.length]]).toEqual(['deliverable', 'undeliverable']);
});
