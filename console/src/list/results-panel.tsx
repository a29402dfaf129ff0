// The rows of a list, with what narrows them down and what takes those shown away as a file.
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { ToggleButton } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { formatCount, formatShare } from '../design/format.ts';
import { listMessages } from '../messages/en-list.ts';
import { OwnColumnsChoice } from './own-columns-choice.tsx';
import { ResultsFilters } from './results-filters.tsx';
import { ResultsTable } from './results-table.tsx';
import { RowEvidence } from './row-evidence.tsx';
import { type Choices, isFiltering, matching, NO_FILTER } from './row-filter.ts';
import { SaveShown } from './save-shown.tsx';
import type { RowOrder } from './sort-rows.ts';
import { useApiWords } from './use-api-words.ts';
import { useOwnColumns } from './use-own-columns.ts';
import type { useOwnFile } from './use-own-file.ts';
import type { PlacedRow } from './use-rows.ts';
import { useSortedRows } from './use-sorted-rows.ts';
import type { View } from './view.ts';

const text = listMessages.results;

export function ResultsPanel({
  name,
  listId,
  own,
  rows,
  choices,
  total,
  unchecked,
  isRead,
  hasEnded,
  view: { filter, order },
  onView,
  shownAt,
}: {
  readonly name: string;
  /** Any of those that were made of the file. */
  readonly listId: number;
  readonly own: ReturnType<typeof useOwnFile>;
  /** While the list runs, those that are checked. */
  readonly rows: readonly PlacedRow[];
  readonly choices: Choices;
  readonly total: number;
  /** While the list runs. */
  readonly unchecked: number;
  /** All that there are so far. */
  readonly isRead: boolean;
  /** These are all, as the list ended. */
  readonly hasEnded: boolean;
  readonly view: View;
  readonly onView: (view: View, isTyped?: boolean) => void;
  /** Grows with each action whose rows are asked for. */
  readonly shownAt: number;
}) {
  const [opened, setOpened] = useState<PlacedRow | null>(null);
  const [isInApiWords, setInApiWords] = useApiWords();
  const ownColumns = useOwnColumns(listId, text.own.column);
  const heading = useRef<HTMLHeadingElement>(null);
  // Chosen from above, the rows would change out of sight.
  useEffect(() => {
    if (shownAt === 0) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'start' });
  }, [shownAt]);
  // What is typed appears at once; the rows follow, drawn in steps between which the console stays responsive.
  const wanted = useDeferredValue(filter);
  // Sorted whole and then filtered: a letter more in the search does not sort again.
  const sorted = useSortedRows(rows, isRead ? order : null);
  const shown = useMemo(() => matching(sorted.rows, wanted), [sorted.rows, wanted]);
  // Rows that came while others are sorted are counted with the rest of the page.
  const found = useMemo(
    () => (sorted.rows.length === rows.length ? shown : matching(rows, wanted)).length,
    [sorted.rows, shown, rows, wanted],
  );
  const hasRisk = useMemo(() => rows.some(({ row }) => row.bounce_probability != null), [rows]);
  const isFiltered = isFiltering(filter);
  const foundText = () => {
    if (hasEnded) return isFiltered ? text.found(found, formatCount(total)) : text.all(total);
    return isFiltered ? text.foundSoFar(found, formatCount(rows.length)) : text.allSoFar(rows.length);
  };
  const setOrder = useCallback((order: RowOrder | null) => onView({ filter, order }), [filter, onView]);
  return (
    <section className="stack results-panel" aria-label={text.title}>
      <div className="row results-title">
        <h2 ref={heading} tabIndex={-1}>
          {text.title}
        </h2>
        <OwnColumnsChoice own={ownColumns} />
        <ToggleButton className="button" data-quiet isSelected={isInApiWords} onChange={setInApiWords}>
          {text.apiWords}
        </ToggleButton>
      </div>
      <ResultsFilters
        filter={filter}
        choices={choices}
        isInApiWords={isInApiWords}
        onFilter={(filter, isTyped) => onView({ filter, order }, isTyped)}
      />
      <div className="row results-found">
        <p role="status" className="small soft">
          {isRead ? foundText() : text.reading(formatShare(rows.length, total))}
        </p>
        {isFiltered && (
          <>
            <Button variant="quiet" onPress={() => onView({ filter: NO_FILTER, order })}>
              {text.showAll}
            </Button>
            <SaveShown
              name={name}
              own={own}
              action={filter.action}
              rows={shown}
              unchecked={unchecked}
              isComplete={isRead}
            />
          </>
        )}
      </div>
      {shown.length > 0 ? (
        <ResultsTable
          rows={shown}
          arrangement={JSON.stringify([wanted, sorted.order])}
          order={order}
          isSorting={sorted.isSorting}
          isInApiWords={isInApiWords}
          own={ownColumns.shown}
          hasRisk={hasRisk}
          onOrder={setOrder}
          onOpen={setOpened}
        />
      ) : (
        isRead && <p className="card soft">{rows.length === 0 ? text.noneYet : text.none}</p>
      )}
      {opened && <RowEvidence placed={opened} onClose={() => setOpened(null)} />}
    </section>
  );
}
