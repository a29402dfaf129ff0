// What a file is that is no table, by its first bytes: people export, or pick, the wrong one.
// Promise: only what no text file begins with.

const KINDS: readonly (readonly [magic: string, kind: string])[] = [
  ['%PDF-', 'a PDF document'],
  ['{\\rtf', 'a text document (RTF)'],
  ['\x89PNG', 'a picture (PNG)'],
  ['\xff\xd8\xff', 'a picture (JPEG)'],
  ['GIF8', 'a picture (GIF)'],
  ['\x1f\x8b', 'a compressed file (gzip)'],
  ['7z\xbc\xaf', 'a compressed file (7z)'],
  ['Rar!', 'a compressed file (RAR)'],
  ['SQLite format 3\0', 'a database (SQLite)'],
  ['\x7fELF', 'a program'],
];

/** Null: it may be a table. */
export function fileKind(bytes: Uint8Array): string | null {
  const found = KINDS.find(([magic]) => [...magic].every((byte, at) => bytes[at] === byte.charCodeAt(0)));
  return found?.[1] ?? null;
}
