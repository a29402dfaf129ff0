// The headings of the results. Each is a button that sorts by its column, and says to which side it is sorted.
import { flexRender, type Header, type HeaderGroup } from '@tanstack/react-table';
import type { features } from './results-columns.tsx';
import type { PlacedRow } from './use-rows.ts';

const DIRECTIONS = { asc: 'ascending', desc: 'descending' } as const;

export function ResultsHead({
  groups,
  barPx,
}: {
  readonly groups: readonly HeaderGroup<typeof features, PlacedRow>[];
  /** Of the page, under which they stay in view. */
  readonly barPx: number;
}) {
  return (
    <div className="results-heads" role="rowgroup" style={{ top: barPx }}>
      {groups.map((group, at) => (
        <div key={group.id} className="results-row results-head small" role="row" aria-rowindex={at + 1}>
          {group.headers.map((header) => (
            <Heading key={header.id} header={header} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Heading({ header }: { readonly header: Header<typeof features, PlacedRow, unknown> }) {
  const { column } = header;
  if (!column.getCanSort())
    return (
      <span role="columnheader" data-column={column.id}>
        {flexRender(column.columnDef.header, header.getContext())}
      </span>
    );
  const sorted = column.getIsSorted();
  return (
    <span
      role="columnheader"
      data-column={column.id}
      aria-sort={sorted === false ? 'none' : DIRECTIONS[sorted]}
    >
      <button type="button" className="results-sort" onClick={column.getToggleSortingHandler()}>
        {flexRender(column.columnDef.header, header.getContext())}
        <svg viewBox="0 0 10 12" data-sorted={sorted || undefined} aria-hidden="true">
          <path className="results-sort-up" d="M5 0 9 5H1Z" />
          <path className="results-sort-down" d="M5 12 1 7h8Z" />
        </svg>
      </button>
    </span>
  );
}
