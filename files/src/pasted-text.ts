// What people paste: a table copied from a spreadsheet or a file, or a heap of addresses between anything.
// Promise: a table stays as it is; a heap becomes a file with one row for each address, and for each piece that is not an
// address, and their names in a column of their own. The work is linear in the length of the text.
//
// A table has rows of one width, a column of addresses, and beside it a column without any, or a first row of headings.
import { csvCell, MARK, needsMark } from '@mxproof/common/csv';
import { isHeading, looksLikeAddress } from './find-address.ts';
import { readAddresses } from './read-addresses.ts';
import type { LayoutOptions } from './table.ts';
import { readSample, SAMPLE_BYTES, type Sample, SEPARATORS } from './text/dialect.ts';

export interface PastedFile {
  readonly text: string;
  readonly layout: LayoutOptions;
}

const PASTED_HEADINGS = { address: 'Email', name: 'Name' } as const;
/** Of the rows: rows of a table may lack their last cells, and a heap may have equal ones by chance. */
const EVEN_SHARE = 0.8;

/** Null: a table, to be read as a file is. */
export function pastedFile(pasted: string): PastedFile | null {
  if (isTable(pasted)) return null;
  const [first = ''] = /[^\r\n]+/.exec(pasted) ?? [];
  const heading = isHeading(first) ? first.trim() : null;
  const rest = heading === null ? pasted : pasted.slice(pasted.indexOf(first) + first.length);
  const items = readAddresses(rest);
  const hasNames = items.some(({ name }) => name !== undefined);
  const rows = items.map(({ text, name = '' }) => [
    csvCell(text, 'exact'),
    // A spreadsheet would run it.
    ...(hasNames ? [csvCell(name, 'defused')] : []),
  ]);
  const head = hasNames
    ? [heading ?? PASTED_HEADINGS.address, PASTED_HEADINGS.name]
    : heading === null
      ? []
      : [heading];
  const all = head.length === 0 ? rows : [head.map((cell) => csvCell(cell, 'exact')), ...rows];
  const text = all.map((row) => `${row.join()}\n`).join('');
  return {
    text: needsMark(text) ? MARK + text : text,
    layout: { columns: [0], hasHeader: head.length > 0, separator: ',', encoding: 'utf-8' },
  };
}

function isTable(pasted: string): boolean {
  const bytes = new TextEncoder().encode(pasted.slice(0, SAMPLE_BYTES));
  const isWhole = pasted.length <= SAMPLE_BYTES;
  return SEPARATORS.some((separator) => isTableOf(readSample(bytes, isWhole, 'utf-8', separator, 0)));
}

function isTableOf({ rows, separator, fit }: Sample): boolean {
  const isFromSheet = separator === '\t';
  if (fit.evenRows === 0 || fit.evenRows < EVEN_SHARE * rows.length) return false;
  if (rows.length < 2 && !isFromSheet) return false;
  const columns = columnsOf(rows);
  // A sheet may have few addresses; between commas, a row without one is rather a name.
  const wanted = isFromSheet ? 1 : Math.max(1, (rows.length - 1) / 2);
  if (!columns.some(({ addresses }) => addresses >= wanted)) return false;
  const isHeader = rows.length > 1 && rows[0]!.filter(isFilled).length > 1 && !rows[0]!.some(hasAt);
  return isHeader || columns.some(({ ats, filled }) => ats === 0 && 2 * filled >= rows.length);
}

interface Column {
  addresses: number;
  ats: number;
  filled: number;
}

function columnsOf(rows: Sample['rows']): readonly Column[] {
  const columns: Column[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) {
      columns[at] ??= { addresses: 0, ats: 0, filled: 0 };
      if (isFilled(cell)) columns[at].filled += 1;
      if (!hasAt(cell)) continue;
      columns[at].ats += 1;
      if (looksLikeAddress(cell)) columns[at].addresses += 1;
    }
  return columns;
}

function hasAt(cell: string): boolean {
  return cell.includes('@');
}

function isFilled(cell: string): boolean {
  return cell.trim() !== '';
}
