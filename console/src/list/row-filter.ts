// Which rows are shown. Pure: the whole list is in memory, so filtering needs no request.
import { type Action, actionFor } from '@mxproof/common/vocabulary/labels';
import { FLAGS, type Flag } from '../check/flags.ts';
import { type Why, whyOf } from '../check/why.ts';
import type { PlacedRow } from './row-pages.ts';

/** What is not checked has no action. */
export const UNCHECKED = 'unchecked';

export interface RowFilter {
  readonly action: Action | typeof UNCHECKED | null;
  readonly reason: Why | null;
  readonly provider: string | null;
  readonly flag: Flag | null;
  /** A piece of the address. */
  readonly piece: string;
}

export const NO_FILTER: RowFilter = { action: null, reason: null, provider: null, flag: null, piece: '' };

/** What is chosen from the lists, beside the piece that is searched for. */
export function chosenIn({ piece: _, ...choices }: RowFilter): readonly string[] {
  return Object.values(choices).filter((choice) => choice !== null);
}

export function isFiltering(filter: RowFilter): boolean {
  return filter.piece.trim() !== '' || chosenIn(filter).length > 0;
}

export function matching(rows: readonly PlacedRow[], filter: RowFilter): readonly PlacedRow[] {
  if (!isFiltering(filter)) return rows;
  const { action, reason, provider, flag } = filter;
  const piece = filter.piece.trim().toLowerCase();
  return rows.filter(
    ({ row }) =>
      (action === null || (actionFor(row) ?? UNCHECKED) === action) &&
      (reason === null || whyOf(row) === reason) &&
      (provider === null || row.provider === provider) &&
      (flag === null || row[flag]) &&
      row.email.includes(piece),
  );
}

export interface Choices {
  /** Whether any row is not checked. */
  readonly hasUnchecked: boolean;
  readonly reasons: readonly Why[];
  readonly providers: readonly string[];
  readonly flags: readonly Flag[];
}

/** How often each thing that can be chosen occurs. */
export interface Occurrences {
  readonly unchecked: number;
  readonly reasons: ReadonlyMap<Why, number>;
  readonly providers: ReadonlyMap<string, number>;
  readonly flags: ReadonlyMap<Flag, number>;
}

/** Of one page, once: with every page that comes, all the rows before it would be counted again. */
export function occurrencesIn(rows: readonly PlacedRow[]): Occurrences {
  let unchecked = 0;
  const reasons = new Map<Why, number>();
  const providers = new Map<string, number>();
  const flags = new Map<Flag, number>();
  for (const { row } of rows) {
    const why = whyOf(row);
    if (row.state === 'pending') unchecked += 1;
    if (why !== null) add(reasons, why);
    if (row.provider !== '') add(providers, row.provider);
    for (const flag of FLAGS) if (row[flag]) add(flags, flag);
  }
  return { unchecked, reasons, providers, flags };
}

/** What occurs in any of the pages, the commonest first: nothing else is worth choosing. */
export function choicesIn(pages: readonly Occurrences[]): Choices {
  return {
    hasUnchecked: pages.some(({ unchecked }) => unchecked > 0),
    reasons: byCount(pages.map(({ reasons }) => reasons)),
    providers: byCount(pages.map(({ providers }) => providers)),
    flags: byCount(pages.map(({ flags }) => flags)),
  };
}

function byCount<Name>(pages: readonly ReadonlyMap<Name, number>[]): Name[] {
  const sums = new Map<Name, number>();
  for (const page of pages) for (const [name, count] of page) add(sums, name, count);
  return [...sums].sort(([, a], [, b]) => b - a).map(([name]) => name);
}

function add<Name>(counts: Map<Name, number>, name: Name, count = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}
