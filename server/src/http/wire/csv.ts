// RFC 4180. Values are exact: nothing is prepended to a value that a spreadsheet might take for a formula.
const NEEDS_QUOTES = /[",\r\n]/;

export function csvField(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
