// Every row of a finished list, with the answers that came later in the place of what was unknown.
import type { ListSummary } from '@mxproof/client';
import { useMemo } from 'react';
import { answered } from './retry-answers.ts';
import { choicesIn, occurrencesIn } from './row-filter.ts';
import { isFinished } from './use-list.ts';
import { useRetries } from './use-retries.ts';
import { useRows } from './use-rows.ts';

/** More of each row than the table shows: for exports, and for the numbers of the list, which are by detail too. */
const INCLUDED = ['detail', 'suggestion'] as const;

export function useAnsweredRows(parts: readonly ListSummary[]) {
  const { retries, left, isKnown, ...asked } = useRetries(parts);
  const own = useRows(parts, INCLUDED);
  const later = useRows(retries.filter(isFinished), INCLUDED);
  const { rows, changes } = useMemo(() => answered(own.rows, later.rows), [own.rows, later.rows]);
  const isComplete = own.isComplete && isKnown && later.isComplete;
  const choices = useMemo(
    () => (isComplete && changes.length > 0 ? choicesIn([occurrencesIn(rows)]) : own.choices),
    [isComplete, changes, rows, own.choices],
  );
  return {
    rows,
    /** In the numbers of the list itself. */
    changes,
    choices,
    retries,
    left,
    isComplete,
    error: own.error ?? asked.error ?? later.error,
    readAgain() {
      if (own.error) own.readAgain();
      if (later.error) later.readAgain();
      asked.askAgain();
    },
  };
}
