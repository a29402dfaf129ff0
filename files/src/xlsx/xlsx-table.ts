// A sheet of a workbook, or several: the addresses in it, and the workbook back with cells added to the sheet's XML.
// Promise: every other part of the workbook keeps its bytes, and every cell of the sheet its XML: styles, dates,
// numbers, formulas and other sheets stay. Only a cell whose address is corrected or taken out says something else, in its
// place and its style; those with a formula or a link never do. When rows are left out, those that remain move up: formulas then become
// their last values, and what refers to rows by number (merged cells, tables, filters, comments …) goes.

import { FileError } from '../file-error.ts';
import type { Place } from '../find-address.ts';
import { addedHeadings, rowMerger } from '../merge-row.ts';
import { type Cell, MAX_ADDED_COLUMNS } from '../result-columns.ts';
import { RowSurveyor } from '../survey-row.ts';
import {
  type Layout,
  MAX_COLUMNS,
  type MergePlan,
  type Survey,
  type SurveyHandlers,
  type Table,
} from '../table.ts';
import { LinkedCells } from './linked-cells.ts';
import { sheetsWithAddresses } from './other-sheets.ts';
import { columnName, SheetReader, type SheetRow } from './sheet-reader.ts';
import { MAX_SHEET_BYTES } from './sheet-sample.ts';
import { CONTENT_TYPES, readText, relationsOf, type Sheet, type Workbook } from './workbook.ts';
import { encodeXml } from './xml-scanner.ts';
import type { Zip } from './zip.ts';

interface OpenedWorkbook {
  readonly zip: Zip;
  readonly book: Workbook;
  readonly strings: readonly string[];
  readonly sheet: Sheet;
  readonly place: Place;
  readonly head: Table['head'];
}

/** A row as it is written. */
type RowXml = Pick<SheetRow, 'number' | 'open' | 'inner' | 'close'>;

export class XlsxTable implements Table {
  readonly layout: Layout;
  readonly head: Table['head'];
  readonly sheets: readonly string[];
  readonly otherColumns: readonly number[];
  readonly #opened: OpenedWorkbook;
  readonly #also: readonly XlsxTable[];
  #links = new LinkedCells([]);
  #width = 0;
  #lastRow = 0;

  /** `also`: other sheets of the workbook, which are read and written with this one. */
  constructor(opened: OpenedWorkbook, also: readonly XlsxTable[] = []) {
    const { place, head, sheet, book } = opened;
    this.#opened = opened;
    this.#also = also;
    this.head = head;
    this.sheets = book.sheets.map(({ name }) => name);
    const { columns, otherColumns, hasHeader } = place;
    this.otherColumns = otherColumns;
    const headings = hasHeader ? columns.map((column) => head[0]?.[column] ?? '') : null;
    const alsoSheets = also.map(({ layout }) => layout.sheet!);
    this.layout = {
      ...{ format: 'xlsx', columns, headings, sheet: sheet.name },
      ...(alsoSheets.length > 0 && { alsoSheets }),
    };
  }

  async otherSheets(): Promise<readonly string[]> {
    const { zip, book, sheet, strings } = this.#opened;
    const read = new Set([sheet.name, ...(this.layout.alsoSheets ?? [])]);
    const others = book.sheets.filter(({ name }) => !read.has(name));
    return sheetsWithAddresses(zip, others, strings);
  }

