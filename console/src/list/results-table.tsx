// The rows of a list. Only those in view are in the document, however many there are; each opens its evidence. A column's
// heading sorts by it: ascending, descending, then as the list has them.
// Promise: the rows are one stop of the Tab key; then arrows, Page Up and Down, Home and End, and Enter opens.
import './results-table.css';
import { type SortingState, type Updater, useTable } from '@tanstack/react-table';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { messages } from '../messages/messages.ts';
import { columns, features } from './results-columns.tsx';
import { ResultsHead } from './results-head.tsx';
import { ResultsRow } from './results-row.tsx';
import type { RowOrder } from './sort-rows.ts';
import type { PlacedRow } from './use-rows.ts';

const text = messages.results;
const ROW_PX = 44;
/** Rows kept ready above and below, so that a quick scroll does not outrun them. */
const OVERSCAN = 12;
const PAGE_STEP = 10;
/** The greatest height that every browser supports; further rows are found by filters. */
const SHOWN_MAX = 300_000;

export const ResultsTable = memo(function ResultsTable({
  rows,
  arrangement,
  order,
  isSorting,
  onOrder,
  onOpen,
}: {
  readonly rows: readonly PlacedRow[];
  /** Names what is shown and in which order: with another one, the table begins at its top again. */
  readonly arrangement: string;
  readonly order: RowOrder | null;
  readonly isSorting: boolean;
  readonly onOrder: (order: RowOrder | null) => void;
  readonly onOpen: (row: PlacedRow) => void;
}) {
  const scroll = useRef<HTMLDivElement>(null);
  /** The row that Tab goes to. */
  const [current, setCurrent] = useState(0);
  const [focusWanted, setFocusWanted] = useState(0);
  const count = Math.min(rows.length, SHOWN_MAX);
  const at = Math.min(current, count - 1);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    // The row with the focus stays in the document, or the focus would be lost by scrolling.
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), at])].sort((a, b) => a - b),
  });
  const items = virtual.getVirtualItems();
  const inView = useMemo(() => items.map(({ index }) => rows[index]!), [items, rows]);
  const sorting = useMemo(() => (order ? [order] : []), [order]);
  // It is given only the rows in view: a row model of 100,000 would block the thread whenever a page of rows arrives.
  const table = useTable({
    features,
    columns,
    data: inView,
    manualSorting: true,
    enableMultiSort: false,
    sortDescFirst: false,
    state: { sorting },
    onSortingChange: (change: Updater<SortingState>) => {
      const [first] = typeof change === 'function' ? change(sorting) : change;
      onOrder((first as RowOrder | undefined) ?? null);
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins at the top with another arrangement, not with more rows.
  useLayoutEffect(() => {
    if (scroll.current) scroll.current.scrollTop = 0;
    setCurrent(0);
  }, [arrangement]);
  useEffect(() => {
    if (focusWanted > 0)
      scroll.current?.querySelector<HTMLElement>('[role=row][tabindex="0"]')?.focus({ preventScroll: true });
  }, [focusWanted]);

  function onKeyDown(event: KeyboardEvent) {
    const to = rowAfter(event.key, at, count);
    if (to === null) return;
    event.preventDefault();
    setCurrent(to);
    virtual.scrollToIndex(to);
    setFocusWanted((times) => times + 1);
  }

  return (
    <>
      <div
        className="results card"
        role="grid"
        aria-label={text.title}
        aria-rowcount={count + 1}
        aria-busy={isSorting}
      >
        <ResultsHead groups={table.getHeaderGroups()} />
        <div
          className="results-scroll"
          ref={scroll}
          role="rowgroup"
          tabIndex={-1}
          style={{ height: virtual.getTotalSize() }}
          onKeyDown={onKeyDown}
        >
          <div className="results-all" role="presentation" style={{ height: virtual.getTotalSize() }}>
            {table.getRowModel().rows.map((row, nth) => {
              const { index, start } = items[nth]!;
              return (
                <ResultsRow
                  key={index}
                  row={row}
                  index={index}
                  startPx={start}
                  isCurrent={index === at}
                  onReach={setCurrent}
                  onOpen={onOpen}
                />
              );
            })}
          </div>
        </div>
      </div>
      {rows.length > SHOWN_MAX && <p className="small soft">{text.onlyFirst(SHOWN_MAX)}</p>}
    </>
  );
});

/** Null: not a key that moves. */
function rowAfter(key: string, current: number, count: number): number | null {
  const to = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    PageDown: current + PAGE_STEP,
    PageUp: current - PAGE_STEP,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined ? null : Math.max(0, Math.min(count - 1, to));
}
