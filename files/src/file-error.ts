// A file that cannot be read or given back as it is. Promise: `message` is one sentence that says what to do.

export type FileFault =
  | 'empty'
  | 'no_column'
  | 'no_such_column'
  | 'no_such_sheet'
  | 'row_too_long'
  | 'too_many_rows'
  | 'too_many_columns'
  | 'too_many_addresses'
  | 'cut_off'
  | 'damaged'
  | 'too_large'
  | ForeignFormat;

/** What is no table that we read; each has a sentence of its own. */
export type ForeignFormat =
  | 'pdf'
  | 'address_book'
  | 'json'
  | 'old_workbook'
  | 'password'
  | 'binary_workbook'
  | 'xml_workbook'
  | 'open_document'
  | 'apple_document'
  | 'web_page'
  | 'document'
  | 'mail'
  | 'picture'
  | 'archive'
  | 'unsupported';

export class FileError extends Error {
  override readonly name = 'FileError';
  readonly kind: FileFault;

  constructor(kind: FileFault, sentence: string) {
    super(sentence);
    this.kind = kind;
  }
}

const MAX_SHOWN_CHARACTERS = 80;

/** A name from a file or a command line, as a part of a sentence. */
export function shown(name: string, maxCharacters = MAX_SHOWN_CHARACTERS): string {
  const isCut = name.length > maxCharacters;
  const text = name.slice(0, maxCharacters).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ');
  return isCut ? `${text}…` : text;
}
