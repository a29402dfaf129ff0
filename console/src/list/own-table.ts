// Rows as a table of our own: an address and its result in each. Promise: in either vocabulary the columns are those of the
// API's CSV and of files that come back (RFC 4180), except that a spreadsheet never runs what stands in a cell.
import { csvCell } from '@mxproof/common/csv';
import { type Cell, cellText, type Extra } from '@mxproof/files/result-columns';
import { vocabularyOf, type Words } from '@mxproof/files/vocabularies';
import type { PlacedRow } from './use-rows.ts';

export interface OwnTable {
  readonly headings: readonly string[];
  cells(placed: PlacedRow): readonly Cell[];
}

export function ownTable(words: Words, extras: readonly Extra[] = []): OwnTable {
  const vocabulary = vocabularyOf(words, extras);
  const { address } = vocabulary;
  return {
    headings: [address, ...vocabulary.headings([], [address])[0]!],
    // A corrected address stands in its cell, as in a file that comes back. What is not checked has no result.
    cells: ({ row }) => [
      row.checked_as ?? row.email,
      ...(row.state === 'pending' ? vocabulary.none : vocabulary.cells(row)),
    ],
  };
}

/** What these rows were asked for, beside their verdict. */
export function extrasOf(rows: readonly PlacedRow[]): readonly Extra[] {
  const extras: Extra[] = [];
  if (rows.some(({ row }) => row.bounce_probability !== undefined)) extras.push('estimate');
  if (rows.some(({ row }) => row.suppressed !== undefined)) extras.push('suppressed');
  return extras;
}

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map((cell) => csvCell(cellText(cell), 'defused')).join()}\r\n`;
}
