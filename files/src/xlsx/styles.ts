// Which styles of a workbook show a number as a date. Promise: they only change what is shown: a part that is missing,
// damaged or too large shows numbers as they are written.

import { FileError } from '../file-error.ts';
import { builtInFormat, type DateFormat, readFormat, showDate } from './date-format.ts';
import { scan, type Workbook } from './workbook.ts';
import { attributeOf } from './xml-scanner.ts';
import type { Zip } from './zip.ts';

const MAX_STYLES_BYTES = 16 * 1_024 * 1_024;
/** As many as a spreadsheet has. */
const MAX_CELL_STYLES = 65_536;
/** Spreadsheets have some hundreds. */
const MAX_OWN_FORMATS = 5_000;

export type NumberView = (text: string, style: number) => string;

export async function readNumberView(zip: Zip, { stylesPath, isFrom1904 }: Workbook): Promise<NumberView> {
  const formats = stylesPath !== null && zip.has(stylesPath) ? await readFormats(zip, stylesPath) : [];
  return (text, style) => {
    const format = formats[style] ?? null;
    return format === null ? text : showDate(text, format, isFrom1904);
  };
}

/** By style. */
async function readFormats(zip: Zip, path: string): Promise<readonly (DateFormat | null)[]> {
  const own = new Map<number, DateFormat | null>();
  const styles: number[] = [];
  let part = '';
  try {
    await scan(zip, path, MAX_STYLES_BYTES, {
      onTag(name, raw) {
        if (name === 'numFmts' || name === 'cellXfs') part = raw[1] === '/' || raw.endsWith('/>') ? '' : name;
        if (raw[1] === '/') return;
        if (part === 'numFmts' && name === 'numFmt' && own.size < MAX_OWN_FORMATS)
          own.set(Number(attributeOf(raw, 'numFmtId')), readFormat(attributeOf(raw, 'formatCode') ?? ''));
        if (part === 'cellXfs' && name === 'xf' && styles.length < MAX_CELL_STYLES)
          styles.push(Number(attributeOf(raw, 'numFmtId') ?? 0));
      },
    });
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
  return styles.map((id) => (own.has(id) ? own.get(id)! : builtInFormat(id)));
}
