// The order of the rows by one of their columns. Pure. Promise: rows that are equal there stay in the list's own order, in
// either direction; and it runs in short steps, between which the console stays responsive.

import type { ResultRow } from '@mxproof/client';
import { ACTION_WORDS, actionFor } from '@mxproof/common/vocabulary/labels';
import { providerName } from '@mxproof/common/vocabulary/providers';
import { whyOf } from '../check/why.ts';
import { messages } from '../messages/messages.ts';
import type { PlacedRow } from './use-rows.ts';

export const SORT_COLUMNS = ['address', 'action', 'reason', 'provider', 'score', 'risk'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

export interface RowOrder {
  readonly id: SortColumn;
  readonly desc: boolean;
}

type RowComparator = (a: PlacedRow, b: PlacedRow) => number;

const ranksOf = (words: object): ReadonlyMap<string, number> =>
  new Map(Object.keys(words).map((word, at) => [word, at]));
/** In the order of their actions; what was not checked last. */
const REASON_RANKS = ranksOf(messages.reasons);
/** Details of one reason are not mixed. */
const WHY_RANKS = ranksOf(messages.details);

const ASCENDING: Readonly<Record<SortColumn, RowComparator>> = {
  address: ({ row: a }, { row: b }) => byCodeUnit(a.email, b.email),
  action: ({ row: a }, { row: b }) => actionRank(a) - actionRank(b),
  reason: ({ row: a }, { row: b }) =>
    REASON_RANKS.get(a.reason)! - REASON_RANKS.get(b.reason)! || whyRank(a) - whyRank(b),
  // Those without one last.
  provider: ({ row: a }, { row: b }) =>
    Number(a.provider === '') - Number(b.provider === '') ||
    byCodeUnit(nameKey(a.provider), nameKey(b.provider)),
  score: ({ row: a }, { row: b }) => scoreOf(a) - scoreOf(b),
  // Those of which nothing is known last.
  risk: ({ row: a }, { row: b }) => (a.bounce_probability ?? 2) - (b.bounce_probability ?? 2),
};

const nameKeys = new Map<string, string>();

/** Of a provider, as it is shown but for the case; made once for each. */
function nameKey(word: string): string {
  const known = nameKeys.get(word) ?? providerName(word).toLowerCase();
  nameKeys.set(word, known);
  return known;
}

/** By code unit, as addresses do not depend on a locale; and faster than a collator. */
function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The best first, as the actions stand above the table; what was not checked last. */
function actionRank(row: ResultRow): number {
  const action = actionFor(row);
  return action === null ? ACTION_WORDS.length : ACTION_WORDS.indexOf(action);
}

/** In the list's order where there is no detail. */
function whyRank(row: ResultRow): number {
  return WHY_RANKS.get(whyOf(row) ?? '') ?? -1;
}

/** What was not checked has none, and stands below every score. */
function scoreOf({ state, score }: ResultRow): number {
  // Neither has one; an unknown row stands before what is not checked.
  return state === 'pending' ? -2 : state === 'unknown' ? -1 : score;
}

/** Rows sorted before the thread is yielded (ADR 0040). */
const RUN_ROWS = 1_024;
const MERGE_STEP_ROWS = 4_096;

/** A merge sort that yields between steps; the last step returns the rows in order. */
export function* sorting(
  rows: readonly PlacedRow[],
  { id, desc }: RowOrder,
): Generator<void, readonly PlacedRow[], void> {
  const ascending = ASCENDING[id];
  const compare: RowComparator = desc ? (a, b) => ascending(b, a) : ascending;
  let runs: PlacedRow[][] = [];
  for (let at = 0; at < rows.length; at += RUN_ROWS) {
    runs.push(rows.slice(at, at + RUN_ROWS).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: PlacedRow[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      longer.push(yield* merging(runs[at]!, runs[at + 1] ?? [], compare));
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merging(
  a: PlacedRow[],
  b: PlacedRow[],
  compare: RowComparator,
): Generator<void, PlacedRow[], void> {
  const merged: PlacedRow[] = [];
  let fromA = 0;
  let fromB = 0;
  while (fromA < a.length && fromB < b.length) {
    merged.push(compare(a[fromA]!, b[fromB]!) <= 0 ? a[fromA++]! : b[fromB++]!);
    if (merged.length % MERGE_STEP_ROWS === 0) yield;
  }
  return merged.concat(a.slice(fromA), b.slice(fromB));
}
