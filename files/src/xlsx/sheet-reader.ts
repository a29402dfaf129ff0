// The rows of a sheet as its XML arrives, with what their cells say and with the XML they came as.
// Promise: what it hands over, joined, is the sheet's XML again; one row is held at a time, and costs what it has in
// cells, wherever they stand.

import { FileError } from '../file-error.ts';
import { MAX_COLUMNS, MAX_ROWS } from '../table.ts';
import { attributeOf, decodeXml, XmlScanner } from './xml-scanner.ts';

const MAX_ROW_CHARACTERS = 16 * 1_024 * 1_024;

export interface SheetRow {
  /** As the sheet counts them, from 1. */
  readonly number: number;
  /** `<row …>` or `<row …/>`, the cells' XML, `</row>` or nothing. */
  readonly open: string;
  readonly inner: string;
  readonly close: string;
  /** What the cells say, trimmed, by column from 0; only those that say something. */
  readonly cells: ReadonlyMap<number, string>;
  /** Of those in the columns that are watched, where they are. */
  readonly places: ReadonlyMap<number, CellPlace>;
  /** One more than the last column that has a cell, though it may be empty. */
  readonly width: number;
}

export interface CellPlace {
  /** `<c …>` */
  readonly open: string;
  /** In the row's `inner`, from its opening tag to its closing one. */
  readonly start: number;
  readonly end: number;
  readonly isFormula: boolean;
}

export interface SheetHandlers {
  onRow(row: SheetRow): void;
  /** Whose cells' places are wanted, from 0. */
  readonly watched?: ReadonlySet<number>;
  /** What a number is shown as, by the style of its cell. Without it, numbers are as they are written. */
  showNumber?(text: string, style: number): string;
  /** XML before, between and after the rows. */
  onOther?(raw: string): void;
}

export class SheetReader {
  readonly #scanner: XmlScanner;
  readonly #strings: readonly string[];
  readonly #handlers: SheetHandlers;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #isInData = false;
  #open: string | null = null;
  #inner: string[] = [];
  #innerLength = 0;
  #number = 0;
  #rows = 0;
  #cells = new Map<number, string>();
  #places = new Map<number, CellPlace>();
  #cellOpen = '';
  #cellStart = 0;
  #isFormula = false;
  #isInCell = false;
  #column = -1;
  #width = 0;
  #type = 'n';
  #style = 0;
  #text: string | null = null;
  #isTaking = false;
  #isPhonetic = false;

