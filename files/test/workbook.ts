// Workbooks of tests, packed by other means than the code under test.

import { crc32, deflateRawSync } from 'node:zlib';

export type Parts = Readonly<Record<string, string>>;

const NAMESPACE = 'http://schemas.openxmlformats.org';
const MAIN = `xmlns="${NAMESPACE}/spreadsheetml/2006/main" xmlns:r="${NAMESPACE}/officeDocument/2006/relationships"`;
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export function zipOf(parts: Parts): Uint8Array {
  const locals: Buffer[] = [];
  const records: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(parts)) {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    records.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, tail, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(records);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(records.length, 8);
  end.writeUInt16LE(records.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...locals, directory, end]));
}

export function sheetXml(rows: string, around: { before?: string; after?: string } = {}): string {
  return `${HEAD}<worksheet ${MAIN}>${around.before ?? ''}<sheetData>${rows}</sheetData>${around.after ?? ''}</worksheet>`;
}

/** Sheets by their names. */
export function workbookParts(sheets: Parts, shared: readonly string[] = [], more: Parts = {}): Parts {
  const names = Object.keys(sheets);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${NAMESPACE}/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
  const relations = (inner: string) =>
    `${HEAD}<Relationships xmlns="${NAMESPACE}/package/2006/relationships">${inner}</Relationships>`;
  const override = (part: string, type: string) =>
    `<Override PartName="/xl/${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`;
  return {
    '[Content_Types].xml': `${HEAD}<Types xmlns="${NAMESPACE}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('workbook.xml', 'sheet.main')}${override('styles.xml', 'styles')}${override('sharedStrings.xml', 'sharedStrings')}${override('calcChain.xml', 'calcChain')}${names.map((_, at) => override(`worksheets/sheet${at + 1}.xml`, 'worksheet')).join('')}</Types>`,
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `${HEAD}<workbook ${MAIN}><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      names.map((_, at) => relation(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)).join('') +
        relation('rId98', 'styles', '/xl/styles.xml') +
        relation('rId99', 'sharedStrings', 'sharedStrings.xml') +
        relation('rId97', 'calcChain', 'calcChain.xml'),
    ),
    'xl/styles.xml': `${HEAD}<styleSheet ${MAIN}><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${HEAD}<sst ${MAIN}>${shared.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/calcChain.xml': `${HEAD}<calcChain ${MAIN}><c r="D2" i="1"/></calcChain>`,
    ...Object.fromEntries(names.map((name, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheets[name]!])),
    ...more,
  };
}
