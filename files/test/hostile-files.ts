// Files that cost more than they should, each of any size. Promise: twice the size is twice the file.
import fc from 'fast-check';
import { PEOPLE } from '../src/people-words.ts';
import type { Vocabulary } from '../src/result-columns.ts';
import type { LayoutOptions } from '../src/table.ts';
import { compoundFile } from './compound.ts';
import { latin1 } from './in-memory.ts';
import { type Parts, sheetXml, workbookParts, zipOf } from './workbook.ts';

export interface HostileFile {
  readonly bytes: Uint8Array;
  /** Of a workbook: unpacked. */
  readonly length: number;
  readonly named?: LayoutOptions;
  readonly chunkBytes?: number;
  readonly words?: Vocabulary;
  /** The text of one that is pasted. */
  readonly pasted?: string;
}

export type Shape = (size: number) => HostileFile;

const ADDRESS = '<row><c t="str"><v>ann@x.test</v></c></row>';
const times = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length));
const each = (size: number, unit: (at: number) => string) => {
  let text = '';
  for (let at = 0; text.length < size; at += 1) text += unit(at);
  return text;
};

function text(content: string, more: Omit<HostileFile, 'bytes' | 'length'> = {}): HostileFile {
  return { bytes: latin1(content), length: content.length, ...more };
}

function compound(bytes: Uint8Array): HostileFile {
  return { bytes, length: bytes.length };
}

function pasted(content: string): HostileFile {
  return { bytes: latin1(''), length: content.length, pasted: content };
}

function book(parts: Parts): HostileFile {
  const length = Object.values(parts).reduce((sum, part) => sum + part.length, 0);
  return { bytes: zipOf(parts), length };
}

function sheet(rows: string, shared: readonly string[] = [], more: Parts = {}): HostileFile {
  return book(workbookParts({ S: sheetXml(rows) }, shared, more));
}

const DATED_CELL = '<c s="1"><v>45000.5</v></c>';
const DATED = `<row>${DATED_CELL}</row>`;
const cellOf = (content: string) => `${ADDRESS}<row><c t="inlineStr"><is><t>${content}</t></is></c></row>`;
const sharedCells = (size: number) => ADDRESS + times('<row><c t="s"><v>0</v></c></row>', size / 2);
const RELATION =
  'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"';

/** A column of such cells; the first has an address. */
const cells = (cell: string, size: number) => text(`email\nann@x.test\n${times(`${cell}\n`, size)}`);

/** Of a sheet, so many arrive at once: what begins anew with each is seen only beyond. */
const CHUNKS = 16;

