// The first rows of a sheet that have something in them. Promise: read up to these rows, or these bytes, and no further.

import { HEAD_ROWS } from '../table.ts';
import { SheetReader } from './sheet-reader.ts';
import type { NumberView } from './styles.ts';
import type { Sheet } from './workbook.ts';
import type { Zip } from './zip.ts';

/** A million rows of twenty cells. Read in passing: it is a bound of time, not of memory. */
export const MAX_SHEET_BYTES = 2 * 1_024 * 1_024 * 1_024;

/** What the cells say, by column from 0. */
export type SheetSample = readonly ReadonlyMap<number, string>[];

export interface SampleBounds {
  readonly rows: number;
  /** Unpacked; all of them where it is not given. */
  readonly bytes?: number;
  /** For the rows that are shown to people. */
  readonly showNumber?: NumberView;
}

export async function readSample(
  zip: Zip,
  sheet: Sheet,
  strings: readonly string[],
  { rows: maxRows, bytes: maxBytes = MAX_SHEET_BYTES, showNumber }: SampleBounds,
): Promise<SheetSample> {
  const rows: ReadonlyMap<number, string>[] = [];
  const reader = new SheetReader(strings, {
    onRow({ cells }) {
      if (rows.length < maxRows && cells.size > 0) rows.push(cells);
    },
    ...(showNumber && {
      showNumber: (text, style) => (rows.length < HEAD_ROWS ? showNumber(text, style) : text),
    }),
  });
  let length = 0;
  for await (const chunk of zip.read(sheet.path, MAX_SHEET_BYTES)) {
    reader.push(chunk);
    length += chunk.length;
    if (rows.length === maxRows || length >= maxBytes) break;
  }
  return rows;
}
