// Saves a table as CSV for people: a spreadsheet opens it as it is, and runs nothing that stands in it.
import { csvCell, MARK, needsMark } from '@mxproof/common/csv';

/** A number is no formula, whatever its sign. */
export type TableCell = string | number;

/** `rows`: the first has the headings. */
export async function saveCsv(name: string, rows: readonly (readonly TableCell[])[]): Promise<void> {
  const { saveFile } = await import('../list/save-rows.ts');
  const text = csvText(rows);
  saveFile(new Blob([needsMark(text) ? MARK : '', text], { type: 'text/csv;charset=utf-8' }), `${name}.csv`);
}

export function csvText(rows: readonly (readonly TableCell[])[]): string {
  return rows
    .map(
      (cells) =>
        `${cells.map((cell) => (typeof cell === 'number' ? cell : csvCell(cell, 'defused'))).join()}\r\n`,
    )
    .join('');
}
