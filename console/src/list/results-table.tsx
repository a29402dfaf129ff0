// The rows of a list. Only those in view are in the document, however many there are; each opens its evidence. A column's
// heading sorts by it: ascending, descending, then as the list has them.
// Promise: the rows are one stop of the Tab key; then arrows, Page Up and Down, Home and End, and Enter opens.
import './results-table.css';
import { type SortingState, type Updater, useTable } from '@tanstack/react-table';
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { listMessages } from '../messages/en-list.ts';
import { apiColumns, columns, features, withOwnColumn, withRisk } from './results-columns.tsx';
import { ResultsHead } from './results-head.tsx';
import { ResultsRow } from './results-row.tsx';
import type { RowOrder } from './sort-rows.ts';
import type { ShownColumns } from './use-own-columns.ts';
import type { PlacedRow } from './use-rows.ts';
import { useSteadyRows } from './use-steady-rows.ts';

const text = listMessages.results;
const ROW_PX = 44;
/** Rows kept ready above and below, so that a quick scroll does not outrun them. */
const OVERSCAN = 12;
/** The greatest height that every browser supports; further rows are found by filters. */
const SHOWN_MAX = 300_000;

export const ResultsTable = memo(function ResultsTable({
  rows,
  arrangement,
  order,
  isSorting,
  isInApiWords,
  own,
  hasRisk,
  onOrder,
  onOpen,
}: {
  readonly rows: readonly PlacedRow[];
  /** Names what is shown and in which order: with another one, the table begins at its top again. */
  readonly arrangement: string;
  readonly order: RowOrder | null;
  readonly isSorting: boolean;
  readonly isInApiWords: boolean;
  readonly own: ShownColumns | null;
  /** How likely mail bounces is known of some. */
  readonly hasRisk: boolean;
  readonly onOrder: (order: RowOrder | null) => void;
  readonly onOpen: (row: PlacedRow) => void;
}) {
  const body = useRef<HTMLDivElement>(null);
  /** The row that Tab goes to; null: the first. */
  const [current, setCurrent] = useState<PlacedRow | null>(null);
  const [focusWanted, setFocusWanted] = useState(0);
  const count = Math.min(rows.length, SHOWN_MAX);
  const at = useMemo(() => {
    const found = current === null ? 0 : rows.indexOf(current);
    return found >= 0 && found < count ? found : 0;
  }, [rows, current, count]);
  const toTop = useCallback(() => setCurrent(null), []);
  const { topPx, barPx } = useSteadyRows({ body, rows, arrangement, rowPx: ROW_PX, onTop: toTop });
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: topPx,
    // Under the bar of the page and the headings, which both stay.
    scrollPaddingStart: barPx + ROW_PX,
    // The row with the focus stays in the document, or the focus would be lost by scrolling.
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), at])].sort((a, b) => a - b),
  });
  const items = virtual.getVirtualItems();
  const inView = useMemo(() => items.map(({ index }) => rows[index]!), [items, rows]);
  const sorting = useMemo(() => (order ? [order] : []), [order]);
  const shownColumns = useMemo(() => {
    const verdicts = isInApiWords ? apiColumns : columns;
    const all = hasRisk ? withRisk(verdicts, isInApiWords) : verdicts;
    return own === null ? all : withOwnColumn(all, own);
  }, [isInApiWords, own, hasRisk]);
  // It is given only the rows in view: a row model of 100,000 would block the thread whenever a page of rows arrives.
  const table = useTable({
    features,
    columns: shownColumns,
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
  useEffect(() => {
    if (focusWanted > 0)
      body.current?.querySelector<HTMLElement>('[role=row][tabindex="0"]')?.focus({ preventScroll: true });
  }, [focusWanted]);

  function onKeyDown(event: KeyboardEvent) {
    const fitting = Math.floor((window.innerHeight - barPx - ROW_PX) / ROW_PX);
    const to = rowAfter(event.key, at, count, Math.max(1, fitting - 1));
    if (to === null) return;
    event.preventDefault();
    setCurrent(rows[to]!);
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
        data-words={isInApiWords ? 'api' : 'people'}
        data-order={order?.id}
        data-own={own !== null || undefined}
        data-risk={hasRisk || undefined}
      >
        <ResultsHead groups={table.getHeaderGroups()} barPx={barPx} />
        <div
          className="results-all"
          ref={body}
          role="rowgroup"
          tabIndex={-1}
          style={{ height: count * ROW_PX }}
          onKeyDown={onKeyDown}
        >
          {table.getRowModel().rows.map((row, nth) => {
            const { index, start } = items[nth]!;
            const { listId, position } = row.original;
            return (
              <ResultsRow
                key={`${listId} ${position}`}
                row={row}
                index={index}
                startPx={start - topPx}
                isInApiWords={isInApiWords}
                own={own}
                isCurrent={index === at}
                onReach={setCurrent}
                onOpen={onOpen}
              />
            );
          })}
        </div>
      </div>
      {rows.length > SHOWN_MAX && <p className="small soft">{text.onlyFirst(SHOWN_MAX)}</p>}
    </>
  );
});

/** Null: not a key that moves. */
function rowAfter(key: string, current: number, count: number, page: number): number | null {
  const to = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    PageDown: current + page,
    PageUp: current - page,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined ? null : Math.max(0, Math.min(count - 1, to));
}
