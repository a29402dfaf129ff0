// What was unknown or misspelt and has an answer now: rows of later lists in the place of a list's own, and the numbers they
// change. Pure.
import type { ListSummary, ResultRow } from '@mxproof/client';
import { meantBy } from './corrections.ts';
import type { PlacedRow, ShownRow } from './use-rows.ts';
import type { WholeBreakdown } from './whole-list.ts';

export interface Change {
  readonly from: ResultRow;
  readonly to: ResultRow;
}

export interface Answered {
  /** Where nothing is answered, the rows that were given. */
  readonly rows: readonly PlacedRow[];
  readonly changes: readonly Change[];
}

/** What was unknown. `later`: of the lists that came after, oldest first. */
export function answered(rows: readonly PlacedRow[], later: readonly PlacedRow[]): Answered {
  const answers = byAddress(later.filter(({ row: { state } }) => state !== 'unknown' && state !== 'pending'));
  return replaced(rows, answers, ({ state, email }) => (state === 'unknown' ? email : null));
}

/** What was misspelt. `corrections`: rows of what was meant, oldest first. */
export function corrected(rows: readonly PlacedRow[], corrections: readonly PlacedRow[]): Answered {
  const answers = byAddress(corrections.filter(({ row: { state } }) => state !== 'pending'));
  return replaced(rows, answers, meantBy, ({ email, suggestion }, answer) => ({
    ...answer,
    row: { ...answer.row, email, suggestion: suggestion ?? null, checked_as: answer.row.email },
  }));
}

/** Of several answers the last. What was erased answers nothing. */
function byAddress(rows: readonly PlacedRow[]): ReadonlyMap<string, PlacedRow> {
  return new Map(rows.filter(({ row }) => row.email !== '').map((placed) => [placed.row.email, placed]));
}

function replaced(
  rows: readonly PlacedRow[],
  answers: ReadonlyMap<string, PlacedRow>,
  askedOf: (row: ShownRow) => string | null,
  shownFor: (row: ShownRow, answer: PlacedRow) => PlacedRow = (_, answer) => answer,
): Answered {
  const changes: Change[] = [];
  if (answers.size === 0) return { rows, changes };
  const shown = rows.map((placed) => {
    const asked = askedOf(placed.row);
    const answer = asked === null ? undefined : answers.get(asked);
    if (!answer) return placed;
    changes.push({ from: placed.row, to: answer.row });
    return shownFor(placed.row, answer);
  });
  return { rows: changes.length === 0 ? rows : shown, changes };
}

export function changedList(list: ListSummary, changes: readonly Change[]): ListSummary {
  return { ...list, counts: changed(list.counts, changes, ({ state }) => state) as ListSummary['counts'] };
}

export function changedBreakdown(breakdown: WholeBreakdown, changes: readonly Change[]): WholeBreakdown {
  return {
    reasons: changed(breakdown.reasons, changes, ({ reason }) => reason) as WholeBreakdown['reasons'],
    // Rows without a mail server have none.
    providers: changed(breakdown.providers, changes, ({ provider }) => provider || null),
    // Rows from before 0.2 have none.
    details: changed(breakdown.details, changes, ({ detail }) => detail ?? null),
  };
}

function changed(
  counts: Readonly<Record<string, number>>,
  changes: readonly Change[],
  nameOf: (row: ResultRow) => string | null,
): Record<string, number> {
  const sums = { ...counts };
  const add = (name: string | null, count: number) => {
    if (name !== null) sums[name] = (sums[name] ?? 0) + count;
  };
  for (const { from, to } of changes) {
    add(nameOf(from), -1);
    add(nameOf(to), 1);
  }
  return sums;
}
