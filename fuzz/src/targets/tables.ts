// People's own files: text of any dialect, workbooks, and whatever else is given as one.
// Promise held here: a file is refused in one sentence, or comes back with every byte it had (but a full stop behind a
// domain), the same however it was cut into chunks, and read again it has the same addresses.
//
// An input is what it is (a file, or the rows of a sheet), then its bytes.
import { isDeepStrictEqual } from 'node:util';
import { atDomain, domainText, meantSpelling, NO_FIXES } from '../../../files/src/address-text.ts';
import { FileError } from '../../../files/src/file-error.ts';
import { compoundFile } from '../../../files/test/compound.ts';
import { type CleanedTable, clean } from '../../../files/test/in-memory.ts';
import { sheetXml, workbookParts, zipOf } from '../../../files/test/workbook.ts';
import type { Random } from '../../../world/src/random.ts';
import { promised, type Target, words } from '../target.ts';

const SHEET = 1;
const CHUNK_BYTES = 7;

async function check(input: Buffer): Promise<void> {
  const bytes = new Uint8Array(input.subarray(1));
  const isSheet = input[0] === SHEET;
  const file = isSheet ? zipOf(workbookParts({ S: sheetXml(input.toString('utf8', 1)) })) : bytes;
  const cleaned = await cleanedOrRefused(file);
  if (cleaned === null) return;
  const meant = cleaned.addresses.map(meantAddress);
  const isCorrected = !isDeepStrictEqual(meant, cleaned.addresses);
  if (!isSheet) {
    const inChunks = await cleanedOrRefused(file, CHUNK_BYTES);
    promised(isDeepStrictEqual(inChunks?.bytes, cleaned.bytes), 'chunks change nothing');
    if (cleaned.table.layout.format === 'text' && !isCorrected)
      promised(isWithin(file, cleaned.bytes), 'no byte of the file is lost');
  }
  const { layout } = cleaned.table;
  const named = {
    // Not by its number: that is a heading, where there is one.
    columns: layout.columns,
    hasHeader: layout.headings !== null,
    ...(layout.separator !== undefined && { separator: layout.separator }),
    ...(layout.encoding !== undefined && { encoding: layout.encoding }),
  };
  // A quote that is never closed includes what is appended: such a file cannot be read back.
  if (bytes.filter((byte) => byte === 0x22).length > 0) return;
  const again = await clean(cleaned.bytes, named);
  promised(isDeepStrictEqual(again.addresses, meant), 'read again, it has the same addresses');
}

/** What is written in its place: a domain that is corrected is in lower case. */
function meantAddress(address: string): string {
  const meant = meantSpelling(address, NO_FIXES);
  return meant === address ? address : atDomain(address, domainText(meant).toLowerCase());
}

async function cleanedOrRefused(file: Uint8Array, chunkBytes?: number): Promise<CleanedTable | null> {
  try {
    return await clean(file, {}, chunkBytes === undefined ? {} : { chunkBytes });
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    promised(/^[A-Z][^\n]*\.$/.test(error.message), 'a refusal is one sentence', error.message);
    return null;
  }
}

function isWithin(inner: Uint8Array, outer: Uint8Array): boolean {
  let at = 0;
  for (const byte of outer) if (byte === inner[at]) at += 1;
  return at === inner.length;
}

const CELLS = [
  'email',
  'ann@x.test',
  'Ann <a@x.test>',
  '"a,b"',
  '"a""b"',
  '5" x',
  '"lone',
  '',
  ' ',
  'é',
  '=1',
];
const ENDS = ['\n', '\r\n', '\r', '\n\n'];
const XML = [
  '<row r="1"><c r="A1" t="inlineStr"><is><t>a@x.test</t></is></c></row>',
  '<row><c t="str"><v>a@x.test</v></c><c r="C1"><f>1</f><v>2</v></c></row>',
  '<row r="9" spans="1:2"/>',
  '<c r="ZZ1"/>',
  '<row r="2"><c r="B2" t="s"><v>0</v></c></row>',
  '<!-- x -->',
  '<x:row>',
  '</row>',
  '<![CDATA[a]]>',
  '<a b=">" c=\'"\'/>',
  '&amp;&#65;&#x41;',
];

function make(random: Random): Buffer {
  if (random.chance(0.3))
    return Buffer.from(
      `\u0001${Array.from({ length: random.between(1, 6) }, () => random.pick(XML)).join('')}`,
    );
  const separator = random.pick([',', ';', '\t', '|']);
  const rows = Array.from({ length: random.between(1, 6) }, () =>
    Array.from({ length: random.between(1, 4) }, () => random.pick(CELLS)).join(separator),
  );
  const text = rows.map((row) => row + random.pick(ENDS)).join('');
  const encoding = random.pick(['utf8', 'latin1', 'utf16le'] as const);
  const mark =
    encoding === 'utf16le' || random.chance(0.3) ? Buffer.from('\ufeff', encoding) : Buffer.alloc(0);
  return Buffer.concat([Buffer.from([0]), mark, Buffer.from(text, encoding)]);
}

/** What is no table: recognised, and named. */
const FOREIGN = [
  '[{"email":"a@x.test","b":[1,null,true]},{}]',
  '{"email":"a@x.test"}\n{"email":"b@x.test"}\n',
  'BEGIN:VCARD\nEMAIL:a@x.test\nEND:VCARD\n',
  'Received: x\n y\nFrom: a@x.test\n\nb@x.test\n',
  '<?xml version="1.0"?><html><table><td>a@x.test',
  '%PDF-1.4\na@x.test',
];

function* seeds(): Generator<Buffer> {
  for (const text of FOREIGN) yield Buffer.from(`\0${text}`);
  // Small enough that every number in it is changed sooner or later.
  for (const names of [['Workbook'], ['EncryptionInfo', 'EncryptedPackage']]) {
    const file = compoundFile(names, { firstDirectory: 2 });
    yield Buffer.concat([Buffer.from([0]), file]);
  }
  yield Buffer.concat([Buffer.from([0]), zipOf(workbookParts({ S: sheetXml(XML[0]!) }))]);
  for (const xml of XML) yield Buffer.from(`\u0001${xml}${XML[0]}`);
  for (const cell of CELLS) yield Buffer.from(`\0email,x\n${cell},a@x.test\r\na@x.test,${cell}`);
}

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export const tables: Target = {
  name: 'tables',
  inputs: 20_000,
  cpuSecondsMax: 300,
  // A compound file has at least four sectors.
  inputMaxBytes: 3_072,
  seeds,
  dictionary: words(
    '"',
    '""',
    ',',
    ';',
    '\t',
    '|',
    '\r',
    '\n',
    '\r\n',
    '\0',
    '@',
    'sep=;\n',
    'PK\x03\x04',
    '<row>',
    '</row>',
    '<c>',
    '/>',
    '\ufeff',
    '[',
    '{"a":',
    '}',
    'BEGIN:VCARD\n',
    'From: ',
    '<html>',
  ).concat([0xfffffffe, 0xffffffff, 0xe011cfd0].map(littleEndian)),
  make,
  check,
};
