// Workbooks: parts of any XML in an archive that is right, and archives whose headers lie.
// Promise held here: a workbook is refused in one sentence, or comes back with every other part as it was, and read
// again it has the same addresses; with rows left out it is still a workbook; an archive of which nothing changes comes
// back byte for byte; what the language's own methods look at for it is bounded by its length.
//
// An input is what it replaces (a part, or bytes of the archive), then its bytes.
import { isDeepStrictEqual } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import { FileError } from '../../../files/src/file-error.ts';
import { Zip } from '../../../files/src/xlsx/zip.ts';
import { countCalls } from '../../../files/test/count-calls.ts';
import { type CleanedTable, clean, collect } from '../../../files/test/in-memory.ts';
import { type Parts, sheetXml, workbookParts, zipOf } from '../../../files/test/workbook.ts';
import type { Random } from '../../../world/src/random.ts';
import { randomOf } from '../pieces.ts';
import { promised, type Target, words } from '../target.ts';

const ROWS = [
  '<row r="1" spans="1:2"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>',
  '<row r="2"><c r="A2" t="inlineStr"><is><t>ann@x.test</t></is></c><c r="B2"><f>1+1</f><v>2</v></c></row>',
  '<row r="4"/>',
  '<row r="5"><c r="A5" t="str"><v>bad@x.test</v></c><c r="B5" s="1"><v>45000.5</v></c></row>',
];
const SHARED = ['<t>E-mail</t>', '<r><t>No</t></r><rPh><t>x</t></rPh>'];
const AROUND = { before: '<dimension ref="A1:B5"/>', after: '<autoFilter ref="A1:B5"/>' };
const PARTS = workbookParts({ S: sheetXml(ROWS.join(''), AROUND), T: sheetXml('') }, SHARED);
const BOOK = zipOf(PARTS);
const SHEET = 'xl/worksheets/sheet1.xml';
/** What a file of ours leaves as it is. */
const OTHERS = Object.keys(PARTS).filter((name) => name !== SHEET);
const REPLACED = [
  SHEET,
  'xl/sharedStrings.xml',
  'xl/workbook.xml',
  'xl/_rels/workbook.xml.rels',
  '_rels/.rels',
  '[Content_Types].xml',
  'xl/styles.xml',
] as const;
const HEADERS = REPLACED.length;
const ROWS_ALONE = HEADERS + 1;
const KINDS = ROWS_ALONE + 1;

const STEPS_PER_BYTE_MAX = 200;
/** What a workbook takes that has nothing in it, and the head of one whose only cell is far to the right. */
const STEPS_FREE = 1_500_000;
const COUNTED_SHARE = 0.05;
const AGAIN_SHARE = 0.2;

async function check(input: Buffer): Promise<void> {
  const random = randomOf(input);
  const kind = (input[0] ?? 0) % KINDS;
  const content = input.subarray(1);
  const parts = partsOf(kind, content);
  const file = parts === null ? withLies(content) : zipOf(parts);
  const work = () => cleanedOrRefused(file);
  let cleaned: CleanedTable | null = null;
  if (random.chance(COUNTED_SHARE)) {
    const most = STEPS_FREE + STEPS_PER_BYTE_MAX * (file.length + content.length);
    const counted = await countCalls(work, most);
    promised(counted !== null, 'steps are bounded by the length', { bytes: file.length });
    cleaned = counted.result;
  } else cleaned = await work();
  if (parts === null) await checkArchive(file);
  if (cleaned === null) return;
  if (parts !== null) checkParts(cleaned, parts);
  if (random.chance(AGAIN_SHARE)) await checkAgain(file, cleaned);
}

function partsOf(kind: number, content: Buffer): Parts | null {
  const text = content.toString();
  if (kind === ROWS_ALONE) return { ...PARTS, [SHEET]: sheetXml(text, AROUND) };
  const name = REPLACED[kind];
  return name === undefined ? null : { ...PARTS, [name]: text };
}

/** Three bytes each: where from the end of the archive, and what; in a local header where the first bit says so. */
function withLies(content: Buffer): Uint8Array {
  const bytes = BOOK.slice();
  for (let at = 0; at + 2 < content.length; at += 3) {
    const place = content.readUInt16BE(at);
    const from = place >> 15 === 1 ? (place & 0x7fff) % 4_096 : bytes.length - 1 - ((place & 0x7fff) % 1_024);
    bytes[Math.min(from, bytes.length - 1)] = content[at + 2]!;
  }
  return bytes;
}

