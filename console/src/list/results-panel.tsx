// The rows of a list, with what narrows them down and what takes those shown away as a file.
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import { formatCount, formatShare } from '../design/format.ts';
import { messages } from '../messages/messages.ts';
import { ResultsFilters } from './results-filters.tsx';
import { ResultsTable } from './results-table.tsx';
import { RowEvidence } from './row-evidence.tsx';
import { type Choices, isFiltering, matching, NO_FILTER, type RowFilter } from './row-filter.ts';
import { SaveShown } from './save-shown.tsx';
import type { RowOrder } from './sort-rows.ts';
import type { useOwnFile } from './use-own-file.ts';
import type { PlacedRow } from './use-rows.ts';
import { useSortedRows } from './use-sorted-rows.ts';

const text = messages.results;

export function ResultsPanel({
  name,
  own,
  rows,
  choices,
  total,
  isComplete,
  filter,
  onFilter,
  shownAt,
}: {
  readonly name: string;
  readonly own: ReturnType<typeof useOwnFile>;
  readonly rows: readonly PlacedRow[];
  readonly choices: Choices;
  readonly total: number;
  readonly isComplete: boolean;
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
  /** Grows with each action whose rows are asked for. */
  readonly shownAt: number;
}) {
  const [opened, setOpened] = useState<PlacedRow | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // Chosen from above, the rows would change out of sight.
  useEffect(() => {
    if (shownAt === 0) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'start' });
  }, [shownAt]);
  // What is typed and the progress appear at once; the rows follow, drawn in steps between which the console stays responsive.
  const wanted = useDeferredValue(filter);
  const drawn = useDeferredValue(rows);
  const isAllDrawn = useDeferredValue(isComplete);
  // Sorted whole and then filtered: a letter more in the search does not sort again.
  const [order, setOrder] = useState<RowOrder | null>(null);
  const sorted = useSortedRows(drawn, isAllDrawn ? order : null);
  const shown = useMemo(() => matching(sorted.rows, wanted), [sorted.rows, wanted]);
  const isFiltered = isFiltering(filter);
  return (
    <section className="stack results-panel" aria-label={text.title}>
      <h2 ref={heading} tabIndex={-1}>
        {text.title}
      </h2>
      <ResultsFilters filter={filter} choices={choices} onFilter={onFilter} />
      <div className="row results-found">
        <p role="status" className="small soft">
          {isAllDrawn
            ? isFiltered
              ? text.found(shown.length, formatCount(total))
              : text.all(total)
            : text.reading(formatShare(rows.length, total))}
        </p>
        {isFiltered && (
          <>
            <Button variant="quiet" onPress={() => onFilter(NO_FILTER)}>
              {text.showAll}
            </Button>
            <SaveShown name={name} own={own} action={filter.action} rows={shown} isComplete={isAllDrawn} />
          </>
        )}
      </div>
      {shown.length > 0 ? (
        <ResultsTable
          rows={shown}
          arrangement={JSON.stringify([wanted, sorted.order])}
          order={order}
          isSorting={sorted.isSorting}
          onOrder={setOrder}
          onOpen={setOpened}
        />
      ) : (
        isAllDrawn && <p className="card soft">{text.none}</p>
      )}
      {opened && <RowEvidence placed={opened} onClose={() => setOpened(null)} />}
    </section>
  );
}