export const HOSTILE: Readonly<Record<string, Shape>> = {
  'a bracket and at signs': (size) => text(`email\nann@x.test\n<${times('@', size)}\n`),
  'cells of a bracket and at signs': (size) => cells(`<${times('@', 900)}`, size),
  'cells of labels': (size) => cells(`a@${times('a.', 900)}>`, size),
  'cells of brackets': (size) => cells(`${times('<a@', 900)}>`, size),
  'cells of blanks': (size) => cells(`a${times(' ', 900)}@ `, size),
  'long blank cells': (size) => text(`email,x\nann@x.test,\n${times(' ', size)}@,\n`),
  'cells of quoted words': (size) => cells(`${times('""a" ', 900)}@ `, size),
  'cells of names': (size) => cells(`${times('a, b ', 900)}<a@x.test>`, size),
  'cells of comments': (size) => cells(`${times('(a', 900)} @`, size),
  'pasted brackets': (size) => pasted(times('<', size)),
  'pasted brackets and at signs': (size) => pasted(times('<a@ ', size)),
  'pasted quotes': (size) => pasted(times('"a@\\" ', size)),
  'pasted pairs of quotes': (size) => pasted(times('"@" ', size)),
  'pasted comments': (size) => pasted(times('(a', size)),
  'pasted names': (size) => pasted(`${times('a, b ', size)}<a@x.test>`),
  'pasted colons': (size) => pasted(times('a://', size)),
  'pasted at signs': (size) => pasted(times('@', size)),
  'pasted dots': (size) => pasted(times('a@......', size)),
  'pasted literals': (size) => pasted(times('a@[', size)),
  'pasted wrappings': (size) => pasted(times("'*'*'*a@x*'*", size)),
  'pasted blank lines': (size) => pasted(times('\r\n \n', size)),
  'pasted invisibles': (size) => pasted(times('\u200b', size)),
  'pasted addresses': (size) => pasted(times('Ann Lee <ann@x.test>, bob@x.test; ', size)),
  'a pasted table': (size) => pasted(`name\temail\n${times('Ann\tann@x.test\n', size)}`),
  mailtos: (size) => cells(times('mailto:', 900), size),
  quotes: (size) => text(`email\nann@x.test\n${times('"', size)}`),
  'lone quotes': (size) => text(`email\nann@x.test\n${times('a,"b\n', size)}`),
  'quoted line ends': (size) => text(`email,x\nann@x.test,"${times('\r\n', size)}"\n`),
  'pairs of quotes': (size) => text(`email,x\nann@x.test,"${times('""', size)}"\n`),
  'carriage returns': (size) => text(`email\rann@x.test\r${times('\r', size)}`),
  'a long row in small chunks': (size) => text(`email\nann@x.test\n${times('x', size)}`, { chunkBytes: 16 }),
  'short rows in small chunks': (size) =>
    text(`email\nann@x.test\n${times('a,b\n', size)}`, { chunkBytes: 16 }),
  'bytes that are no UTF-8': (size) => text(`email\nann@x.test\n${times('\xe9\n', size)}`),
  'UTF-16': (size) => text(`e\0@\0e\0.\0c\0\n\0${times('"\0,\0\n\0', size)}`),
  'one row of many cells, then short ones': (size) =>
    text(`email\nann@x.test\n${times(',', Math.min(size / 2, 16_000))}\n${times('a\n', size / 2)}`),
  'headings of earlier runs': (size) =>
    text(`email,state,${each(Math.min(size, 200_000), (at) => `mxproof_${at + 2}_state,`)}\nann@x.test\n`),
  'headings of earlier runs, in people’s words': (size) =>
    text(
      `email,email: status,${each(Math.min(size, 200_000), (at) => `email: status (${at + 2}),`)}\nann@x.test\n`,
      {
        words: PEOPLE,
      },
    ),
  'a heading of blanks, in people’s words': (size) =>
    text(`email,email: ${times(' a', size)}\nann@x.test,\n`, { words: PEOPLE }),
  'headings that are one long word': (size) => text(`email,${times('e-', size)}mail\nann@x.test,a@x.test\n`),
  'a few columns of addresses': (size) =>
    text(`a,b,c\n${times('a@x.test,b@x.test,\n', size)}`, { named: { columns: [0, 1, 2] } }),
  'brackets that are never closed': (size) => text(times('[', size)),
  'objects in objects': (size) => text(times('{"a":', size)),
  'a list of texts in JSON': (size) => text(`[${times('"a\\\\\\"@x.test",', size)}1]`),
  'one text in JSON': (size) => text(`["${times('\\\\', size)}`),
  'digits in JSON': (size) => text(`[${times('1', size)}`),
  'blanks before a bracket': (size) => text(`${times(' \n', size)}[ann@x.test`),
  'an open tag': (size) => text(`<?xml ${times('<html', size)}`),
  'fields without end': (size) => text(times('From: a@x.test\n', size)),
  'fields that go on': (size) => text(`From: a@x.test\n${times(' \n', size)}`),
  'a line from somebody': (size) => text(`From ${times('a ', size)}`),
  'a compound file of many entries': (size) =>
    compound(compoundFile(Array.from({ length: Math.ceil(size / 128) }, (_, at) => `s${at}`))),
  'a compound file in a ring': (size) => {
    const entries = Math.ceil(size / 128);
    const names = Array.from({ length: entries }, (_, at) => `s${at}`);
    const siblings = Object.fromEntries(names.map((_, at) => [at, [1, entries] as const]));
    return compound(compoundFile(names, { siblings }));
  },

  'empty rows': (size) => sheet(ADDRESS + times('<row/>', size)),
  'rows with one cell far to the right': (size) =>
    sheet(ADDRESS + times('<row><c r="XFA1"><v>1</v></c></row>', size)),
  'rows with an empty cell far to the right': (size) =>
    sheet(ADDRESS + times('<row><c r="XFA1"/></row>', size)),
  'a row of many cells': (size) => sheet(`${ADDRESS}<row>${times('<c r="A1"><v>1</v></c>', size)}</row>`),
  'shared texts without a text': (size) => {
    const parts = workbookParts({ S: sheetXml(ADDRESS) });
    return book({ ...parts, 'xl/sharedStrings.xml': `<sst>${times('<si/>', size)}</sst>` });
  },
  'a long text that many cells share': (size) => sheet(sharedCells(size), [`<t>${times('x', size / 2)}</t>`]),
  'at signs that many cells share': (size) =>
    sheet(sharedCells(size), [`<t>&lt;${times('@', size / 2)}</t>`]),
  'blanks that many cells share': (size) => sheet(sharedCells(size), [`<t>${times(' ', size / 2)}</t>`]),
  'a long heading that many cells share': (size) =>
    sheet(`<row>${times('<c t="s"><v>0</v></c>', Math.min(size / 2, 300_000))}</row>${ADDRESS}`, [
      `<t>${times('x', size / 2)}</t>`,
    ]),
  'a tag of quotes': (size) => sheet(`${ADDRESS}<row ${times('""', CHUNKS * size)}/>`),
  'a tag of quoted brackets': (size) => sheet(`${ADDRESS}<row ${times('a=">" ', size)}/>`),
  'a tag of blanks': (size) => sheet(`<row${times(' ', size)}x="1"><c t="str"><v>ann@x.test</v></c></row>`),
  'a tag that ends in blanks': (size) => sheet(`${ADDRESS}<row${times(' ', size)}/>`),
  'a tag of one attribute': (size) => sheet(`<row ${times('spans r ', size)}>${ADDRESS.slice(5)}`),
  'a tag of equals signs': (size) => sheet(`<row ${times(' r =', size)}>${ADDRESS.slice(5)}`),
  'a tag with a long name': (size) => sheet(`${ADDRESS}<${times('a:', size)}/>`),
  'a quote that nothing closes': (size) => sheet(`${ADDRESS}<row a="${times('>', CHUNKS * size)}`),
  'a comment of dashes': (size) => sheet(`${ADDRESS}<!--${times('- -', CHUNKS * size)} -->`),
  'a comment in a cell': (size) => sheet(cellOf(times('<!-- a -->', size))),
  'sections in a cell': (size) => sheet(cellOf(times('<![CDATA[]]]]>', size))),
  'entities in a cell': (size) => sheet(cellOf(times('&amp;&#x41;&#', size))),
  'ampersands in a cell': (size) => sheet(cellOf(times('&', size))),
  'escapes in a shared text': (size) => sheet(sharedCells(8), [`<t>${times('_x000D_x', size)}</t>`]),
  formulas: (size) => sheet(`<row>${times('<c><f>1</f><v>1</v></c>', size)}</row>${ADDRESS}`),
  'formulas that do not end': (size) => sheet(`<row><c>${times('<f a="', size)}</c></row>${ADDRESS}`),
  'formulas of long prefixes': (size) => sheet(`<row><c><${times('f', size)}:f/></c></row>${ADDRESS}`),
  'cells of attributes': (size) => sheet(`<row><c ${times(' r r', size)}/></row>${ADDRESS}`),
  dimensions: (size) => {
    const xml = sheetXml(ADDRESS, { before: `<dimension ${times('ref ', size)}/>` });
    return book(workbookParts({ S: xml }));
  },
  'sheets and relations': (size) => {
    const parts = workbookParts({ S: sheetXml(ADDRESS) });
    const relations = each(size / 2, (at) => `<Relationship Id="r${at}" ${RELATION}/>`);
    const sheets = each(size / 2, (at) => `<sheet name="S" sheetId="${at}" r:id="r${at}"/>`);
    return book({
      ...parts,
      'xl/_rels/workbook.xml.rels': `<Relationships>${relations}</Relationships>`,
      'xl/workbook.xml': `<workbook>${sheets}</workbook>`,
    });
  },
  'relations of long paths': (size) => {
    const parts = workbookParts({ S: sheetXml(ADDRESS) });
    const target = times('a/../', Math.min(size / 4, 100_000));
    const relations = `<Relationship Id="rId1" ${RELATION.replace('Target="', `Target="${target}`)}/>`;
    return book({ ...parts, 'xl/_rels/workbook.xml.rels': `<Relationships>${relations}</Relationships>` });
  },
  'an order of calculation named again and again': (size) => {
    const parts = workbookParts({ S: sheetXml(ADDRESS) });
    const types = `<Types><Override ${times('calcChain ', size)}></Override></Types>`;
    return book({ ...parts, '[Content_Types].xml': types });
  },
  'styles and formats': (size) => {
    const formats = each(
      size / 2,
      (at) => `<numFmt numFmtId="${200 + at}" formatCode="[Red]&quot;d&quot;d\\"/>`,
    );
    const styles = each(size / 2, (at) => `<xf numFmtId="${200 + at}"/>`);
    const xml = `<styleSheet><numFmts>${formats}</numFmts><cellXfs>${styles}</cellXfs></styleSheet>`;
    return sheet(ADDRESS, [], { 'xl/styles.xml': xml });
  },
  'one long format': (size) => {
    const format = `<numFmt numFmtId="14" formatCode="${times('[&quot;_*', size)}"/>`;
    const xml = `<styleSheet><numFmts>${format}</numFmts><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>`;
    return sheet(DATED, [], { 'xl/styles.xml': xml });
  },
  'a row of dates': (size) => sheet(`<row>${times(DATED_CELL, size)}</row>${ADDRESS}`),
  'rows of dates': (size) => sheet(ADDRESS + times(DATED, size)),
  'numbers without end that are dates': (size) =>
    sheet(`${ADDRESS}<row><c s="1"><v>${times('1', size)}</v></c></row>`),
  'many parts': (size) =>
    sheet(
      ADDRESS,
      [],
      Object.fromEntries(Array.from({ length: size / 64 }, (_, at) => [`p/${at}.xml`, '<a/>'])),
    ),
};