  constructor(strings: readonly string[], handlers: SheetHandlers) {
    this.#strings = strings;
    this.#handlers = handlers;
    this.#scanner = new XmlScanner({
      onTag: (name, raw) => this.#onTag(name, raw),
      onOther: (raw) => {
        if (this.#isTaking) this.#text = (this.#text ?? '') + decodeXml(raw);
        this.#pass(raw);
      },
    });
  }

  push(chunk: Uint8Array): void {
    this.#scanner.push(this.#decoder.decode(chunk, { stream: true }));
  }

  end(): void {
    this.#scanner.push(this.#decoder.decode());
    this.#scanner.end();
    if (this.#open !== null) throw rowsBroken();
  }

  #onTag(name: string, raw: string): void {
    const isClosing = raw[1] === '/';
    const isEmpty = raw.endsWith('/>');
    if (name === 'sheetData') this.#isInData = !isClosing && !isEmpty;
    if (this.#isInData && name === 'row') {
      if (!isClosing) this.#beginRow(raw);
      if (isClosing || isEmpty) this.#endRow(isClosing ? raw : '');
      return;
    }
    if (this.#open !== null) this.#readCell(name, raw, isClosing, isEmpty);
    this.#pass(raw);
  }

  #pass(raw: string): void {
    if (this.#open === null) {
      this.#handlers.onOther?.(raw);
      return;
    }
    this.#innerLength += raw.length;
    if (this.#innerLength > MAX_ROW_CHARACTERS)
      throw new FileError('row_too_long', `Row ${this.#number} of the sheet is too long: save it as CSV.`);
    this.#inner.push(raw);
  }

  #beginRow(raw: string): void {
    if (this.#open !== null) throw rowsBroken();
    const number = Number(attributeOf(raw, 'r') ?? this.#number + 1);
    this.#rows += 1;
    if (this.#rows > MAX_ROWS || number === MAX_ROWS + 1)
      throw new FileError(
        'too_many_rows',
        `The sheet has more than ${MAX_ROWS.toLocaleString('en')} rows: save it as CSV, or split it.`,
      );
    if (!Number.isInteger(number) || number < 1 || number > MAX_ROWS)
      throw new FileError(
        'damaged',
        'The sheet has a row outside of it: open the workbook and save it again.',
      );
    this.#number = number;
    this.#open = raw;
    this.#isInCell = false;
    this.#isTaking = false;
    this.#inner = [];
    this.#innerLength = 0;
    this.#cells = new Map();
    this.#places = new Map();
    this.#column = -1;
    this.#width = 0;
  }

  #endRow(close: string): void {
    if (this.#open === null) throw rowsBroken();
    const row = {
      number: this.#number,
      open: this.#open,
      inner: this.#inner.join(''),
      close,
      cells: this.#cells,
      places: this.#places,
      width: this.#width,
    };
    this.#open = null;
    this.#handlers.onRow(row);
  }

  #readCell(name: string, raw: string, isClosing: boolean, isEmpty: boolean): void {
    if (name === 'c') {
      if (!isClosing) this.#beginCell(raw);
      if (this.#isInCell && (isClosing || isEmpty)) this.#endCell(this.#innerLength + raw.length);
    } else if (!this.#isInCell) return;
    else if (name === 'f') this.#isFormula = true;
    else if (name === 'rPh') this.#isPhonetic = !isClosing && !isEmpty;
    else if (name === 'v' || name === 't') this.#isTaking = !isClosing && !isEmpty && !this.#isPhonetic;
  }

  #beginCell(raw: string): void {
    const reference = attributeOf(raw, 'r');
    this.#column = reference === null ? this.#column + 1 : columnOf(reference);
    if (!(this.#column < MAX_COLUMNS))
      throw new FileError(
        'damaged',
        `Row ${this.#number} of the sheet has a cell outside of it: save it again.`,
      );
    this.#width = Math.max(this.#width, this.#column + 1);
    this.#type = attributeOf(raw, 't') ?? 'n';
    if (this.#handlers.showNumber !== undefined) this.#style = Number(attributeOf(raw, 's') ?? 0);
    this.#text = null;
    this.#isInCell = true;
    this.#cellOpen = raw;
    this.#cellStart = this.#innerLength;
    this.#isFormula = false;
  }

  #endCell(end: number): void {
    if (this.#handlers.watched?.has(this.#column))
      this.#places.set(this.#column, {
        ...{ open: this.#cellOpen, start: this.#cellStart, end },
        isFormula: this.#isFormula,
      });
    this.#isInCell = false;
    this.#isTaking = false;
    this.#isPhonetic = false;
    if (this.#text === null) return;
    // An index that leads nowhere is an empty cell, as spreadsheets have it.
    const written = this.#type === 's' ? (this.#strings[Number(this.#text)] ?? '') : this.#text.trim();
    const text =
      this.#type === 'n' && written !== ''
        ? (this.#handlers.showNumber?.(written, this.#style) ?? written)
        : written;
    if (text === '') this.#cells.delete(this.#column);
    else this.#cells.set(this.#column, text);
  }
}

/** What would be handed over is not what came. */
function rowsBroken(): FileError {
  return new FileError(
    'damaged',
    'The sheet has a row without its beginning or its end: open the workbook and save it again.',
  );
}

/** `AB12` → 27; -1, or too many, where it is none. */
export function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (letters === undefined) return Number.POSITIVE_INFINITY;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** 27 → `AB` */
export function columnName(column: number): string {
  let name = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}
