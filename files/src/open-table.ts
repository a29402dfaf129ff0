// Opens a person's file: a workbook, or text of any dialect. Promise: the file's name decides nothing, its bytes do.

import { FileError } from './file-error.ts';
import { fileKind } from './file-kind.ts';
import type { LayoutOptions, Source, Table } from './table.ts';
import { findDialect, SAMPLE_BYTES } from './text/dialect.ts';
import { TextTable } from './text/text-table.ts';
import { openWorkbook } from './xlsx/open-workbook.ts';

export { FileError, type FileFault } from './file-error.ts';
export type { Layout, LayoutOptions, RowChoice, Source, Survey, Table } from './table.ts';

const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** The container of .xls, and of an .xlsx with a password. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0];

export async function openTable(source: Source, named: LayoutOptions = {}): Promise<Table> {
  const { sample, isWhole } = await readSample(source);
  if (startsWith(sample, COMPOUND))
    throw new FileError(
      'unsupported',
      'This is an old .xls file, or a workbook with a password: save it as .xlsx without a password.',
    );
  const kind = fileKind(sample);
  if (kind !== null)
    throw new FileError('unsupported', `This is ${kind}, not a table: save or export it as CSV or .xlsx.`);
  if (startsWith(sample, ZIP)) return openWorkbook(source, named);
  return new TextTable(source, findDialect(sample, isWhole, named));
}

async function readSample(source: Source): Promise<{ sample: Uint8Array; isWhole: boolean }> {
  const bytes = new Uint8Array(SAMPLE_BYTES);
  let length = 0;
  for await (const chunk of source.chunks()) {
    const taken = chunk.subarray(0, SAMPLE_BYTES - length);
    bytes.set(taken, length);
    length += taken.length;
    if (taken.length < chunk.length) return { sample: bytes, isWhole: false };
  }
  return { sample: bytes.subarray(0, length), isWhole: true };
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte);
}
