// Every row of a list, with the answers that came later in the place of what was unknown or misspelt.
import type { ListSummary } from '@mxproof/client';
import { useMemo } from 'react';
import { misspellingsIn, misspeltIn } from './corrections.ts';
import { answered, corrected } from './later-answers.ts';
import { choicesIn, occurrencesIn } from './row-filter.ts';
import { useCorrections } from './use-corrections.ts';
import { isFinished } from './use-list.ts';
import { useRetries } from './use-retries.ts';
import { type PlacedRow, useRows } from './use-rows.ts';

export function useAnsweredRows(parts: readonly ListSummary[]) {
  const made = useCorrections(parts);
  const ended = made.lists.filter(isFinished);
  // What was meant may stay unknown as well.
  const asked = useRetries([...parts, ...ended]);
  const { retries } = asked;
  const own = useRows(parts);
  const later = useRows(retries);
  const meant = useRows(made.lists);
  const { rows, changes, ...found } = useMemo(() => {
    const again = answered(own.rows, later.rows);
    const checked = answered(meant.rows, later.rows);
    const mended = corrected(again.rows, checked.rows);
    return {
      rows: mended.rows,
      changes: [...again.changes, ...mended.changes],
      answers: again.changes.length + checked.changes.length,
      mended: mended.changes,
    };
  }, [own.rows, later.rows, meant.rows]);
  // Answers of a later list that runs are complete as far as they are there.
  const areLaterRead = asked.isKnown && (later.isComplete || !retries.every(isFinished));
  const areMeantRead = made.isKnown && (meant.isComplete || ended.length < made.lists.length);
  const isComplete = own.isComplete && areLaterRead && areMeantRead;
  // Those that were erased since are in the counts of a list, and not checked again.
  const unknown = useMemo(
    () => unknownIn([own.rows, later.rows, meant.rows]),
    [own.rows, later.rows, meant.rows],
  );
  const left = asked.left.map((source) => ({ ...source, unknown: unknown.get(source.last.id) ?? 0 }));
  const choices = useMemo(
    () => (changes.length > 0 ? choicesIn([occurrencesIn(rows)]) : own.choices),
    [changes, rows, own.choices],
  );
  const misspelt = useMemo(() => (own.isComplete ? misspeltIn(own.rows) : []), [own.isComplete, own.rows]);
  const misspellings = useMemo(() => {
    const checked = meant.rows.filter(({ row }) => row.state !== 'pending');
    return misspellingsIn(misspelt, new Set(checked.map(({ row }) => row.email)));
  }, [misspelt, meant.rows]);
  return {
    rows,
    /** In the numbers of the list itself. */
    changes,
    choices,
    retries,
    /** How many retries brought. */
    answers: found.answers,
    /** What can be checked again now. */
    left: isComplete ? left.filter((source) => source.unknown > 0) : [],
    corrections: made.lists,
    /** What corrections brought. */
    mended: found.mended,
    misspelt,
    /** Those that can be corrected now. */
    misspellings: isComplete && ended.length === made.lists.length ? misspellings : [],
    /** All of them, of a list that runs as they were a moment ago. */
    isRead: own.isRead,
    /** As the list ended. */
    hasEnded: own.isComplete,
    /** With the answers that came later. */
    isComplete,
    error: own.error ?? made.error ?? asked.error ?? later.error ?? meant.error,
    readAgain() {
      for (const each of [own, later, meant]) if (each.error) each.readAgain();
      made.askAgain();
      asked.askAgain();
    },
  };
}

/** How many of each list the service would check again. */
function unknownIn(lists: readonly (readonly PlacedRow[])[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { listId, row } of lists.flat())
    if (row.state === 'unknown' && row.email !== '') counts.set(listId, (counts.get(listId) ?? 0) + 1);
  return counts;
}
