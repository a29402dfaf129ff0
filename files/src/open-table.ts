// Opens a person's file: a workbook, or text of any dialect. Promise: the file's name decides nothing, its bytes do.

import { COMPOUND, compoundKind } from './compound-file.ts';
import { fileKind, isAt } from './file-kind.ts';
import { refusalOf } from './foreign-file.ts';
import { readAll } from './read-all.ts';
import type { LayoutOptions, Source, Table } from './table.ts';
import { findDialect, SAMPLE_BYTES } from './text/dialect.ts';
import { TextTable } from './text/text-table.ts';
import { openWorkbook } from './xlsx/open-workbook.ts';

export { FileError, type FileFault } from './file-error.ts';
export type {
  Found,
  Layout,
  LayoutOptions,
  RowChanges,
  RowChoice,
  Source,
  Survey,
  Table,
} from './table.ts';

const ZIP = 'PK\x03\x04';
/** Held in memory to tell what it is; a larger one is an old workbook or one with a password, most likely. */
const MAX_COMPOUND_BYTES = 256 * 1_024 * 1_024;

export async function openTable(source: Source, named: LayoutOptions = {}): Promise<Table> {
  const { sample, isWhole } = await readSample(source);
  if (isAt(sample, ZIP)) return openWorkbook(source, named);
  if (isAt(sample, COMPOUND)) {
    const bytes = await readAll(source, MAX_COMPOUND_BYTES);
    throw refusalOf(
      bytes === null ? { format: 'old_workbook', name: 'an old Office file' } : compoundKind(bytes),
    );
  }
  const foreign = fileKind(sample, isWhole);
  if (foreign !== null) throw refusalOf(foreign);
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
