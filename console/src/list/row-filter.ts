// Which rows are shown. Pure: the whole list is in memory, and 100,000 rows take a few milliseconds.
import { type Action, actionFor } from './segments.ts';
import type { PlacedRow } from './use-rows.ts';

export const FLAGS = ['role', 'free', 'disposable', 'accept_all'] as const;
export type Flag = (typeof FLAGS)[number];

export interface RowFilter {
  readonly action: Action | null;
  readonly reason: string | null;
  readonly provider: string | null;
  readonly flag: Flag | null;
  /** A piece of the address. */
  readonly piece: string;
}

export const NO_FILTER: RowFilter = { action: null, reason: null, provider: null, flag: null, piece: '' };

export function isFiltering(filter: RowFilter): boolean {
  return (
    filter.piece.trim() !== '' || (filter.action ?? filter.reason ?? filter.provider ?? filter.flag) !== null
  );
}

export function matching(rows: readonly PlacedRow[], filter: RowFilter): readonly PlacedRow[] {
  if (!isFiltering(filter)) return rows;
  const { action, reason, provider, flag } = filter;
  const piece = filter.piece.trim().toLowerCase();
  return rows.filter(
    ({ row }) =>
      (action === null || actionFor(row) === action) &&
      (reason === null || row.reason === reason) &&
      (provider === null || row.provider === provider) &&
      (flag === null || row[flag]) &&
      row.email.includes(piece),
  );
}
