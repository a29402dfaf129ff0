// Saves rows that are in memory as a file.
import { MARK, needsMark } from '@mxproof/common/csv';
import type { Words } from '@mxproof/files/vocabularies';
import { csvLine, extrasOf, type OwnTable, ownTable } from './own-table.ts';
import type { PlacedRow } from './use-rows.ts';

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** In characters: an address is long, most of the rest is not. */
const WIDTHS = { address: 36, result: 20 } as const;
const BATCH_ROWS = 1_000;
/** After this the browser has begun to read the file. */
const KEPT_MS = 60_000;

export type TableFormat = 'csv' | 'xlsx';

export async function saveRows(
  rows: readonly PlacedRow[],
  name: string,
  format: TableFormat,
  words: Words,
): Promise<void> {
  const table = ownTable(words, extrasOf(rows));
  saveFile(
    await (format === 'csv' ? csvOf(rows, table, words) : workbookOf(rows, table)),
    `${name}.${format}`,
  );
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

/** With a mark for Excel where people read it; programs would take it for a part of the first heading. */
export async function csvOf(
  rows: readonly PlacedRow[],
  { headings, cells }: OwnTable,
  words: Words,
): Promise<Blob> {
  const pieces = [csvLine(headings)];
  for await (const batch of batchesOf(rows)) pieces.push(batch.map((row) => csvLine(cells(row))).join(''));
  if (words === 'people' && pieces.some(needsMark)) pieces.unshift(MARK);
  return new Blob(pieces, { type: 'text/csv;charset=utf-8' });
}

async function workbookOf(rows: readonly PlacedRow[], { headings, cells }: OwnTable): Promise<Blob> {
  const { newWorkbook } = await import('@mxproof/files/new-workbook');
  const batches = async function* () {
    for await (const batch of batchesOf(rows)) yield batch.map(cells);
  };
  const widths = headings.map((_, at) => (at === 0 ? WIDTHS.address : WIDTHS.result));
  const sheet = { name: 'Results', headings, widths, batches: batches() };
  const pieces: Uint8Array[] = [];
  for await (const piece of newWorkbook(sheet)) pieces.push(piece);
  return new Blob(pieces as BlobPart[], { type: XLSX_TYPE });
}

/** Yields after each, so that the console stays responsive. */
async function* batchesOf(rows: readonly PlacedRow[]): AsyncIterable<readonly PlacedRow[]> {
  for (let at = 0; at < rows.length; at += BATCH_ROWS) {
    yield rows.slice(at, at + BATCH_ROWS);
    await new Promise((done) => setTimeout(done));
  }
}