  async survey(handlers: SurveyHandlers): Promise<Survey> {
    const surveyor = new RowSurveyor(this.layout.columns, handlers);
    const links = new LinkedCells(this.layout.columns);
    this.#links = links;
    const sort = this.#sorter();
    const reader = new SheetReader(this.#opened.strings, {
      // Links are named behind the rows that they hang on.
      onOther: (raw) => links.add(raw),
      onRow: (row) => {
        this.#width = Math.max(this.#width, row.width);
        this.#lastRow = row.number;
        if (sort(row) === 'data') surveyor.row(row.number, (column) => row.cells.get(column) ?? '');
      },
    });
    for await (const chunk of this.#sheetBytes()) reader.push(chunk);
    reader.end();
    if (this.#width + this.layout.columns.length * MAX_ADDED_COLUMNS > MAX_COLUMNS)
      throw new FileError('too_many_columns', 'The sheet has no room for more columns: save it as CSV.');
    // Leaving out rows changes it: damage is told before anything is paid.
    if (this.#opened.book.calculationPath !== null) await readText(this.#opened.zip, CONTENT_TYPES);
    const sum = surveyor.result();
    for (const each of this.#also) {
      const found = await each.survey({
        onAddress: (address, row, cellAt) => handlers.onAddress(address, row, cellAt, each.layout.sheet),
        onOther: (cell, row) => handlers.onOther?.(cell, row, each.layout.sheet),
      });
      sum.rows += found.rows;
      sum.withoutAddress += found.withoutAddress;
      sum.withMore += found.withMore;
    }
    return sum;
  }

  async *merge(plan: MergePlan): AsyncIterable<Uint8Array> {
    const { zip, book } = this.#opened;
    const changed = new Map<string, AsyncIterable<Uint8Array> | null>();
    const seen = new Set<string>();
    for (const table of [this, ...this.#also]) {
      const { path } = table.#opened.sheet;
      changed.set(path, table.#merged(plan, seen));
      // Comments and tables hang on the sheet by this part.
      if (isNarrowed(plan)) changed.set(relationsOf(path), null);
    }
    if (isNarrowed(plan)) {
      if (book.calculationPath !== null) {
        changed.set(book.calculationPath, null);
        for (const path of [CONTENT_TYPES, book.relationsPath])
          changed.set(path, withoutCalculation(await readText(zip, path)));
      }
    }
    yield* zip.rewrite(changed);
  }

  async *#merged(plan: MergePlan, seen: Set<string>): AsyncIterable<Uint8Array> {
    const encoder = new TextEncoder();
    const isFiltered = isNarrowed(plan);
    const added = plan.words === null ? 0 : this.layout.columns.length * plan.words.none.length;
    const mergeRow = rowMerger(plan, seen);
    const sort = this.#sorter();
    let text: string[] = [];
    let isAfterData = false;
    let moved = 0;
    const put = (row: RowXml, cells: readonly Cell[]) => {
      moved += 1;
      const number = isFiltered ? moved : row.number;
      const kept = isFiltered ? movedTo(row, number) : row;
      if (cells.length === 0) text.push(kept.open, kept.inner, kept.close);
      else text.push(this.#withCells(kept, number, cells));
    };
    const { columns } = this.layout;
    const reader = new SheetReader(this.#opened.strings, {
      watched: new Set(columns),
      onOther: (raw) => {
        if (isFiltered && /^<\/(?:\w+:)?worksheet/.test(raw)) isAfterData = false;
        if (!isAfterData) text.push(this.#redimensioned(raw, isFiltered, added));
        if (isFiltered && /^<\/(?:\w+:)?sheetData/.test(raw)) isAfterData = true;
      },
      onRow: (row) => {
        const kind = sort(row);
        if (kind === 'blank') return put(row, []);
        if (kind === 'header') return put(row, addedHeadings(plan, this.head[0] ?? [], this.layout).flat());
        const isFixed = (at: number) =>
          row.places.get(columns[at]!)!.isFormula || this.#links.has(columns[at]!, row.number);
        const merged = mergeRow(
          columns.map((column) => row.cells.get(column) ?? ''),
          isFixed,
        );
        if (merged === null) return;
        const { added, rewritten } = merged;
        put(rewritten === null ? row : rewrittenRow(row, columns, rewritten), added.flat());
      },
    });
    for await (const chunk of this.#sheetBytes()) {
      reader.push(chunk);
      if (text.length > 0) yield encoder.encode(text.join(''));
      text = [];
    }
    reader.end();
    if (text.length > 0) yield encoder.encode(text.join(''));
  }

  #sheetBytes(): AsyncIterable<Uint8Array> {
    return this.#opened.zip.read(this.#opened.sheet.path, MAX_SHEET_BYTES);
  }

  #sorter(): (row: SheetRow) => 'blank' | 'header' | 'data' {
    let isHeader = this.#opened.place.hasHeader;
    return ({ cells }) => {
      if (cells.size === 0) return 'blank';
      if (!isHeader) return 'data';
      isHeader = false;
      return 'header';
    };
  }

  #withCells(row: Pick<SheetRow, 'open' | 'inner'>, number: number, cells: readonly Cell[]): string {
    const prefix = /^<(\w+:)?/.exec(row.open)![1] ?? '';
    const added = cells.map((cell, at) => cellXml(prefix, `${columnName(this.#width + at)}${number}`, cell));
    // `spans` says which columns the row has: it would be wrong, and is optional.
    const open = row.open.replace(/\sspans\s*=\s*(?:"[^"]*"|'[^']*')/, '');
    const opened = open.endsWith('/>') ? `${open.slice(0, -2).trimEnd()}>` : open;
    return `${opened}${row.inner}${added.join('')}</${prefix}row>`;
  }

  /** `<dimension ref="A1:C9"/>`: some readers trust it. */
  #redimensioned(raw: string, isFiltered: boolean, added: number): string {
    if (!/^<(?:\w+:)?dimension[\s/>]/.test(raw) || (added === 0 && !isFiltered)) return raw;
    const last = columnName(this.#width + added - 1);
    return isFiltered ? '' : raw.replace(/ref\s*=\s*(?:"[^"]*"|'[^']*')/, `ref="A1:${last}${this.#lastRow}"`);
  }
}

/** Rows may be left out, and others move up. */
function isNarrowed({ filter, dropsRepeated }: MergePlan): boolean {
  return filter !== null || dropsRepeated === true;
}

/** Texts stay in the cell, in no table of the workbook; none of them is a formula. */
export function cellXml(prefix: string, reference: string, cell: Cell): string {
  const tag = `${prefix}c r="${reference}"`;
  if (cell === '') return '';
  if (typeof cell === 'number') return `<${tag}><${prefix}v>${cell}</${prefix}v></${prefix}c>`;
  if (typeof cell === 'boolean') return `<${tag} t="b"><${prefix}v>${cell ? 1 : 0}</${prefix}v></${prefix}c>`;
  return `<${tag} t="inlineStr"><${prefix}is><${prefix}t>${encodeXml(cell)}</${prefix}t></${prefix}is></${prefix}c>`;
}

/** Cells that say something else keep their place and their style. */
function rewrittenRow(row: SheetRow, columns: readonly number[], texts: readonly (string | null)[]): RowXml {
  const changes = texts
    .flatMap((text, at) => (text === null ? [] : [{ text, ...row.places.get(columns[at]!)! }]))
    .sort((a, b) => a.start - b.start);
  let inner = '';
  let from = 0;
  for (const { text, open, start, end } of changes) {
    inner += row.inner.slice(from, start) + textCell(open, text);
    from = end;
  }
  return { ...row, inner: inner + row.inner.slice(from) };
}

/** `open`: the tag that the cell had. */
function textCell(open: string, text: string): string {
  const start = open.slice(0, open.endsWith('/>') ? -2 : -1).trimEnd();
  const tag = start.replace(/\st\s*=\s*(?:"[^"]*"|'[^']*')/, '');
  if (text === '') return `${tag}/>`;
  const prefix = /^<(\w+:)?/.exec(open)![1] ?? '';
  const space = text.trim() === text ? '' : ' xml:space="preserve"';
  return `${tag} t="inlineStr"><${prefix}is><${prefix}t${space}>${encodeXml(text)}</${prefix}t></${prefix}is></${prefix}c>`;
}

function movedTo(row: RowXml, number: number): Pick<SheetRow, 'open' | 'inner' | 'close'> {
  const open = row.open.replace(/(\sr\s*=\s*)(?:"[^"]*"|'[^']*')/, `$1"${number}"`);
  const inner = row.inner
    .replace(/(<(?:\w+:)?c\s(?:[^<>]*?\s)?r\s*=\s*["'][A-Z]{1,3})\d+/g, `$1${number}`)
    .replace(/<(?:\w+:)?f(?:\s[^<>]*)?\/>|<((?:\w+:)?)f(?:\s[^<>]*)?>[^<]*<\/\1f>/g, '');
  return { open, inner, close: row.close };
}

/** The order of calculation names cells that have moved; spreadsheets make it anew. */
async function* withoutCalculation(text: string): AsyncIterable<Uint8Array> {
  const kept = text.replace(/<(?:\w+:)?(?:Override|Relationship)\s[^<>]*\/>/g, (tag) =>
    tag.includes('calcChain') ? '' : tag,
  );
  yield new TextEncoder().encode(kept);
}