async function checkArchive(file: Uint8Array): Promise<void> {
  try {
    const again = await collect(new Zip(file).rewrite(new Map()));
    const twice = await collect(new Zip(again).rewrite(new Map()));
    promised(isDeepStrictEqual(again, twice), 'what is written again stays as it is');
  } catch (error) {
    requireSentence(error);
  }
}

function checkParts({ bytes }: CleanedTable, parts: Parts): void {
  const written = Buffer.from(bytes);
  for (const name of OTHERS) {
    const part = Buffer.concat([Buffer.from(name), deflateRawSync(parts[name]!)]);
    promised(written.includes(part), 'every other part is as it was', name);
  }
}

async function checkAgain(file: Uint8Array, { bytes, addresses, table }: CleanedTable): Promise<void> {
  const { layout } = table;
  const named = { columns: layout.columns, hasHeader: layout.headings !== null, sheet: layout.sheet! };
  const again = await clean(bytes, named);
  promised(isDeepStrictEqual(again.addresses, addresses), 'read again, it has the same addresses');
  // Of XML that is not well-formed, what is left when formulas go may be read otherwise: it is only read or refused.
  const filtered = await clean(file, named, { keep: 'deliverable' });
  await cleanedOrRefused(filtered.bytes);
}

async function cleanedOrRefused(file: Uint8Array): Promise<CleanedTable | null> {
  try {
    const cleaned = await clean(file);
    await cleaned.table.otherSheets();
    return cleaned;
  } catch (error) {
    return requireSentence(error);
  }
}

function requireSentence(error: unknown): null {
  if (!(error instanceof FileError)) throw error;
  promised(/^[A-Z][^\n\r]{1,400}\.$/.test(error.message), 'a refusal is one sentence', error.message);
  return null;
}

const XML = [
  ...ROWS,
  '<row>',
  '</row>',
  '<c r="XFA9">',
  '<c t="s"><v>1</v></c>',
  '</c>',
  '<is><t>b@x.test</t></is>',
  '<f t="shared" ref="A1:A9" si="0"/>',
  '<f><![CDATA[<]]></f>',
  '<!-- <row> -->',
  '<?x ?>',
  '<x:row x:r="3">',
  '<a b=">" c=\'"\'/>',
  '&lt;&#64;&#x40;',
  '<si><t>a@x.test</t></si>',
  '<si/>',
  '<sheet name="S" sheetId="1" r:id="rId1"/>',
  '<sheet name="T" state="hidden" r:id="rId2"/>',
  '<Relationship Id="rId1" Type="/worksheet" Target="worksheets/sheet1.xml"/>',
  '<Relationship Id="rId9" Type="/sharedStrings" Target="/xl/../xl/sharedStrings.xml"/>',
  '<Relationship Id="rId8" Type="/officeDocument" Target="xl/workbook.xml"/>',
  '<Override PartName="/xl/calcChain.xml"/>',
  '<workbookPr date1904="1"/>',
  '<numFmts><numFmt numFmtId="14" formatCode="[h]:mm&quot;d&quot;"/></numFmts>',
  '<cellXfs><xf/><xf numFmtId="22"/></cellXfs>',
  '<c r="B9" s="1"><v>-1e300</v></c>',
];

function make(random: Random): Buffer {
  const kind = random.between(0, KINDS - 1);
  const head = Buffer.from([kind]);
  if (kind === HEADERS) {
    const lies = Array.from({ length: random.between(1, 4) }, () => [
      ...[random.between(0, 255), random.between(0, 255)],
      random.pick([0, 1, 2, 8, 9, 20, 127, 255, random.between(0, 255)]),
    ]);
    return Buffer.concat([head, Buffer.from(lies.flat())]);
  }
  const pieces = Array.from({ length: random.between(1, 8) }, () => random.pick(XML));
  return Buffer.concat([head, Buffer.from(pieces.join(''))]);
}

function* seeds(): Generator<Buffer> {
  for (const [kind, name] of REPLACED.entries())
    yield Buffer.concat([Buffer.from([kind]), Buffer.from(PARTS[name]!)]);
  for (const xml of XML) yield Buffer.concat([Buffer.from([ROWS_ALONE]), Buffer.from(ROWS.join('') + xml)]);
  yield Buffer.from([HEADERS]);
}

export const workbooks: Target = {
  name: 'workbooks',
  inputs: 20_000,
  cpuSecondsMax: 900,
  inputMaxBytes: 2_048,
  seeds,
  dictionary: words(...XML, '"', "'", '<', '>', '/>', ' r="', ' t="s"', '&', '@', '<!--', ']]>', 'r:id="'),
  make,
  check,
};
