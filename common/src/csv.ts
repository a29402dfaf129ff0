// Writes a cell of CSV (RFC 4180). Promise: any reader of CSV gets the text back; with formulas `defused`, no spreadsheet
// runs it.

/**
 * What becomes of a text that a spreadsheet would run as a formula, such as `=HYPERLINK(…)` or `-1+1`.
 * `exact`: it stays as it is. For answers of the API: programs read them, and get every value as it was sent.
 * `defused`: it gets a `'` in front. For files that people open: addresses and host names come from outside.
 */
export type Formulas = 'exact' | 'defused';

export interface CsvDialect {
  readonly separator: string;
  /** Every cell that is not empty stands in quotes. */
  readonly isQuoted: boolean;
}

const COMMAS: CsvDialect = { separator: ',', isQuoted: false };

export function csvCell(text: string, formulas: Formulas, { separator, isQuoted } = COMMAS): string {
  const cell = formulas === 'defused' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  const needsQuotes = /["\r\n]/.test(cell) || cell.includes(separator) || (isQuoted && cell !== '');
  return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** The byte-order mark: Excel takes a CSV without one for text of another encoding, and shows `MÃ¼ller`. */
export const MARK = '\ufeff';

/** Plain ASCII is the same in every encoding. */
export function needsMark(text: string): boolean {
  return /[^\u0000-\u007f]/.test(text);
}
