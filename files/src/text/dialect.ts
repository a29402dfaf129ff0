// How a text file is written: its encoding, its separator, its header, and the column of addresses, found from its
// first bytes. Promise: the separator under which most rows have an address in a cell of its own wins; of equals, the one
// under which the fewest addresses share a cell with something else.

import { FileError } from '../file-error.ts';
import { columnsOf, findPlace, looksLikeAddress, type Place } from '../find-address.ts';
import { HEAD_ROWS, type LayoutOptions } from '../table.ts';
import { createDecoder, type Encoding, findEncoding, markLength } from './encoding.ts';
import { RowSplitter, unquoted } from './row-splitter.ts';

export const SAMPLE_BYTES = 256 * 1_024;
const SAMPLE_ROWS = 1_000;
/** Control characters that no text file has. */
const NO_TEXT = /[\u0000-\u0008\u000e-\u001f]/;
export const SEPARATORS = [',', ';', '\t', '|'] as const;

export interface Dialect {
  readonly encoding: Encoding;
  readonly markBytes: number;
  readonly separator: string;
  /** A first line `sep=;`, which spreadsheets take for themselves. */
  readonly hasSeparatorLine: boolean;
  /** Every cell that is filled is quoted. */
  readonly isQuoted: boolean;
  readonly place: Place;
  /** The first rows of the table. */
  readonly head: readonly (readonly string[])[];
}

export interface Sample {
  readonly separator: string;
  readonly rows: readonly (readonly string[])[];
  readonly isQuoted: boolean;
  readonly fit: Fit;
}

/** How well a separator suits the rows. */
interface Fit {
  readonly rowsWithAddress: number;
  /** Cells with an @ and more than addresses in them. */
  readonly mixedCells: number;
  /** How many rows have the number of cells that most rows have, if that is more than one. */
  readonly evenRows: number;
}

export function findDialect(sample: Uint8Array, isWhole: boolean, named: LayoutOptions): Dialect {
  const encoding = named.encoding ?? findEncoding(sample, isWhole);
  const markBytes = markLength(sample, encoding);
  const text = sample.subarray(markBytes);
  const declared = declaredSeparator(createDecoder(encoding)(text.subarray(0, 64)));
  const wanted = named.separator ?? declared;
  const skipped = declared === null ? 0 : 1;
  // One that the text does not have parts nothing, as the first then does not either.
  const possible = SEPARATORS.filter((one, at) => at === 0 || text.includes(one.charCodeAt(0)));
  const samples = (wanted === null ? possible : [wanted]).map((separator) =>
    readSample(text, isWhole, encoding, separator, skipped),
  );
  const best = samples.reduce((a, b) => (isBetter(b, a) ? b : a));
  if (best.rows.length === 0) throw new FileError('empty', 'The file is empty: there is nothing to clean.');
  const cells = best.rows.map((row) => row.entries());
  const place = findPlace(best.rows[0] ?? [], cells, named);
  if (place === null) throw noColumn(best.rows[0] ?? []);
  const { separator, isQuoted } = best;
  const head = best.rows.slice(0, HEAD_ROWS);
  return { encoding, markBytes, separator, hasSeparatorLine: declared !== null, isQuoted, place, head };
}

function noColumn(first: readonly string[]): FileError {
  if (first.some((cell) => NO_TEXT.test(cell)))
    return new FileError('unsupported', 'The file is not text: save it as CSV or .xlsx.');
  return new FileError('no_column', `No column of e-mail addresses was found; ${columnsOf(first)}.`);
}

function declaredSeparator(text: string): string | null {
  return /^"?sep=([^"\r\n])"?[\r\n]/i.exec(text)?.[1] ?? null;
}

export function readSample(
  bytes: Uint8Array,
  isWhole: boolean,
  encoding: Encoding,
  separator: string,
  skipped: number,
): Sample {
  const decode = createDecoder(encoding);
  const rows: string[][] = [];
  let seen = 0;
  let isQuoted = true;
  const splitter = new RowSplitter(encoding, separator, (row) => {
    seen += 1;
    if (seen <= skipped || rows.length === SAMPLE_ROWS) return;
    const cells = Array.from({ length: row.count }, (_, at) => decode(row.cell(at)));
    if (cells.length === 1 && cells[0]!.trim() === '') return;
    isQuoted &&= cells.every((cell) => cell === '' || cell.startsWith('"'));
    rows.push(cells.map(unquoted));
  });
  splitter.push(isWhole ? bytes : bytes.subarray(0, bytes.length - (bytes.length % 2)));
  // The last row of a sample is not complete; when it is the only one, it has to do.
  if (isWhole || rows.length === 0) splitter.end();
  return { separator, rows, isQuoted, fit: fitOf(rows) };
}

function isBetter({ fit: a }: Sample, { fit: b }: Sample): boolean {
  if (a.rowsWithAddress !== b.rowsWithAddress) return a.rowsWithAddress > b.rowsWithAddress;
  if (a.mixedCells !== b.mixedCells) return a.mixedCells < b.mixedCells;
  return a.evenRows > b.evenRows;
}

function fitOf(rows: Sample['rows']): Fit {
  let rowsWithAddress = 0;
  let mixedCells = 0;
  const widths = new Map<number, number>();
  for (const row of rows) {
    let hasAddress = false;
    for (const cell of row) {
      if (!cell.includes('@')) continue;
      if (looksLikeAddress(cell)) hasAddress = true;
      else mixedCells += 1;
    }
    if (hasAddress) rowsWithAddress += 1;
    if (row.length > 1) widths.set(row.length, (widths.get(row.length) ?? 0) + 1);
  }
  return { rowsWithAddress, mixedCells, evenRows: Math.max(0, ...widths.values()) };
}
