// What the review of a file knew, kept with its list: how its rows became the addresses that were checked. Pure.
import type { ListSummary } from '@mxproof/client';
import { formatCount } from '../design/format.ts';
import { listMessages } from '../messages/en-list.ts';
import { messages } from '../messages/messages.ts';

const text = listMessages.list;

export type SubmittedFile = NonNullable<ListSummary['file']>;

/** In one line, under the list's name. `file` null: it was submitted without. */
export function factsInWords(list: ListSummary, file: SubmittedFile | null): readonly string[] {
  const duplicates = file?.duplicates ?? list.duplicates_removed;
  return [
    messages.lists.addresses(list.total),
    ...(file ? [text.rowsOf(file.rows, file.name)] : []),
    ...(duplicates > 0 ? [text.duplicates(duplicates)] : []),
    ...(file && file.invalid > 0 ? [text.invalid(file.invalid)] : []),
    ...(file && file.corrected > 0 ? [text.corrected(file.corrected)] : []),
  ];
}

/** Each with its name, on the report. */
export function factsByName(list: ListSummary, file: SubmittedFile | null) {
  const { report } = listMessages;
  if (!file) return [[report.duplicates, formatCount(list.duplicates_removed)]] as const;
  return [
    [report.file, file.name],
    [report.rows, formatCount(file.rows)],
    [report.found, formatCount(file.addresses)],
    [report.duplicates, formatCount(file.duplicates)],
    [report.invalid, formatCount(file.invalid)],
    [report.corrected, formatCount(file.corrected)],
  ] as const;
}