/** Pieces that mean something somewhere, in any order, again and again. */
const TEXT_PIECES = [
  '@',
  '<',
  '>',
  '"',
  '""',
  ',',
  ';',
  '\t',
  '|',
  '\n',
  '\r',
  '\r\n',
  ' ',
  '.',
  'a',
  'mailto:',
  '\xe9',
];
const XML_PIECES = [
  '<row>',
  '</row>',
  '<row/>',
  '<row ',
  '<c>',
  '<c ',
  '</c>',
  '<v>',
  '</v>',
  '<f>',
  '</f>',
  '<t>',
  '</t>',
];
const XML_SIGNS = [
  '"',
  "'",
  '>',
  '/>',
  '<',
  ' r="XFA1"',
  ' r=',
  ' t="s"',
  ' ',
  '&amp;',
  '&',
  '0',
  'a@x.test',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '?>',
  'x:',
  '_x000D_',
];

const units = (pieces: readonly string[]) =>
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }).map((all) => all.join(''));

/** By name; the same each time. */
export function generatedShapes(count: number): ReadonlyMap<string, Shape> {
  const shapes = new Map<string, Shape>();
  const textUnits = fc.sample(units(TEXT_PIECES), { seed: 5, numRuns: count });
  for (const unit of textUnits)
    shapes.set(`text ${JSON.stringify(unit)}`, (size) => text(`email,x\nann@x.test,1\n${times(unit, size)}`));
  const xmlUnits = fc.sample(units([...XML_PIECES, ...XML_SIGNS]), { seed: 6, numRuns: count });
  for (const unit of xmlUnits) {
    shapes.set(`sheet ${JSON.stringify(unit)}`, (size) => sheet(ADDRESS + times(unit, size)));
    shapes.set(`row ${JSON.stringify(unit)}`, (size) =>
      sheet(`${ADDRESS}<row><c t="str"><v>${times(unit, size)}</v></c></row>`),
    );
    shapes.set(`shared ${JSON.stringify(unit)}`, (size) => sheet(sharedCells(size), [times(unit, size / 2)]));
  }
  return shapes;
}
