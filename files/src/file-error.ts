// A file that cannot be read or given back as it is. Promise: `message` is one sentence that says what to do.

export type FileFault =
  | 'empty'
  | 'no_column'
  | 'no_such_column'
  | 'no_such_sheet'
  | 'row_too_long'
  | 'too_many_columns'
  | 'too_many_addresses'
  | 'cut_off'
  | 'damaged'
  | 'too_large'
  | 'unsupported';

export class FileError extends Error {
  override readonly name = 'FileError';
  readonly kind: FileFault;

  constructor(kind: FileFault, sentence: string) {
    super(sentence);
    this.kind = kind;
  }
}
