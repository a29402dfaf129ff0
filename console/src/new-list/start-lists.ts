// Submits the addresses of a file: one list, or several that are shown as one. Promise: nothing is charged twice, however
// often it is begun; what is charged is what was shown.
import type { ListSummary } from '@mxproof/client';
import type { LayoutOptions } from '@mxproof/files/open-table';
import type { FileReading } from './read.worker.ts';

/** The service's bound of a name. */
export const MAX_NAME_CHARACTERS = 200;

export interface ListsToStart {
  readonly name: string;
  readonly reading: FileReading;
  readonly submit: (part: Part) => Promise<ListSummary>;
  readonly keyFor: (what: string) => Promise<string>;
}

/** One list of the file. */
export interface Part {
  readonly at: number;
  readonly name: string;
  /** Undefined: it is the only one. */
  readonly group: string | undefined;
  readonly idempotencyKey: string;
}

/** In the order of the file's addresses. */
export async function startLists(wanted: ListsToStart): Promise<readonly ListSummary[]> {
  const { name, reading } = wanted;
  const key = await wanted.keyFor(submissionId(reading, name));
  const lists: ListSummary[] = [];
  const parts = reading.parts.length;
  const group = parts > 1 ? `page-${key}` : undefined;
  for (let at = 0; at < parts; at += 1)
    lists.push(
      await wanted.submit({
        at,
        name: partName(name, at, parts),
        group,
        idempotencyKey: `page-${key}-${at}`,
      }),
    );
  return lists;
}

/** Identifies a submission: the file, how it is read, the name, and whether everything in it is sent. */
export function submissionId(reading: FileReading, name: string): string {
  const wish = [reading.mark, layoutOf(reading), name];
  return JSON.stringify(reading.sendsInvalid ? [...wish, 'sends invalid'] : wish);
}

/** How the file is read again as it was read now. */
export function layoutOf({
  layout: { columns, headings, encoding, separator, sheet },
}: FileReading): LayoutOptions {
  return {
    columns,
    hasHeader: headings !== null,
    ...(encoding !== undefined && { encoding }),
    ...(separator !== undefined && { separator }),
    ...(sheet !== undefined && { sheet }),
  };
}

export function partName(name: string, at: number, parts: number): string {
  if (parts === 1) return name;
  const tail = ` (${at + 1} of ${parts})`;
  return name.slice(0, MAX_NAME_CHARACTERS - tail.length) + tail;
}
