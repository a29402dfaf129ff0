// Workbooks made to cost time or to deceive: refused in a sentence that says what to do, or read as any other.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { clean, collect } from '../../test/in-memory.ts';
import { type Parts, sheetXml, workbookParts, zipOf } from '../../test/workbook.ts';
import { MAX_ROWS } from '../table.ts';
import { SheetReader } from './sheet-reader.ts';
import { readShared } from './workbook.ts';
import { Zip } from './zip.ts';

const ROW = '<row><c t="str"><v>ann@x.test</v></c></row>';
const PARTS = workbookParts({ S: sheetXml(ROW) });
const BOOK = zipOf(PARTS);
const END = BOOK.length - 22;
const view = new DataView(BOOK.buffer);
const DIRECTORY = view.getUint32(END + 16, true);

/** `bytes` as 16 or 32 bits at each place. */
function lying(places: readonly (readonly [at: number, bytes: 2 | 4, value: number])[]): Uint8Array {
  const book = BOOK.slice();
  const written = new DataView(book.buffer);
  for (const [at, bytes, value] of places)
    if (bytes === 2) written.setUint16(at, value, true);
    else written.setUint32(at, value, true);
  return book;
}

const withPart = (name: string, content: string) => zipOf({ ...PARTS, [name]: content } as Parts);
const rows = (xml: string) => zipOf(workbookParts({ S: sheetXml(xml) }));
const manySheets = () => {
  const numbers = Array.from({ length: 1_001 }, (_, at) => at);
  const relation = (at: number) =>
    `<Relationship Id="r${at}" Type="/worksheet" Target="worksheets/sheet${at}.xml"/>`;
  return zipOf({
    ...PARTS,
    'xl/_rels/workbook.xml.rels': `<Relationships>${numbers.map(relation).join('')}</Relationships>`,
    'xl/workbook.xml': `<workbook>${numbers.map((at) => `<sheet name="S${at}" r:id="r${at}"/>`).join('')}</workbook>`,
  });
};
const second = DIRECTORY + 46 + '[Content_Types].xml'.length;

test.each([
  [
    'a row beyond the last',
    () => rows(`<row r="${MAX_ROWS + 1}"/>`),
    'too_many_rows',
    'more than 1,048,576 rows',
  ],
  ['a row before the first', () => rows('<row r="0"/>'), 'damaged', 'a row outside of it'],
  ['a row without a number', () => rows('<row r="x"/>'), 'damaged', 'a row outside of it'],
  ['half a row', () => rows('<row r="1.5"/>'), 'damaged', 'a row outside of it'],
  ['a cell beyond the last', () => rows('<row><c r="XFE1"/></row>'), 'damaged', 'a cell outside of it'],
  [
    'a row within a row',
    () => rows(`${ROW}<row>${ROW}</row>`),
    'damaged',
    'without its beginning or its end',
  ],
  ['a row without its end', () => rows(`${ROW}<row>`), 'damaged', 'without its beginning or its end'],
  ['a row without its beginning', () => rows(`${ROW}</row>`), 'damaged', 'without its beginning or its end'],
  ['too many sheets', manySheets, 'too_large', 'more than 1,000 sheets'],
  [
    'texts that unpack to a thousand times their size',
    () => withPart('xl/sharedStrings.xml', '<si/>'.repeat(300_000)),
    'too_large',
    'sharedStrings.xml of the workbook unpacks to more than 100 times its size: save the sheet as CSV',
  ],
  [
    'rows that do',
    () => rows(ROW + '<row/>'.repeat(300_000)),
    'too_large',
    'sheet1.xml of the workbook unpacks to more than 100 times its size: save the sheet as CSV',
  ],
  ['a part twice', () => lying([[second + 42, 4, 0]]), 'damaged', 'its directory is broken'],
  ['fewer parts than there are', () => lying([[END + 10, 2, 3]]), 'damaged', 'its directory is broken'],
  ['more parts than there are', () => lying([[END + 10, 2, 99]]), 'damaged', 'its directory is broken'],
  ['more parts than can be', () => lying([[END + 10, 2, 0xffff]]), 'too_large', 'more than 65,534 parts'],
  [
    'a directory elsewhere',
    () => lying([[END + 16, 4, DIRECTORY + 1]]),
    'damaged',
    'its directory is broken',
  ],
  [
    'a directory beyond the end',
    () => lying([[END + 16, 4, 0x7fffffff]]),
    'damaged',
    'its directory is broken',
  ],
  ['a name without an end', () => lying([[DIRECTORY + 28, 2, 0xfff0]]), 'damaged', 'its directory is broken'],
  ['a part that reaches into the next', () => lying([[DIRECTORY + 20, 4, 5_000]]), 'damaged', 'is cut off'],
  [
    'a part packed otherwise',
    () => lying([[DIRECTORY + 10, 2, 12]]),
    'damaged',
    'is packed in an unknown way',
  ],
  ['an encrypted part', () => lying([[DIRECTORY + 8, 2, 1]]), 'password', 'save it without one'],
] as const)('%s is refused in one sentence', async (_, make, kind, words) => {
  const refused = clean(make());
  await expect(refused).rejects.toMatchObject({ name: 'FileError', kind });
  await expect(refused).rejects.toThrow(words);
  await expect(refused).rejects.toThrow(/^[A-Z][^\n]*\.$/);
});

