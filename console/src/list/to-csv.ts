// Rows as a table of our own. Promise: the columns and the writing of the API's CSV (RFC 4180), except that a spreadsheet
// never runs what stands in a cell.
import { csvCell } from '@mxproof/common/csv';
import type { Cell } from '@mxproof/files/result-columns';
import type { PlacedRow } from './use-rows.ts';

export const COLUMNS = [
  'email',
  'state',
  'reason',
  'score',
  'accept_all',
  'role',
  'free',
  'disposable',
  'mx',
  'provider',
] as const;

export function cellsOf({ row }: PlacedRow): readonly Cell[] {
  return COLUMNS.map((name) => row[name] ?? '');
}

export function csvHeader(): string {
  return `${COLUMNS.join(',')}\r\n`;
}

export function csvLine(row: PlacedRow): string {
  return `${cellsOf(row)
    .map((cell) => csvCell(textOf(cell), 'defused'))
    .join()}\r\n`;
}

function textOf(cell: Cell): string {
  if (typeof cell === 'boolean') return cell ? 'True' : 'False';
  return String(cell);
}
