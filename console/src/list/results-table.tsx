// The rows of a list. Only those in view are in the document, however many there are; each opens its evidence.
// Promise: one stop of the Tab key; then arrows, Page Up and Down, Home and End, and Enter opens.
import './results-table.css';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react';
import { formatCount } from '../design/format.ts';
import { StateMark } from '../design/state-mark.tsx';
import { messages } from '../messages/messages.ts';
import { FLAGS } from './row-filter.ts';
import type { PlacedRow } from './use-rows.ts';

const text = messages.results;
const ROW_PX = 44;
/** Rows kept ready above and below, so that a quick scroll does not outrun them. */
const OVERSCAN = 12;
const PAGE_STEP = 10;
/** A page can be so high in every browser and no higher; more are found by filters. */
const SHOWN_MAX = 300_000;

export const ResultsTable = memo(function ResultsTable({
  rows,
  onOpen,
}: {
  readonly rows: readonly PlacedRow[];
  readonly onOpen: (row: PlacedRow) => void;
}) {
  const scroll = useRef<HTMLDivElement>(null);
  /** The row that Tab goes to. */
  const [current, setCurrent] = useState(0);
  const [focusWanted, setFocusWanted] = useState(0);
  const count = Math.min(rows.length, SHOWN_MAX);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    // The row with the focus stays in the document, or the focus would be lost by scrolling.
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), current])].sort((a, b) => a - b),
  });
  useEffect(() => {
    if (focusWanted > 0)
      scroll.current?.querySelector<HTMLElement>('[role=row][tabindex="0"]')?.focus({ preventScroll: true });
  }, [focusWanted]);

  function onKeyDown(event: KeyboardEvent) {
    const to = rowAfter(event.key, current, count);
    if (to === null) return;
    event.preventDefault();
    setCurrent(to);
    virtual.scrollToIndex(to);
    setFocusWanted((times) => times + 1);
  }

  return (
    <>
      <div className="results card" role="grid" aria-label={text.title} aria-rowcount={count + 1}>
        <div role="rowgroup">
          <div className="results-row results-head small soft" role="row" aria-rowindex={1}>
            <span role="columnheader">{text.address}</span>
            <span role="columnheader">{text.state}</span>
            <span role="columnheader">{text.reason}</span>
            <span role="columnheader">{text.provider}</span>
            <span role="columnheader" className="results-score">
              {text.score}
            </span>
          </div>
        </div>
        <div
          className="results-scroll"
          ref={scroll}
          role="rowgroup"
          tabIndex={-1}
          style={{ height: virtual.getTotalSize() }}
          onKeyDown={onKeyDown}
        >
          <div className="results-all" role="presentation" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ key, index, start }) => (
              <Row
                key={key}
                placed={rows[index]!}
                index={index}
                startPx={start}
                isCurrent={index === current}
                onReach={setCurrent}
                onOpen={onOpen}
              />
            ))}
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

/** Scrolling moves the others on without drawing them again. */
const Row = memo(function Row({
  placed,
  index,
  startPx,
  isCurrent,
  onReach,
  onOpen,
}: {
  readonly placed: PlacedRow;
  readonly index: number;
  readonly startPx: number;
  readonly isCurrent: boolean;
  readonly onReach: (index: number) => void;
  readonly onOpen: (row: PlacedRow) => void;
}) {
  const { row } = placed;
  const flags = FLAGS.filter((flag) => row[flag]).map((flag) => messages.flags[flag]);
  const open = () => {
    onReach(index);
    if (row.state !== 'pending') onOpen(placed);
  };
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      tabIndex={isCurrent ? 0 : -1}
      className="results-row"
      style={{ transform: `translateY(${startPx}px)` }}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        open();
      }}
    >
      <span role="gridcell" title={row.email}>
        {row.email}
      </span>
      <span role="gridcell">
        {row.state === 'pending' ? (
          <span className="soft">{text.notChecked}</span>
        ) : (
          <StateMark state={row.state} />
        )}
      </span>
      <span role="gridcell" className="small" title={flags.join(', ')}>
        {messages.reasons[row.reason]}
      </span>
      <span role="gridcell" className="small soft">
        {row.provider}
      </span>
      <span role="gridcell" className="results-score">
        {row.state === 'pending' ? '' : formatCount(row.score)}
      </span>
    </div>
  );
});
