// Every row of a list, with the results that came later in the place of what was unknown, never checked or misspelt; and its
// numbers, counted from them.
import type { ListSummary } from '@mxproof/client';
import { useMemo } from 'react';
import { misspellingsIn, misspeltIn } from './corrections.ts';
import { figuresIn } from './figures.ts';
import { answered, corrected } from './later-answers.ts';
import { choicesIn, occurrencesIn } from './row-filter.ts';
import { useCorrections } from './use-corrections.ts';
import { useExtras } from './use-extras.ts';
import { isFinished } from './use-list.ts';
import { useRetries } from './use-retries.ts';
import { type PlacedRow, useRows } from './use-rows.ts';

export function useAnsweredRows(parts: readonly ListSummary[]) {
  const made = useCorrections(parts);
  const ended = made.lists.filter(isFinished);
  // What was meant may stay unknown as well.
  const asked = useRetries([...parts, ...ended]);
  const { retries } = asked;
  const extras = useExtras();
  const own = useRows(parts, extras);
  const later = useRows(retries, extras);
  const meant = useRows(made.lists, extras);
  const found = useMemo(() => {
    const again = answered(own.rows, later.rows);
    const checked = answered(meant.rows, later.rows);
    const mended = corrected(again.rows, checked.rows);
    const isSame = mended.rows === own.rows;
    const occurrences = isSame ? own.occurrences : [occurrencesIn(mended.rows)];
    return {
      rows: mended.rows,
      choices: choicesIn(occurrences),
      /** Of the list itself, without what came later. */
      ownFigures: figuresIn(own.occurrences),
      figures: figuresIn(occurrences),
      /** How many answers retries brought. */
      answers: [...again.answers, ...checked.answers].filter(({ state }) => state !== 'unknown').length,
      /** What corrections brought. */
      mended: mended.answers,
      /** How many of each list can be checked again, once it may. */
      open: openIn([own.rows, meant.rows], [again.rows, checked.rows]),
      /** Of each retry and correction. */
      laterChecked: checkedIn([...later.rows, ...meant.rows]),
    };
  }, [own.rows, own.occurrences, later.rows, meant.rows]);
  // Answers of a later list that runs are complete as far as they are there.
  const areLaterRead = asked.isKnown && (later.isComplete || !retries.every(isFinished));
  const areMeantRead = made.isKnown && (meant.isComplete || ended.length < made.lists.length);
  const isComplete = own.isComplete && areLaterRead && areMeantRead;
  const misspelt = useMemo(() => (own.isComplete ? misspeltIn(own.rows) : []), [own.isComplete, own.rows]);
  const misspellings = useMemo(() => {
    const checked = meant.rows.filter(({ row }) => row.state !== 'pending');
    return misspellingsIn(misspelt, new Set(checked.map(({ row }) => row.email)));
  }, [misspelt, meant.rows]);
  return {
    found,
    retries,
    /** What may be checked again now. */
    retriable: isComplete && !asked.isRunning ? asked.tried : [],
    corrections: made.lists,
    misspelt,
    /** Those that can be corrected now. */
    misspellings: isComplete && ended.length === made.lists.length ? misspellings : [],
    /** All of them, of a list that runs as they were a moment ago. */
    isRead: own.isRead,
    /** As the list ended. */
    hasEnded: own.isComplete,
    /** With the answers that came later. */
    isComplete,
    /** Nothing was made of it later. */
    isAlone: made.isKnown && asked.isKnown && made.lists.length + retries.length === 0,
    error: own.error ?? made.error ?? asked.error ?? later.error ?? meant.error,
    readAgain() {
      for (const each of [own, later, meant]) if (each.error) each.readAgain();
      made.askAgain();
      asked.askAgain();
    },
  };
}

/** How many of each list. */
function checkedIn(rows: readonly PlacedRow[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { listId, row } of rows)
    if (row.state !== 'pending') counts.set(listId, (counts.get(listId) ?? 0) + 1);
  return counts;
}

/** How many addresses of each list the service would check again: as in `shown`, the same rows with what came later. */
function openIn(
  lists: readonly (readonly PlacedRow[])[],
  shown: readonly (readonly PlacedRow[])[],
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const [nth, rows] of lists.entries())
    for (const [at, { listId }] of rows.entries()) {
      const { state, email } = shown[nth]![at]!.row;
      // What was erased is not checked again.
      if ((state === 'unknown' || state === 'pending') && email !== '')
        counts.set(listId, (counts.get(listId) ?? 0) + 1);
    }
  return counts;
}
