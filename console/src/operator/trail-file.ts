// The trail as a file, one JSON object a line. Promise: a page holds a bounded part of it; what was cut off is told.
import type { AdminAuditEntry } from '@mxproof/client/admin';

/** Some hundred megabytes. */
const MAX_ENTRIES = 200_000;

export interface TrailFile {
  readonly file: Blob;
  readonly entries: number;
  readonly isCut: boolean;
}

export async function trailFile(
  trail: AsyncIterable<AdminAuditEntry>,
  maxEntries = MAX_ENTRIES,
): Promise<TrailFile> {
  const lines: string[] = [];
  let isCut = false;
  for await (const entry of trail) {
    isCut = lines.length === maxEntries;
    if (isCut) break;
    lines.push(`${JSON.stringify(entry)}\n`);
  }
  return { file: new Blob(lines, { type: 'application/x-ndjson' }), entries: lines.length, isCut };
}
