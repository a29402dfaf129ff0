// The trail as a file, one JSON object a line. Promise: a bounded part of it is held by the page; what was cut off ends behind a whole
// line, and it is told.

import type { Query } from './operator-api.ts';
import { send } from './operator-api.ts';

/** Some hundred thousand entries: a browser holds them, and a spreadsheet no longer opens them. */
const MAX_BYTES = 100_000_000;
const LIMIT_MS = 600_000;
const LINE_FEED = 10;

export interface SavedTrail {
  readonly entries: number;
  readonly isCut: boolean;
}

export async function saveTrail(query: Query): Promise<SavedTrail> {
  const answer = await send({
    path: '/admin/v1/audit',
    query: { ...query, format: 'ndjson' },
    limitMs: LIMIT_MS,
  });
  const { pieces, entries, isCut } = await wholeLines(answer.body!, MAX_BYTES);
  const { saveFile } = await import('../list/save-rows.ts');
  saveFile(new Blob(pieces, { type: 'application/x-ndjson' }), 'audit.ndjson');
  return { entries, isCut };
}

/** As many lines as have room. */
export async function wholeLines(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
): Promise<SavedTrail & { readonly pieces: Uint8Array<ArrayBuffer>[] }> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let entries = 0;
  let isCut = false;
  for await (const piece of body) {
    const fits = piece.subarray(0, maxBytes - bytes);
    isCut = fits.length < piece.length;
    pieces.push(fits);
    bytes += fits.length;
    entries += fits.reduce((count, byte) => count + Number(byte === LINE_FEED), 0);
    if (isCut) break;
  }
  return { pieces: isCut ? upToLastLine(pieces) : pieces, entries, isCut };
}

function upToLastLine(pieces: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer>[] {
  const at = pieces.findLastIndex((piece) => piece.includes(LINE_FEED));
  return pieces
    .slice(0, at + 1)
    .map((piece, place) => (place === at ? piece.subarray(0, piece.lastIndexOf(LINE_FEED) + 1) : piece));
}
