// Opens a workbook at the sheet that holds the addresses: the one that was named, else the first that has a column of
// them. Promise: the packed workbook is held in memory, never an unpacked sheet.

import { FileError, shown } from '../file-error.ts';
import { columnsOf, findPlace } from '../find-address.ts';
import { readAll } from '../read-all.ts';
import { HEAD_CELL_CHARACTERS, HEAD_ROWS, type LayoutOptions, type Source, type Table } from '../table.ts';
import { readSample, type SheetSample } from './sheet-sample.ts';
import { readNumberView } from './styles.ts';
import { readShared, readWorkbook, type Sheet } from './workbook.ts';
import { XlsxTable } from './xlsx-table.ts';
import { Zip } from './zip.ts';

const MAX_WORKBOOK_BYTES = 256 * 1_024 * 1_024;
const SAMPLE_ROWS = 1_000;
/** Looked through for addresses; a sheet beyond can be named. */
const MAX_SHEETS_TRIED = 20;

export async function openWorkbook(source: Source, named: LayoutOptions): Promise<Table> {
  const bytes = await readAll(source, MAX_WORKBOOK_BYTES);
  if (bytes === null)
    throw new FileError(
      'too_large',
      `The workbook is larger than ${MAX_WORKBOOK_BYTES / 1_048_576} MiB: save its sheet as CSV.`,
    );
  const zip = new Zip(bytes);
  const book = await readWorkbook(zip);
  const strings = await readShared(zip, book.sharedPath);
  const showNumber = await readNumberView(zip, book);
  const sheets = chosenSheets(book.sheets, named.sheet);
  const openSheet = async (sheet: Sheet, chosen: LayoutOptions, also: readonly XlsxTable[] = []) => {
    const rows = await readSample(zip, sheet, strings, { rows: SAMPLE_ROWS, showNumber });
    const first = rows[0] === undefined ? [] : cellsOf(rows[0]);
    const place = rows[0] === undefined ? null : findPlace(first, rows, chosen);
    if (place === null) return { first, table: null };
    const head = rows
      .slice(0, HEAD_ROWS)
      .map((row) => cellsOf(row).map((cell) => cell.slice(0, HEAD_CELL_CHARACTERS)));
    return { first, table: new XlsxTable({ zip, book, strings, sheet, place, head }, also) };
  };
  const also: XlsxTable[] = [];
  for (const name of new Set(named.alsoSheets)) {
    const { table } = await openSheet(chosenSheets(book.sheets, name)[0]!, {});
    if (table !== null) also.push(table);
  }
  let firstRow: readonly string[] = [];
  for (const sheet of sheets) {
    const { first, table } = await openSheet(
      sheet,
      named,
      also.filter(({ layout }) => layout.sheet !== sheet.name),
    );
    if (table !== null) return table;
    if (firstRow.length === 0) firstRow = first;
  }
  throw new FileError(
    'no_column',
    sheets.length === 1 && firstRow.length > 0
      ? `No column of e-mail addresses was found; ${columnsOf(firstRow)}.`
      : `No column of e-mail addresses was found in any of its sheets: ${sheets.map((sheet) => shown(sheet.name)).join(', ')}.`,
  );
}

function chosenSheets(sheets: readonly Sheet[], name: string | undefined): readonly Sheet[] {
  if (name === undefined) return sheets.slice(0, MAX_SHEETS_TRIED);
  const sheet = sheets.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (sheet !== undefined) return [sheet];
  const names = sheets.slice(0, MAX_SHEETS_TRIED).map((each) => shown(each.name));
  throw new FileError(
    'no_such_sheet',
    `The workbook has no sheet "${shown(name)}": it has ${names.join(', ')}.`,
  );
}

/** Up to the last that is filled. */
function cellsOf(row: SheetSample[number]): string[] {
  const width = Math.max(0, ...row.keys()) + 1;
  return Array.from({ length: width }, (_, column) => row.get(column) ?? '');
}
