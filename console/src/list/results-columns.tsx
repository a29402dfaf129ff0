// The columns of the table of results: their names, what stands in a cell, and that each can be sorted by. Twice: in
// people's words, and in those of the API.

import { providerName } from '@mxproof/common/vocabulary/providers';
import { createColumnHelper, rowSortingFeature, tableFeatures } from '@tanstack/react-table';
import { flagsOf } from '../check/flags.ts';
import { whyOf, whyText } from '../check/why.ts';
import { ActionMark } from '../design/action-mark.tsx';
import { formatCount } from '../design/format.ts';
import { StateShape } from '../design/state-mark.tsx';
import { listMessages } from '../messages/en-list.ts';
import { messages } from '../messages/messages.ts';
import { AddressCell } from './address-cell.tsx';
import { RiskCell, riskText } from './risk-text.tsx';
import type { SortColumn } from './sort-rows.ts';
import type { ShownColumns } from './use-own-columns.ts';
import type { PlacedRow } from './use-rows.ts';

const text = listMessages.results;

export const features = tableFeatures({ rowSortingFeature });
const column = createColumnHelper<typeof features, PlacedRow>();

const address = column.accessor(({ row }) => row.email, {
  id: 'address' satisfies SortColumn,
  header: text.address,
  cell: ({ row }) => <AddressCell row={row.original.row} />,
});

const score = column.accessor(
  ({ row }) => (row.state === 'pending' || row.state === 'unknown' ? null : row.score),
  {
    id: 'score' satisfies SortColumn,
    header: text.score,
    cell: ({ getValue }) => {
      const score = getValue();
      return score === null ? '' : formatCount(score);
    },
  },
);

const risk = column.accessor(({ row }) => row.bounce_probability ?? null, {
  id: 'risk' satisfies SortColumn,
  header: text.risk,
  cell: ({ row }) => {
    const sentence = riskText(row.original.row);
    return sentence === null ? '' : <RiskCell row={row.original.row} title={sentence} />;
  },
});

const apiRisk = column.accessor(({ row }) => row.bounce_probability ?? null, {
  id: 'risk' satisfies SortColumn,
  header: 'bounce_probability',
  cell: ({ getValue }) => <code>{getValue()}</code>,
});

/** How likely mail bounces, where that is known of any row. */
export function withRisk<Columns extends readonly unknown[]>(all: Columns, isInApiWords: boolean): Columns {
  return [...all, isInApiWords ? apiRisk : risk] as unknown as Columns;
}

export const columns = column.columns([
  address,
  column.accessor(({ row }) => row, {
    id: 'action' satisfies SortColumn,
    header: text.action,
    cell: ({ getValue }) => <ActionMark row={getValue()} />,
  }),
  column.accessor(({ row }) => whyOf(row), {
    id: 'reason' satisfies SortColumn,
    header: text.reason,
    cell: ({ getValue, row }) => {
      const why = getValue();
      const flags = flagsOf(row.original.row).map((flag) => messages.flags[flag]);
      const said = [row.original.row.suppressed && text.suppressed, why && whyText(why)];
      return <span title={flags.join(', ')}>{said.filter(Boolean).join(' · ')}</span>;
    },
  }),
  column.accessor(({ row }) => row.provider, {
    id: 'provider' satisfies SortColumn,
    header: text.provider,
    cell: ({ getValue }) => providerName(getValue()),
  }),
  score,
]);

/** Of the user's own file. It has no order of its own: the list is in that of the file. */
export function withOwnColumn<Columns extends readonly unknown[]>(all: Columns, own: ShownColumns): Columns {
  const added = column.display({
    id: 'own',
    header: own.names.join(' · '),
    cell: ({ row }) => {
      const cells = own.textOf(row.original.row);
      return <span title={cells}>{cells}</span>;
    },
  });
  return [all[0], added, ...all.slice(1)] as unknown as Columns;
}

export const apiColumns = column.columns([
  { ...address, header: 'email' },
  column.accessor(({ row }) => row.state, {
    id: 'action' satisfies SortColumn,
    header: 'state',
    cell: ({ getValue }) => (
      <span className="state-mark" data-state={getValue()}>
        <StateShape state={getValue()} />
        <code>{getValue()}</code>
      </span>
    ),
  }),
  column.accessor(({ row }) => [row.reason, row.detail].filter(Boolean).join(' · '), {
    id: 'reason' satisfies SortColumn,
    header: 'reason · detail',
    cell: ({ getValue }) => <code title={getValue()}>{getValue()}</code>,
  }),
  column.accessor(({ row }) => row.provider, {
    id: 'provider' satisfies SortColumn,
    header: 'provider',
    cell: ({ getValue }) => <code>{getValue()}</code>,
  }),
  { ...score, header: 'score' },
]);
