// A new workbook of one sheet: a header that stays in view, and rows. Promise: a text is a text, whatever it begins
// with; the rows of one batch are held as XML at a time.

import type { Cell } from '../result-columns.ts';
import { columnName } from './sheet-reader.ts';
import { CONTENT_TYPES } from './workbook.ts';
import { cellXml } from './xlsx-table.ts';
import { encodeXml } from './xml-scanner.ts';
import { writeZip } from './zip.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

type Rows = readonly (readonly Cell[])[];

export interface NewSheet {
  readonly name: string;
  readonly headings: readonly string[];
  /** In characters, for each column. */
  readonly widths: readonly number[];
  /** In batches, so that the caller can pause between them. */
  readonly batches: Iterable<Rows> | AsyncIterable<Rows>;
}

export function newWorkbook(sheet: NewSheet): AsyncIterable<Uint8Array> {
  return writeZip([
    [
      CONTENT_TYPES,
      part(
        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/></Types>`,
      ),
    ],
    ['_rels/.rels', part(relation('officeDocument', 'xl/workbook.xml'))],
    [
      'xl/workbook.xml',
      part(
        `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${encodeXml(sheet.name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ),
    ],
    ['xl/_rels/workbook.xml.rels', part(relation('worksheet', 'worksheets/sheet1.xml'))],
    ['xl/worksheets/sheet1.xml', sheetXml(sheet)],
  ]);
}

function relation(kind: string, target: string): string {
  return `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/${kind}" Target="${target}"/></Relationships>`;
}

async function* part(xml: string): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(HEAD + xml);
}

async function* sheetXml({ headings, widths, batches }: NewSheet): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  const columns = widths.map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  const names = headings.map((_, at) => columnName(at));
  let number = 1;
  yield encoder.encode(
    `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>${rowXml(names, number, headings)}`,
  );
  for await (const rows of batches) {
    const first = number + 1;
    number += rows.length;
    yield encoder.encode(rows.map((cells, at) => rowXml(names, first + at, cells)).join(''));
  }
  yield encoder.encode('</sheetData></worksheet>');
}

function rowXml(names: readonly string[], number: number, cells: readonly Cell[]): string {
  return `<row r="${number}">${cells.map((cell, at) => cellXml('', `${names[at]}${number}`, cell)).join('')}</row>`;
}
