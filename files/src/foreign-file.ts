// A file that is no table: what it is, and what its owner can do. Promise: every format has a sentence of its own.

import { FileError, type ForeignFormat } from './file-error.ts';

export interface ForeignFile {
  readonly format: ForeignFormat;
  /** For a sentence: `a PDF document`. */
  readonly name: string;
}

const ADVICE: Readonly<Record<ForeignFormat, string>> = {
  pdf: 'export the table that it was made from as CSV or .xlsx, or copy its addresses into a text file',
  address_book: 'export the contacts as CSV from the address book',
  json: 'export the data as CSV, or save its addresses in a text file, one per line',
  old_workbook: 'open it in a spreadsheet program and save it as .xlsx or CSV',
  password: 'open it with its password and save it without one',
  binary_workbook: 'open it in Excel and save it as .xlsx or CSV',
  xml_workbook: 'open it in a spreadsheet program and save it as .xlsx or CSV',
  open_document: 'open it in LibreOffice and save it as .xlsx or CSV',
  apple_document: 'open it in Numbers and choose File, Export To, CSV or Excel',
  web_page: 'open it in a spreadsheet program and save it as .xlsx or CSV',
  document: 'copy its addresses into a sheet, or into a text file, one per line',
  mail: 'export the addresses as CSV from the mail program',
  picture: 'choose the table itself, as CSV or .xlsx',
  archive: 'unpack it and choose the file in it',
  unsupported: 'export the addresses as CSV or .xlsx',
};

export function refusalOf({ format, name }: ForeignFile): FileError {
  return new FileError(format, `This is ${name}, not a table that can be read: ${ADVICE[format]}.`);
}
