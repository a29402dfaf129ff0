// What an archive is that is no workbook we read: other spreadsheets, documents, or plain files packed together.

import type { ForeignFile } from '../foreign-file.ts';
import type { Zip } from './zip.ts';

/** OpenDocument and e-books say it in a part that holds nothing else. */
const MIMETYPE = 'mimetype';
const MAX_MIMETYPE_BYTES = 1_024 * 1_024;

/** `main`: the part that the archive names as its document; null without one. */
export async function zipKind(zip: Zip, main: string | null): Promise<ForeignFile> {
  if (main?.endsWith('.bin')) return { format: 'binary_workbook', name: 'a binary Excel workbook (.xlsb)' };
  if (main?.startsWith('word/')) return { format: 'document', name: 'a Word document (.docx)' };
  if (main?.startsWith('ppt/')) return { format: 'document', name: 'a presentation (.pptx)' };
  if (main !== null) return { format: 'unsupported', name: 'an Office file without a sheet of cells' };
  if (zip.names().some((name) => name.endsWith('.iwa')))
    return { format: 'apple_document', name: 'a document of Numbers, Pages or Keynote' };
  const type = zip.has(MIMETYPE) ? await mimetypeOf(zip) : '';
  if (type.startsWith('application/vnd.oasis.opendocument.spreadsheet'))
    return { format: 'open_document', name: 'an OpenDocument spreadsheet (.ods)' };
  if (type !== '') return { format: 'document', name: 'a text document or a presentation' };
  return { format: 'archive', name: 'an archive (ZIP)' };
}

/** It is short: more than the first piece of it says nothing more. */
async function mimetypeOf(zip: Zip): Promise<string> {
  for await (const chunk of zip.read(MIMETYPE, MAX_MIMETYPE_BYTES)) return new TextDecoder().decode(chunk);
  return '';
}
