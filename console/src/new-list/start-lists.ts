// Submits the addresses of a file: one list, or several that are shown as one. Promise: nothing is charged twice, however
// often it is begun; what is charged is what was shown.
import type { ListSummary, NewList } from '@mxproof/client';
import type { LayoutOptions } from '@mxproof/files/open-table';
import { type AddressRange, type LeftOut, leftOutIn, NONE_LEFT_OUT } from './left-out.ts';
import type { FileReading } from './read.worker.ts';

/** The service's bound of a name. */
export const MAX_NAME_CHARACTERS = 200;

export interface ListsToStart {
  readonly name: string;
  /** Of the file. */
  readonly fileName: string;
  readonly reading: FileReading;
  /** Only these; all of them unless told. */
  readonly range?: AddressRange;
  /** Of the whole file. */
  readonly leftOut?: LeftOut;
  /** Of lists that these belong to. */
  readonly group?: string | undefined;
  /** The member who starts it is mailed when it is done; unset: as they have chosen for all of their lists. */
  readonly mailWhenDone?: boolean | undefined;
  readonly submit: (part: Part) => Promise<ListSummary>;
  readonly keyFor: (what: string) => Promise<string>;
}

/** One list of the file. */
export interface Part {
  /** Which of the file's lists, and which of its addresses. */
  readonly at: number;
  readonly range: AddressRange;
  /** Of those, by their place in the list. */
  readonly leftOut: LeftOut;
  readonly name: string;
  /** Undefined: it is the only one. */
  readonly group: string | undefined;
  /** What the file holds, with the list of its first addresses: the others belong to the same file. */
  readonly file: NewList['file'];
  readonly mailWhenDone: boolean | undefined;
  readonly idempotencyKey: string;
}

export interface StartedLists {
  /** In the order of the file's addresses. */
  readonly lists: readonly ListSummary[];
  /** Undefined: there is one, and nothing left to be added to it. */
  readonly group: string | undefined;
}

export async function startLists(wanted: ListsToStart): Promise<StartedLists> {
  const { name, reading, range, leftOut } = wanted;
  const key = await wanted.keyFor(submissionId(reading, name, range, leftOut));
  const lists: ListSummary[] = [];
  const parts = partRanges(reading.parts, range, leftOut);
  const group = wanted.group ?? (parts.length > 1 || range ? `page-${key}` : undefined);
  for (const [number, part] of parts.entries())
    lists.push(
      await wanted.submit({
        ...part,
        name: partName(name, number, parts.length),
        group,
        mailWhenDone: wanted.mailWhenDone,
        file: number === 0 && (range?.from ?? 0) === 0 ? listFile(wanted) : undefined,
        idempotencyKey: `page-${key}-${part.at}`,
      }),
    );
  return { lists, group };
}

/** As it was reviewed, in numbers: nothing of what is in it. */
function listFile({ fileName, reading: { summary } }: ListsToStart): NonNullable<NewList['file']> {
  const { rows, addresses, leftOut: invalid, duplicates, corrected } = summary;
  return { name: fileName.slice(0, MAX_NAME_CHARACTERS), rows, addresses, invalid, duplicates, corrected };
}

/** The parts that a range touches, with what of each. A part of which everything is left out is none. */
export function partRanges(
  parts: FileReading['parts'],
  { from, count }: AddressRange = { from: 0, count: Number.POSITIVE_INFINITY },
  allLeftOut = NONE_LEFT_OUT,
): readonly Pick<Part, 'at' | 'range' | 'leftOut'>[] {
  let end = 0;
  return parts.flatMap((length, at) => {
    const start = end;
    end += length;
    const first = Math.max(0, from - start);
    const range = { from: first, count: Math.min(length, from + count - start) - first };
    const leftOut = leftOutIn(allLeftOut, { from: start + first, count: range.count });
    if (range.count <= leftOut.length) return [];
    return [{ at, range, leftOut: leftOut.map((place) => place - start) }];
  });
}

/**
 * Identifies a submission: the file, how it is read, the name, which of its addresses, in which spelling, whether invalid ones are
 * sent, and how many are left out.
 */
export function submissionId(
  reading: FileReading,
  name: string,
  range?: AddressRange,
  leftOut = NONE_LEFT_OUT,
): string {
  return JSON.stringify([
    ...[reading.mark, layoutOf(reading), name, ...(range ? [range.from, range.count] : [])],
    ...(reading.sendsInvalid ? ['sends invalid'] : []),
    ...(leftOut.length > 0 ? ['without', leftOut.length] : []),
    ...(reading.fixes.size > 0 ? [[...reading.fixes].sort()] : []),
  ]);
}

/** How the file is read again as it was read now. */
export function layoutOf({
  layout: { columns, headings, encoding, separator, sheet, alsoSheets },
}: FileReading): LayoutOptions {
  return {
    columns,
    hasHeader: headings !== null,
    ...(encoding !== undefined && { encoding }),
    ...(separator !== undefined && { separator }),
    ...(sheet !== undefined && { sheet }),
    ...(alsoSheets !== undefined && { alsoSheets }),
  };
}

export function partName(name: string, at: number, parts: number): string {
  return parts === 1 ? name : withTail(name, ` (${at + 1} of ${parts})`);
}

/** As much of the name as there is room for. */
export function withTail(name: string, tail: string): string {
  return name.slice(0, MAX_NAME_CHARACTERS - tail.length) + tail;
}