test('two parts of one name are refused, and a name of lines and thousands of signs is shown in a piece', async () => {
  const name = `x\n${'y'.repeat(900)}`;
  const other = `x\n${'z'.repeat(900)}`;
  const book = Buffer.from(zipOf({ [name]: '', [other]: '' }));
  const twice = Buffer.from(book.toString('latin1').replaceAll('z', 'y'), 'latin1');
  expect(() => new Zip(new Uint8Array(twice))).toThrow(
    `The workbook cannot be read, since it has the part x ${'y'.repeat(78)}… twice: open it and save it again.`,
  );
});

test('a part that unpacks to more than its header says is given up there', async () => {
  const name = 'xl/worksheets/sheet1.xml';
  const book = zipOf({ ...PARTS, [name]: sheetXml(ROW.repeat(5_000)) });
  const directory = new DataView(book.buffer).getUint32(book.length - 6, true);
  const record = Buffer.from(book).indexOf(name, directory) - 46;
  new DataView(book.buffer).setUint32(record + 24, 20_000, true);
  let unpacked = 0;
  const read = async () => {
    for await (const chunk of new Zip(book).read(name, 1e9)) unpacked += chunk.length;
  };
  await expect(read()).rejects.toThrow('was changed or cut off');
  expect(unpacked).toBeLessThanOrEqual(20_000);
});

test('an archive of which nothing changes comes back byte for byte, with what stands behind its parts', async () => {
  expect(await collect(new Zip(BOOK).rewrite(new Map()))).toEqual(BOOK);
  // A data descriptor behind the last part.
  const descriptor = new Uint8Array([0x50, 0x4b, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  const book = new Uint8Array([...BOOK.subarray(0, DIRECTORY), ...descriptor, ...BOOK.subarray(DIRECTORY)]);
  new DataView(book.buffer).setUint32(END + descriptor.length + 16, DIRECTORY + descriptor.length, true);
  expect(await collect(new Zip(book).rewrite(new Map()))).toEqual(book);
});

test('a sheet has no more rows than a spreadsheet, whatever their numbers', () => {
  let rowsRead = 0;
  const reader = new SheetReader([], {
    onRow() {
      rowsRead += 1;
    },
  });
  const chunk = new TextEncoder().encode('<row r="1"/>'.repeat(1_024));
  const push = () => {
    reader.push(new TextEncoder().encode('<sheetData>'));
    for (let at = 0; at <= MAX_ROWS / 1_024; at += 1) reader.push(chunk);
  };
  expect(push).toThrow('The sheet has more than 1,048,576 rows: save it as CSV, or split it.');
  expect(rowsRead).toBe(MAX_ROWS);
});

test('shared texts are counted', async () => {
  const path = 'xl/sharedStrings.xml';
  const zip = new Zip(withPart(path, '<sst><si/><si><t> a </t></si><si/></sst>'));
  const enough = { texts: 3, characters: 1 };
  expect(await readShared(zip, path, enough)).toEqual(['', 'a', '']);
  for (const [limits, words] of [
    [{ ...enough, texts: 2 }, 'The sheets share more than 2 texts: save the one with the addresses as CSV.'],
    [{ ...enough, characters: 0 }, 'The sheets share more than 0 characters of text: save the one'],
  ] as const) {
    await expect(readShared(zip, path, limits)).rejects.toMatchObject({ kind: 'too_large' });
    await expect(readShared(zip, path, limits)).rejects.toThrow(words);
  }
});

// Read in a process of little memory: 100,000 texts are 10 MB, and a copy of its chunk for each of them is gigabytes.
test('a text that is kept keeps no copy of all that arrived with it', async () => {
  const program = `
    import { XmlScanner } from ${JSON.stringify(new URL('xml-scanner.ts', import.meta.url).href)};
    const texts = new TextEncoder().encode(('<si><t>' + 'ā'.repeat(14) + '</t></si>').repeat(100_000));
    const kept = [];
    const decoder = new TextDecoder();
    const scanner = new XmlScanner({ onTag() {}, onOther: (raw) => kept.push(raw) });
    for (let at = 0; at < texts.length; at += 65_536)
      scanner.push(decoder.decode(texts.subarray(at, at + 65_536), { stream: true }));
    console.log(kept.length);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--max-old-space-size=96',
    '--input-type=module',
    '--eval',
    program,
  ]);
  expect(stdout).toBe('100000\n');
}, 60_000);

test('what stands in no cell is none', async () => {
  const { addresses } = await clean(rows(`${ROW}<row><v>bob@x.test</v></c><t>cy@x.test</t></row>`));
  expect(addresses).toEqual(['ann@x.test']);
});

test('a comment within a cell is no part of what it says', async () => {
  const { addresses } = await clean(rows('<row><c t="str"><v>ann<!-- x -->@x.test</v></c></row>'));
  expect(addresses).toEqual(['ann@x.test']);
});
