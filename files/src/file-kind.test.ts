// Files that are no tables, recognised by their content: real ones from `files/test/fixtures`, the others by how they begin.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { latin1 } from '../test/in-memory.ts';
import { workbookParts, zipOf } from '../test/workbook.ts';
import { openTable } from './open-table.ts';

const table = (bytes: string | Uint8Array, named = {}) =>
  openTable(
    {
      chunks: async function* () {
        yield Buffer.from(bytes as string);
      },
    },
    named,
  );

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../test/fixtures', name));
const main = (path: string) => ({
  ...workbookParts({}),
  '_rels/.rels': `<Relationships><Relationship Id="r" Type="x/officeDocument" Target="${path}"/></Relationships>`,
  [path]: '<document/>',
});
const VCARD = 'BEGIN:VCARD\r\nVERSION:3.0\r\nEMAIL:ann@example.com\r\nEND:VCARD\r\n';
const JSON_ROWS = JSON.stringify([{ email: 'ann@example.com', tags: ['a', 1.5e3, null, true] }, {}], null, 2);
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
/** Longer than what is looked at. */
const LONG_JSON = JSON.stringify(
  Array.from({ length: 20_000 }, (_, at) => ({ id: -at, email: `a${at}@x.test` })),
);
const MESSAGE =
  'Received: from a\r\n\tby b; x\r\nFrom: ann@example.com\r\nTo: b@x.test\r\n\r\nHello, ann@x.test';

test.each([
  ['pdf', 'a PDF document', latin1('%PDF-1.4\nann@example.com\n')],
  ['document', 'a text document (RTF)', latin1('{\\rtf1 ann@example.com}')],
  ['address_book', 'an address book (vCard)', VCARD],
  ['address_book', 'an address book (vCard)', `\ufeff\r\n${VCARD.toLowerCase()}`],
  ['address_book', 'an address book (vCard)', utf16(VCARD)],
  ['address_book', 'an address book (LDIF)', 'dn: cn=Ann\nmail: ann@example.com\n'],
  ['json', 'data in JSON', JSON_ROWS],
  ['json', 'data in JSON', `\ufeff  ${JSON.stringify(['ann@example.com', 'bob@example.org'])}\n`],
  ['json', 'data in JSON', '{"email":"ann@example.com"}\n{"email":"bob@example.org"}\n'],
  ['json', 'data in JSON', utf16(JSON_ROWS)],
  ['json', 'data in JSON', LONG_JSON],
  ['old_workbook', 'an old Excel workbook (.xls)', fixture('old.xls')],
  ['old_workbook', 'an old Excel workbook (.xls)', fixture('excel-5.xls')],
  ['old_workbook', 'an old Excel workbook (.xls)', fixture('excel-2.xls')],
  ['password', 'an Office file with a password', fixture('password.xlsx')],
  ['binary_workbook', 'a binary Excel workbook (.xlsb)', fixture('binary.xlsb')],
  ['open_document', 'an OpenDocument spreadsheet (.ods)', fixture('calc.ods')],
  ['open_document', 'an OpenDocument file (XML)', fixture('flat.fods')],
  ['xml_workbook', 'an Excel workbook of 2003 (XML)', fixture('spreadsheet-2003.xls')],
  ['web_page', 'a web page (HTML), though its name may end in .xls', fixture('page.xls')],
  [
    'web_page',
    'a web page (HTML), though its name may end in .xls',
    '\ufeff\n<TABLE border=1><tr><td>a@x.test',
  ],
  [
    'web_page',
    'a web page (MHTML), though its name may end in .xls',
    'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="x"\n\n--x\nContent-Type: text/html\n',
  ],
  ['document', 'a Word document (.docx)', zipOf(main('word/document.xml'))],
  ['document', 'a presentation (.pptx)', zipOf(main('ppt/presentation.xml'))],
  ['apple_document', 'a document of Numbers, Pages or Keynote', zipOf({ 'Index/Document.iwa': '' })],
  ['archive', 'an archive (ZIP)', zipOf({ 'people.csv': 'ann@example.com' })],
  ['archive', 'a compressed file (gzip)', new Uint8Array([0x1f, 0x8b, 0x08, 0x00])],
  ['mail', 'an e-mail message', MESSAGE],
  ['mail', 'a folder of messages (mbox)', `From ann@x.test Thu Jan  1 10:00:00 2026\n${MESSAGE}`],
  ['picture', 'a picture (PNG)', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['unsupported', 'an XML document', '<?xml version="1.0"?><people><p>ann@example.com</p></people>'],
] as const)('%s: %s is named, with what to do', async (kind, name, bytes) => {
  const refused = table(bytes);
  await expect(refused).rejects.toMatchObject({ name: 'FileError', kind });
  await expect(refused).rejects.toThrow(`This is ${name}, not a table that can be read: `);
  await expect(refused).rejects.toThrow(/: (?:open|export|copy|choose|unpack) [^\n]{10,}\.$/);
});

test.each([
  ['a cell in brackets', '[VIP] Ann;ann@example.com\n'],
  ['numbers in brackets', '[1],ann@example.com\n[2],bob@example.org\n'],
  ['a line of JSON above a table', '{"exported":"2026-01-01"}\nEmail\nann@example.com\n'],
  ['a quoted list that is no JSON', '["ann@example.com";"bob@example.org"]\n'],
  ['JSON that is cut off', '["ann@example.com","bob@example.org"\n'],
  ['an address in angle brackets', '<ann@example.com>\n<table@example.com>\n'],
  ['names before colons', 'Email: ann@example.com\nFrom: bob@example.org\n'],
  ['words that other files begin with', 'BEGIN:VCARDS,From ann,dn\nx,y,ann@example.com\n'],
  ['UTF-16', utf16('E-Mail\tOrt\r\nann@example.com\tKöln\r\n')],
])('%s stays a table', async (_, bytes) => {
  expect((await table(bytes, { columns: [0] })).layout.format).toBe('text');
});

test('JSON of any depth is told in passing', async () => {
  await expect(table('['.repeat(100_000))).rejects.toMatchObject({ kind: 'json' });
  await expect(table('{"a":'.repeat(100_000))).rejects.toMatchObject({ kind: 'json' });
});

test('a column that is not there: the file says which there are', async () => {
  await expect(table('Name;Mail\nAnn;ann@example.com\n', { column: 'Email' })).rejects.toMatchObject({
    kind: 'no_such_column',
    message: 'The file has no column "Email": its columns are 1 "Name", 2 "Mail".',
  });
  await expect(table('Ann;ann@example.com\n', { column: '3', hasHeader: false })).rejects.toThrow(
    'its columns are 1 "Ann", 2 "ann@example.com"; without a header, give its number.',
  );
});

test('no column of addresses: the file says what it has, a wide one only the beginning of it', async () => {
  await expect(table('Name;City\nAnn;Rome\n')).rejects.toMatchObject({
    kind: 'no_column',
    message: 'No column of e-mail addresses was found; its columns are 1 "Name", 2 "City".',
  });
  const wide = Array.from({ length: 500 }, (_, at) => `${at}-${'x'.repeat(100)}`).join(';');
  const { message } = (await table(`${wide}\n`).catch((error: Error) => error as Error)) as Error;
  expect(message).toMatch(/, … up to 500\.$/);
  expect(message.length).toBeLessThan(800);
});
