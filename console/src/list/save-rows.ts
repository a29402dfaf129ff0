// Gives rows to the reader as a file, out of the memory of this page.
import { COLUMNS, cellsOf, csvHeader, csvLine } from './to-csv.ts';
import type { PlacedRow } from './use-rows.ts';

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** In characters: an address and a host are long, the rest is not. */
const WIDTHS = COLUMNS.map((name) => (name === 'email' || name === 'mx' ? 36 : 16));
const ROWS_AT_ONCE = 500;
/** After this the browser has begun to read the file. */
const KEPT_MS = 60_000;

export type TableFormat = 'csv' | 'xlsx';

export async function saveRows(rows: readonly PlacedRow[], name: string, format: TableFormat): Promise<void> {
  saveFile(await (format === 'csv' ? csvOf(rows) : workbookOf(rows)), `${name}.${format}`);
}

export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

/** `customers.csv` and `send`: `customers-send`. Without what a file system would not take. */
export function fileStem(listName: string, part?: string): string {
  const stem = listName
    .replace(/\.(csv|tsv|txt|xlsx)$/i, '')
    .replace(/[\\/:*?"<>|\u0000-\u001f]+/g, ' ')
    .trim();
  return [stem || 'results', part].filter(Boolean).join('-');
}

async function csvOf(rows: readonly PlacedRow[]): Promise<Blob> {
  let lines = [csvHeader()];
  const pieces: string[] = [];
  for await (const row of unhurried(rows)) {
    lines.push(csvLine(row));
    if (lines.length < ROWS_AT_ONCE) continue;
    pieces.push(lines.join(''));
    lines = [];
  }
  return new Blob([...pieces, ...lines], { type: 'text/csv;charset=utf-8' });
}

async function workbookOf(rows: readonly PlacedRow[]): Promise<Blob> {
  const { newWorkbook } = await import('@mxproof/files/xlsx/new-workbook.ts');
  const cells = async function* () {
    for await (const row of unhurried(rows)) yield cellsOf(row);
  };
  const sheet = { name: 'Results', headings: COLUMNS, widths: WIDTHS, rows: cells() };
  const pieces: Uint8Array[] = [];
  for await (const piece of newWorkbook(sheet)) pieces.push(piece);
  return new Blob(pieces as BlobPart[], { type: XLSX_TYPE });
}

/** With a pause now and then, in which the page answers. */
async function* unhurried<Row>(rows: readonly Row[]): AsyncIterable<Row> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    yield* rows.slice(at, at + ROWS_AT_ONCE);
    await new Promise((done) => setTimeout(done));
  }
}
