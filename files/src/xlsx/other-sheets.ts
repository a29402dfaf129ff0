// The sheets of a workbook that have addresses too, though they are not the one that is read: people forget them.
// Promise: so many sheets, so many rows and bytes of each; one that cannot be read is left out.

import { FileError } from '../file-error.ts';
import { looksLikeAddress } from '../find-address.ts';
import { readSample } from './sheet-sample.ts';
import type { Sheet } from './workbook.ts';
import type { Zip } from './zip.ts';

const MAX_SHEETS_LOOKED_AT = 20;
const LOOKED_AT_ROWS = 100;
const LOOKED_AT_BYTES = 1_024 * 1_024;

/** Their names, in their order. */
export async function sheetsWithAddresses(
  zip: Zip,
  sheets: readonly Sheet[],
  strings: readonly string[],
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const sheet of sheets.slice(0, MAX_SHEETS_LOOKED_AT))
    if (await hasAddress(zip, sheet, strings)) names.push(sheet.name);
  return names;
}

async function hasAddress(zip: Zip, sheet: Sheet, strings: readonly string[]): Promise<boolean> {
  try {
    const rows = await readSample(zip, sheet, strings, { rows: LOOKED_AT_ROWS, bytes: LOOKED_AT_BYTES });
    return rows.some((row) => [...row.values()].some(looksLikeAddress));
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}
