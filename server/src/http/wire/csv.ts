// RFC 4180. Values exact: nothing is put before a value a spreadsheet might take for a formula.
const NEEDS_QUOTES = /[",\r\n]/;

export function csvField(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
