// Which rows are shown. Pure: the whole list is in memory, and 100,000 rows take a few milliseconds.
import type { ResultRow } from '@mxproof/client';
import { type Action, actionFor } from './segments.ts';
import type { PlacedRow } from './use-rows.ts';

export const FLAGS = ['role', 'free', 'disposable', 'accept_all'] as const;
type Flag = (typeof FLAGS)[number];

export interface RowFilter {
  readonly action: Action | null;
  readonly state: ResultRow['state'] | null;
  readonly reason: ResultRow['reason'] | null;
  readonly provider: string | null;
  readonly flag: Flag | null;
  /** A piece of the address. */
  readonly piece: string;
}

export const NO_FILTER: RowFilter = {
  action: null,
  state: null,
  reason: null,
  provider: null,
  flag: null,
  piece: '',
};

export function isFiltering({ piece, ...chosen }: RowFilter): boolean {
  return piece.trim() !== '' || Object.values(chosen).some((choice) => choice !== null);
}

export function matching(rows: readonly PlacedRow[], filter: RowFilter): readonly PlacedRow[] {
  if (!isFiltering(filter)) return rows;
  const { action, state, reason, provider, flag } = filter;
  const piece = filter.piece.trim().toLowerCase();
  return rows.filter(
    ({ row }) =>
      (action === null || actionFor(row) === action) &&
      (state === null || row.state === state) &&
      (reason === null || row.reason === reason) &&
      (provider === null || row.provider === provider) &&
      (flag === null || row[flag]) &&
      row.email.includes(piece),
  );
}

export interface Choices {
  readonly states: readonly ResultRow['state'][];
  readonly reasons: readonly ResultRow['reason'][];
  readonly providers: readonly string[];
  readonly flags: readonly Flag[];
}

/** What occurs in these rows, the commonest first: nothing else is worth choosing. */
export function choicesIn(rows: readonly PlacedRow[]): Choices {
  const states = new Map<ResultRow['state'], number>();
  const reasons = new Map<ResultRow['reason'], number>();
  const providers = new Map<string, number>();
  const flags = new Map<Flag, number>();
  for (const { row } of rows) {
    count(states, row.state);
    if (row.reason !== '') count(reasons, row.reason);
    if (row.provider !== '') count(providers, row.provider);
    for (const flag of FLAGS) if (row[flag]) count(flags, flag);
  }
  return {
    states: byCount(states),
    reasons: byCount(reasons),
    providers: byCount(providers),
    flags: byCount(flags),
  };
}

function count<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function byCount<Name>(counts: Map<Name, number>): Name[] {
  return [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
}
