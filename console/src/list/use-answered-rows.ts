// Every row of a list, with the answers that came later in the place of what was unknown.
import type { ListSummary } from '@mxproof/client';
import { useMemo } from 'react';
import { answered } from './retry-answers.ts';
import { choicesIn, occurrencesIn } from './row-filter.ts';
import { isFinished } from './use-list.ts';
import { useRetries } from './use-retries.ts';
import { useRows } from './use-rows.ts';

export function useAnsweredRows(parts: readonly ListSummary[]) {
  const { retries, left, isKnown, ...asked } = useRetries(parts);
  const own = useRows(parts);
  const later = useRows(retries);
  const { rows, changes } = useMemo(() => answered(own.rows, later.rows), [own.rows, later.rows]);
  // Answers of a retry that runs are complete as far as they are there.
  const isLaterRead = isKnown && (later.isComplete || !retries.every(isFinished));
  const choices = useMemo(
    () => (changes.length > 0 ? choicesIn([occurrencesIn(rows)]) : own.choices),
    [changes, rows, own.choices],
  );
  return {
    rows,
    /** In the numbers of the list itself. */
    changes,
    choices,
    retries,
    left,
    /** All of them, of a list that runs as they were a moment ago. */
    isRead: own.isRead,
    /** As the list ended. */
    hasEnded: own.isComplete,
    /** With the answers that came later. */
    isComplete: own.isComplete && isLaterRead,
    error: own.error ?? asked.error ?? later.error,
    readAgain() {
      if (own.error) own.readAgain();
      if (later.error) later.readAgain();
      asked.askAgain();
    },
  };
}
