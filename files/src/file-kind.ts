// What a file is that is no table, by its first bytes: people export, or pick, the wrong one.
// Promise: only what no table begins with, in whatever encoding; the file's name is not asked.

import type { ForeignFormat } from './file-error.ts';
import type { ForeignFile } from './foreign-file.ts';
import { createDecoder, findEncoding, markLength } from './text/encoding.ts';
import { textKind } from './text-kind.ts';

/** `at`: the bytes that say it are not the first. */
const MAGICS: readonly (readonly [magic: string, format: ForeignFormat, name: string, at?: number])[] = [
  ['%PDF-', 'pdf', 'a PDF document'],
  ['{\\rtf', 'document', 'a text document (RTF)'],
  // Excel 2 to 4: no container around it.
  ['\x09\x00\x04\x00', 'old_workbook', 'an old Excel workbook (.xls)'],
  ['\x09\x02\x06\x00', 'old_workbook', 'an old Excel workbook (.xls)'],
  ['\x09\x04\x06\x00', 'old_workbook', 'an old Excel workbook (.xls)'],
  ['!BDN', 'mail', 'an Outlook data file'],
  ['\x89PNG', 'picture', 'a picture (PNG)'],
  ['\xff\xd8\xff', 'picture', 'a picture (JPEG)'],
  ['GIF8', 'picture', 'a picture (GIF)'],
  ['II*\0', 'picture', 'a picture (TIFF)'],
  ['MM\0*', 'picture', 'a picture (TIFF)'],
  ['WEBPVP8', 'picture', 'a picture (WebP)', 8],
  ['ftyphei', 'picture', 'a picture (HEIC)', 4],
  ['ftypmif1', 'picture', 'a picture (HEIC)', 4],
  ['PK\x05\x06', 'archive', 'an empty archive (ZIP)'],
  ['\x1f\x8b', 'archive', 'a compressed file (gzip)'],
  ['BZh91AY&SY', 'archive', 'a compressed file (bzip2)'],
  ['\xfd7zXZ\0', 'archive', 'a compressed file (xz)'],
  ['\x28\xb5\x2f\xfd', 'archive', 'a compressed file (zstd)'],
  ['7z\xbc\xaf', 'archive', 'a compressed file (7z)'],
  ['Rar!\x1a', 'archive', 'a compressed file (RAR)'],
  ['ustar', 'archive', 'an archive (tar)', 257],
  ['Standard Jet DB', 'unsupported', 'a database (Access)', 4],
  ['Standard ACE DB', 'unsupported', 'a database (Access)', 4],
  ['SQLite format 3\0', 'unsupported', 'a database (SQLite)'],
  ['PAR1', 'unsupported', 'a data file (Parquet)'],
  ['bplist00', 'unsupported', 'a property list'],
  ['ftyp', 'unsupported', 'a video', 4],
  ['\x7fELF', 'unsupported', 'a program'],
  ['MZ\x90\x00', 'unsupported', 'a program'],
];

/** `sample`: the first bytes of the file. Null: it may be a table, a workbook, or a compound file. */
export function fileKind(sample: Uint8Array, isWhole: boolean): ForeignFile | null {
  const found = MAGICS.find(([magic, , , at = 0]) => isAt(sample, magic, at));
  if (found !== undefined) return { format: found[1], name: found[2] };
  const encoding = findEncoding(sample, isWhole);
  return textKind(createDecoder(encoding)(sample.subarray(markLength(sample, encoding))), isWhole);
}

export function isAt(bytes: Uint8Array, magic: string, at = 0): boolean {
  for (let each = 0; each < magic.length; each += 1)
    if (bytes[at + each] !== magic.charCodeAt(each)) return false;
  return true;
}
