// The cells of a sheet that links hang on: the sheet names them behind its rows, one by one or as a range.
// Promise: only those in the columns that are watched are kept; finding one takes a bounded search, whatever the ranges are.

import { FileError } from '../file-error.ts';
import { columnOf } from './sheet-reader.ts';
import { attributeOf } from './xml-scanner.ts';

/** Excel takes 65,530 to a sheet. */
const MAX_LINKS = 1_048_576;

type Rows = readonly [first: number, last: number];

export class LinkedCells {
  readonly #rows: ReadonlyMap<number, Rows[]>;
  #links = 0;
  #isSorted = true;

  constructor(columns: readonly number[]) {
    this.#rows = new Map(columns.map((column) => [column, []]));
  }

  /** A tag of the sheet, whichever it is. */
  add(tag: string): void {
    if (!/^<(?:\w+:)?hyperlink\s/.test(tag)) return;
    const reference = attributeOf(tag, 'ref') ?? '';
    const [, from, to = from] =
      /^(\$?[A-Z]{1,3}\$?\d{1,7})(?::(\$?[A-Z]{1,3}\$?\d{1,7}))?$/.exec(reference) ?? [];
    if (from === undefined || to === undefined) return;
    this.#links += 1;
    if (this.#links > MAX_LINKS)
      throw new FileError(
        'too_large',
        `The sheet has more than ${MAX_LINKS.toLocaleString('en')} links: save it as CSV.`,
      );
    const [left, top] = cornerOf(from);
    const [right, bottom] = cornerOf(to);
    for (const [column, rows] of this.#rows) if (column >= left && column <= right) rows.push([top, bottom]);
    this.#isSorted = false;
  }

  has(column: number, row: number): boolean {
    if (!this.#isSorted) for (const rows of this.#rows.values()) join(rows);
    this.#isSorted = true;
    const rows = this.#rows.get(column) ?? [];
    let [from, to] = [0, rows.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (rows[middle]![1] < row) from = middle + 1;
      else to = middle;
    }
    return from < rows.length && rows[from]![0] <= row;
  }
}

/** Sorted, and those that overlap made one. */
function join(rows: Rows[]): void {
  rows.sort(([a], [b]) => a - b);
  let length = 0;
  for (const [first, last] of rows) {
    const before = rows[length - 1];
    if (before !== undefined && first <= before[1]) rows[length - 1] = [before[0], Math.max(before[1], last)];
    else {
      rows[length] = [first, last];
      length += 1;
    }
  }
  rows.length = length;
}

function cornerOf(reference: string): readonly [column: number, row: number] {
  const plain = reference.replaceAll('$', '');
  return [columnOf(plain), Number(/\d+$/.exec(plain)![0])];
}
