// Separated text and lists of one address a line: the addresses in it, and the same bytes back with cells added.
// Promise: nothing of the file is held but a row; its own bytes come back as they are, blank lines too, but for cells whose
// addresses are corrected or taken out; where cells are added, rows with fewer cells than the widest are padded, so that they stand in columns, where that costs no more than a bounded
// number of times the file.

import { csvCell } from '@mxproof/common/csv';
import { FileError } from '../file-error.ts';
import { addedHeadings, rowMerger } from '../merge-row.ts';
import { type Cell, cellText } from '../result-columns.ts';
import { RowSurveyor } from '../survey-row.ts';
import type { Layout, MergePlan, Source, Survey, SurveyHandlers, Table } from '../table.ts';
import type { Dialect } from './dialect.ts';
import { createDecoder, encode, encodingOf } from './encoding.ts';
import { type Row, RowSplitter, unquoted } from './row-splitter.ts';

/** Separators for each byte of the file: one row of thousands of cells would pad a million short ones. */
const MAX_PADDING = 100;

export class TextTable implements Table {
  readonly layout: Layout;
  readonly head: Table['head'];
  readonly sheets = [];
  readonly otherColumns: readonly number[];
  readonly #source: Source;
  readonly #dialect: Dialect;
  readonly #decode: (bytes: Uint8Array) => string;
  #width = 0;

  constructor(source: Source, dialect: Dialect) {
    const { encoding, separator, place, head } = dialect;
    this.#source = source;
    this.#dialect = dialect;
    this.#decode = createDecoder(encoding);
    this.head = head;
    const { columns, otherColumns, hasHeader } = place;
    this.otherColumns = otherColumns;
    const headings = hasHeader ? columns.map((column) => head[0]?.[column] ?? '') : null;
    this.layout = { format: 'text', columns, headings, encoding, separator };
  }

  async otherSheets(): Promise<readonly string[]> {
    return this.sheets;
  }

  async survey(handlers: SurveyHandlers): Promise<Survey> {
    const surveyor = new RowSurveyor(this.#dialect.place.columns, handlers);
    let number = 1;
    let bytes = 0;
    let widest = 0;
    let cells = 0;
    let padded = 0;
    const widen = ({ count }: Row) => {
      padded += 1;
      cells += count;
      if (count <= this.#width) return;
      this.#width = count;
      widest = number;
    };
    const splitter = this.#split({
      onOther: (row, kind) => {
        if (kind === 'header') widen(row);
        // Spreadsheets keep the line `sep=;` for themselves.
        if (kind !== 'separator') number += 1;
      },
      onData: (row) => {
        widen(row);
        surveyor.row(number, (column) => this.#textOf(row, column));
        number += 1;
      },
    });
    for await (const chunk of this.#text()) {
      bytes += chunk.length;
      splitter.push(chunk);
    }
    splitter.end();
    if (padded * this.#width - cells > MAX_PADDING * bytes)
      throw new FileError(
        'too_many_columns',
        `Row ${widest} has ${this.#width.toLocaleString('en')} cells, too many to give every other row as many: remove what does not belong there.`,
      );
    return surveyor.result();
  }

  async *merge(plan: MergePlan): AsyncIterable<Uint8Array> {
    const { encoding, markBytes, separator, place } = this.#dialect;
    const { columns } = place;
    let pieces: Uint8Array[] = [];
    // Equal results are one object, so the encoded cells are cached by it.
    const written = new WeakMap<readonly Cell[], Uint8Array>();
    const encoded = (cells: readonly Cell[]) => {
      let added = written.get(cells);
      if (added === undefined) {
        added = encode(
          cells.map((cell) => separator + csvCell(cellText(cell), 'defused', this.#dialect)).join(''),
          encoding,
        );
        written.set(cells, added);
      }
      return added;
    };
    /** `from`: what of the row is not written yet. */
    const add = (row: Row, sets: readonly (readonly Cell[])[], from = row.start) => {
      if (sets.length === 0) return pieces.push(row.bytes.subarray(from, row.next));
      const missing = this.#width - row.count;
      pieces.push(row.bytes.subarray(from, row.end));
      if (missing > 0) pieces.push(encode(separator.repeat(missing), encoding));
      return pieces.push(...sets.map(encoded), row.bytes.subarray(row.end, row.next));
    };
    const mergeRow = rowMerger(plan);
    const splitter = this.#split({
      onOther: (row, kind) => {
        if (kind === 'header') add(row, addedHeadings(plan, this.head[0] ?? [], this.layout));
        else pieces.push(row.bytes.subarray(row.start, row.next));
      },
      onData: (row) => {
        const merged = mergeRow(columns.map((column) => this.#textOf(row, column)));
        if (merged === null) return;
        const { added, rewritten } = merged;
        add(row, added, rewritten === null ? row.start : this.#rewrite(row, rewritten, pieces));
      },
    });
    const flush = () => {
      const bytes = concat(pieces);
      pieces = [];
      return bytes;
    };
    if (markBytes > 0) yield encode('\ufeff', encoding);
    for await (const chunk of this.#text()) {
      splitter.push(chunk);
      if (pieces.length > 0) yield flush();
    }
    splitter.end();
    if (pieces.length > 0) yield flush();
  }

  /** The row up to the last of the cells that are written anew. @returns where the rest of it begins */
  #rewrite(row: Row, texts: readonly (string | null)[], pieces: Uint8Array[]): number {
    const { separator, encoding, place } = this.#dialect;
    let from = row.start;
    for (const [at, text] of texts.entries()) {
      if (text === null) continue;
      const before = row.cell(place.columns[at]!);
      const start = before.byteOffset - row.bytes.byteOffset;
      pieces.push(row.bytes.subarray(from, start));
      from = start + before.length;
      if (text === '') continue;
      const isQuoted = this.#decode(before).startsWith('"');
      // A quote within a cell is text, as it was.
      const isPlain = !isQuoted && !text.includes(separator) && !/^"|[\r\n]/.test(text);
      const written = isPlain ? text : csvCell(text, 'exact', { separator, isQuoted });
      pieces.push(encode(written, encodingOf(before, encoding)));
    }
    return from;
  }

  /** Without the byte-order mark. */
  async *#text(): AsyncIterable<Uint8Array> {
    let skip = this.#dialect.markBytes;
    for await (const chunk of this.#source.chunks()) {
      const skipped = Math.min(skip, chunk.length);
      skip -= skipped;
      yield chunk.subarray(skipped);
    }
  }

  #split(handlers: {
    onOther: (row: Row, kind: 'separator' | 'blank' | 'header') => void;
    onData: (row: Row) => void;
  }): RowSplitter {
    const { encoding, separator, place } = this.#dialect;
    let isSeparatorLine = this.#dialect.hasSeparatorLine;
    let isHeader = place.hasHeader;
    return new RowSplitter(encoding, separator, (row) => {
      if (isSeparatorLine) {
        isSeparatorLine = false;
        handlers.onOther(row, 'separator');
      } else if (this.#isBlank(row)) handlers.onOther(row, 'blank');
      else if (isHeader) {
        isHeader = false;
        handlers.onOther(row, 'header');
      } else handlers.onData(row);
    });
  }

  #isBlank(row: Row): boolean {
    return row.count === 1 && (row.start === row.end || this.#decode(row.cell(0)).trim() === '');
  }

  #textOf(row: Row, column: number): string {
    return column < row.count ? unquoted(this.#decode(row.cell(column))) : '';
  }
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
