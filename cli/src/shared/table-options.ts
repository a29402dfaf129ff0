// How a person's table is read: what is not named is detected.

import { ENCODINGS, type Encoding } from '@mxproof/files/encoding';
import { FileError, type LayoutOptions } from '@mxproof/files/open-table';
import { OperatorError } from '@mxproof/server/operator-error';
import { choice, type OptionSpec } from './command-spec.ts';
import { readSeparator } from './values.ts';

export const TABLE_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--column <column>',
    about: 'heading of the e-mail column, or its number from 1 (default: detected)',
  },
  {
    flags: '--separator <separator>',
    about: 'comma, semicolon, tab, pipe, or a character (default: detected)',
    read: readSeparator,
  },
  choice('--encoding <encoding>', `${ENCODINGS.join(', ')} (default: detected)`, ENCODINGS),
  choice('--header <answer>', 'yes or no: whether the first row is a header (default: detected)', [
    'yes',
    'no',
  ]),
  { flags: '--sheet <name>', about: 'sheet of a workbook (default: the first with addresses)' },
];

export interface TableOptions {
  readonly column?: string;
  readonly separator?: string;
  readonly encoding?: Encoding;
  readonly header?: 'yes' | 'no';
  readonly sheet?: string;
}

export function layoutOf({ column, separator, encoding, header, sheet }: TableOptions): LayoutOptions {
  return {
    ...(column !== undefined && { column }),
    ...(separator !== undefined && { separator }),
    ...(encoding !== undefined && { encoding }),
    ...(header !== undefined && { hasHeader: header === 'yes' }),
    ...(sheet !== undefined && { sheet }),
  };
}

export function asOperatorError(error: unknown, file: string): unknown {
  if (!(error instanceof FileError)) return error;
  if (error.kind === 'no_column')
    return new OperatorError(
      `${file}: ${error.message} Name the column with --column, by its heading or its number.`,
    );
  return new OperatorError(`${file}: ${error.message}`);
}
