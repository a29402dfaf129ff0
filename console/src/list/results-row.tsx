// One row of the results. Promise: scrolling and sorting draw it again only where it shows something else.
import { flexRender, type Row } from '@tanstack/react-table';
import { memo } from 'react';
import type { features } from './results-columns.tsx';
import type { ShownColumns } from './use-own-columns.ts';
import type { PlacedRow } from './use-rows.ts';

interface Props {
  readonly row: Row<typeof features, PlacedRow>;
  readonly index: number;
  readonly startPx: number;
  /** In the words of the API. */
  readonly isInApiWords: boolean;
  /** What the user's own file says beside the address. */
  readonly own: ShownColumns | null;
  /** The one that Tab goes to. */
  readonly isCurrent: boolean;
  readonly onReach: (row: PlacedRow) => void;
  readonly onOpen: (row: PlacedRow) => void;
}

export const ResultsRow = memo(DrawnRow, (before, now) => {
  // The table makes another row of the same result each time.
  const { row: rowBefore, ...others } = before;
  return (
    rowBefore.original === now.row.original &&
    Object.entries(others).every(([name, value]) => now[name as keyof Props] === value)
  );
});

function DrawnRow({ row, index, startPx, isCurrent, onReach, onOpen }: Props) {
  const open = () => {
    onReach(row.original);
    if (row.original.row.state !== 'pending') onOpen(row.original);
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
      {row.getAllCells().map((cell) => (
        <span key={cell.id} role="gridcell" data-column={cell.column.id}>
          {flexRender(cell.column.columnDef.cell, cell.getContext())}
        </span>
      ))}
    </div>
  );
}
