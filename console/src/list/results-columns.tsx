// The columns of the table of results: their names, what stands in a cell, and that each can be sorted by.
import { createColumnHelper, rowSortingFeature, tableFeatures } from '@tanstack/react-table';
import { flagsOf } from '../check/flags.ts';
import { formatCount } from '../design/format.ts';
import { StateMark } from '../design/state-mark.tsx';
import { messages } from '../messages/messages.ts';
import { AddressCell } from './address-cell.tsx';
import type { SortColumn } from './sort-rows.ts';
import type { PlacedRow } from './use-rows.ts';

const text = messages.results;

export const features = tableFeatures({ rowSortingFeature });
const column = createColumnHelper<typeof features, PlacedRow>();

export const columns = column.columns([
  column.accessor(({ row }) => row.email, {
    id: 'email' satisfies SortColumn,
    header: text.address,
    cell: ({ row }) => <AddressCell row={row.original.row} />,
  }),
  column.accessor(({ row }) => row.state, {
    id: 'state' satisfies SortColumn,
    header: text.state,
    cell: ({ getValue }) =>
      getValue() === 'pending' ? (
        <span className="soft">{text.notChecked}</span>
      ) : (
        <StateMark state={getValue()} />
      ),
  }),
  column.accessor(({ row }) => row.reason, {
    id: 'reason' satisfies SortColumn,
    header: text.reason,
    cell: ({ getValue, row }) => (
      <span
        title={flagsOf(row.original.row)
          .map((flag) => messages.flags[flag])
          .join(', ')}
      >
        {messages.reasons[getValue()]}
      </span>
    ),
  }),
  column.accessor(({ row }) => row.provider, {
    id: 'provider' satisfies SortColumn,
    header: text.provider,
    cell: ({ getValue }) => getValue(),
  }),
  column.accessor(({ row }) => (row.state === 'pending' ? null : row.score), {
    id: 'score' satisfies SortColumn,
    header: text.score,
    cell: ({ getValue }) => {
      const score = getValue();
      return score === null ? '' : formatCount(score);
    },
  }),
]);
