// Which rows are shown. Pure: the whole list is in memory, so filtering needs no request.
import type { Detail, ResultRow } from '@mxproof/client';
import { type Action, actionFor } from '@mxproof/common/vocabulary/labels';
import { FLAGS, type Flag, hasFlag } from '../check/flags.ts';
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
      (flag === null || hasFlag(row, flag)) &&
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

/** How often each thing that is counted or can be chosen occurs. */
export interface Occurrences {
  readonly states: ReadonlyMap<ResultRow['state'], number>;
  readonly reasons: ReadonlyMap<ResultRow['reason'], number>;
  readonly details: ReadonlyMap<Detail, number>;
  readonly whys: ReadonlyMap<Why, number>;
  readonly providers: ReadonlyMap<string, number>;
  readonly flags: ReadonlyMap<Flag, number>;
}

/** Of one page, once: with every page that comes, all the rows before it would be counted again. */
export function occurrencesIn(rows: readonly PlacedRow[]): Occurrences {
  const states = new Map<ResultRow['state'], number>();
  const reasons = new Map<ResultRow['reason'], number>();
  const details = new Map<Detail, number>();
  const whys = new Map<Why, number>();
  const providers = new Map<string, number>();
  const flags = new Map<Flag, number>();
  for (const { row } of rows) {
    const why = whyOf(row);
    add(states, row.state);
    if (row.reason !== '') add(reasons, row.reason);
    if (row.detail != null) add(details, row.detail);
    if (why !== null) add(whys, why);
    if (row.provider !== '') add(providers, row.provider);
    for (const flag of FLAGS) if (hasFlag(row, flag)) add(flags, flag);
  }
  return { states, reasons, details, whys, providers, flags };
}

export function uncheckedIn({ states }: Occurrences): number {
  return states.get('pending') ?? 0;
}

/** What occurs in any of the pages, the commonest first: nothing else is worth choosing. */
export function choicesIn(pages: readonly Occurrences[]): Choices {
  return {
    hasUnchecked: pages.some((page) => uncheckedIn(page) > 0),
    reasons: byCount(pages.map(({ whys }) => whys)),
    providers: byCount(pages.map(({ providers }) => providers)),
    flags: byCount(pages.map(({ flags }) => flags)),
  };
}

function byCount<Name>(pages: readonly ReadonlyMap<Name, number>[]): Name[] {
  return [...addedUp(pages)].sort(([, a], [, b]) => b - a).map(([name]) => name);
}

export function addedUp<Name>(pages: readonly ReadonlyMap<Name, number>[]): ReadonlyMap<Name, number> {
  const sums = new Map<Name, number>();
  for (const page of pages) for (const [name, count] of page) add(sums, name, count);
  return sums;
}

function add<Name>(counts: Map<Name, number>, name: Name, count = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}
