// Pages of a list's rows, and which of them can have changed since they were read. Pure.
// Promise: a page is read again only if something was checked since and something of it was not; what stayed the same is
// the same object, so that nothing is drawn anew.
import type { ListSummary, ResultRow } from '@mxproof/client';
import { type Occurrences, occurrencesIn, uncheckedIn } from './row-filter.ts';

/** As many as the service gives at once. */
export const PAGE_ROWS = 10_000;

export interface ShownRow extends ResultRow {
  /** The address whose answer it is, where another one was meant. */
  readonly checked_as?: string | null;
}

export interface PlacedRow {
  /** Where its evidence is. */
  readonly listId: number;
  readonly position: number;
  readonly row: ShownRow;
}

export interface RowPage {
  readonly listId: number;
  readonly rows: readonly PlacedRow[];
  readonly occurrences: Occurrences;
  /** How many of its list were checked before it was asked for. */
  readonly checkedBefore: number;
  /** Its list had ended before it was asked for. */
  readonly isLast: boolean;
}

export interface PagePlace {
  readonly list: ListSummary;
  readonly offset: number;
}

export function placesOf(parts: readonly ListSummary[]): readonly PagePlace[] {
  return parts.flatMap((list) =>
    Array.from({ length: Math.ceil(list.total / PAGE_ROWS) }, (_, page) => ({
      list,
      offset: page * PAGE_ROWS,
    })),
  );
}

/** `before`: the page as it was read the last time. */
export function pageOf(
  { list, offset }: PagePlace,
  results: readonly ResultRow[],
  before?: RowPage,
): RowPage {
  const rows = results.map((row, at): PlacedRow => {
    const known = before?.rows[at];
    // A result does not change.
    return known && known.row.state !== 'pending' ? known : { listId: list.id, position: offset + at, row };
  });
  return {
    listId: list.id,
    rows,
    occurrences: occurrencesIn(rows),
    checkedBefore: list.checked,
    isLast: list.finished_at !== null,
  };
}

/** Nothing of it changes any more. */
export function isSettled({ isLast, occurrences }: RowPage): boolean {
  return isLast || uncheckedIn(occurrences) === 0;
}

function mayHaveChanged(page: RowPage, { list }: PagePlace): boolean {
  return !isSettled(page) && (list.finished_at !== null || list.checked > page.checkedBefore);
}

/** The next one to read again, in turn after the last one that was; null: none can have changed. */
export function nextToRead(
  pages: readonly RowPage[],
  places: readonly PagePlace[],
  last: number,
): number | null {
  for (let step = 1; step <= pages.length; step += 1) {
    const at = (last + step) % pages.length;
    const place = places[at];
    if (place && mayHaveChanged(pages[at]!, place)) return at;
  }
  return null;
}
