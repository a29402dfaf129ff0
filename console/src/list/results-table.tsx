// The rows of a list. Only those in view are in the document, however many there are; each opens its evidence.
import './results-table.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { formatCount } from '../design/format.ts';
import { StateMark } from '../design/state-mark.tsx';
import { messages } from '../messages/messages.ts';
import { FLAGS } from './row-filter.ts';
import type { PlacedRow } from './use-rows.ts';

const text = messages.results;
const ROW_PX = 44;
/** Rows kept ready above and below, so that a quick scroll does not outrun them. */
const OVERSCAN = 12;

export function ResultsTable({
  rows,
  onOpen,
}: {
  readonly rows: readonly PlacedRow[];
  readonly onOpen: (row: PlacedRow) => void;
}) {
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  return (
    <div className="results card" role="table" aria-label={text.title} aria-rowcount={rows.length + 1}>
      <div role="rowgroup">
        <div className="results-row results-head small soft" role="row" aria-rowindex={1}>
          <span role="columnheader">{text.address}</span>
          <span role="columnheader">{text.state}</span>
          <span role="columnheader">{text.reason}</span>
          <span role="columnheader">{text.provider}</span>
          <span role="columnheader">{text.score}</span>
        </div>
      </div>
      <div className="results-scroll" ref={scroll} role="rowgroup" tabIndex={-1}>
        <div className="results-all" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const placed = rows[item.index]!;
            return (
              <div
                key={item.key}
                role="row"
                aria-rowindex={item.index + 2}
                className="results-row"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <Cells placed={placed} onOpen={onOpen} />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Cells({
  placed,
  onOpen,
}: {
  readonly placed: PlacedRow;
  readonly onOpen: (row: PlacedRow) => void;
}) {
  const { row } = placed;
  const flags = FLAGS.filter((flag) => row[flag]).map((flag) => messages.flags[flag]);
  return (
    <>
      <span role="cell" className="results-address">
        {row.state === 'pending' ? (
          row.email
        ) : (
          <button type="button" className="results-open" onClick={() => onOpen(placed)}>
            {row.email}
          </button>
        )}
      </span>
      <span role="cell">
        <StateMark state={row.state} />
      </span>
      <span role="cell" className="small" title={flags.join(', ')}>
        {messages.reasons[row.reason]}
      </span>
      <span role="cell" className="small soft">
        {row.provider}
      </span>
      <span role="cell" className="results-score">
        {row.state === 'pending' ? '' : formatCount(row.score)}
      </span>
    </>
  );
}
