// What was unknown and has an answer now: rows of later lists in the place of a list's own, and the numbers they change.
// Pure.
import type { ListSummary, ResultRow } from '@mxproof/client';
import type { PlacedRow } from './use-rows.ts';
import type { WholeBreakdown } from './whole-list.ts';

export interface Change {
  readonly from: ResultRow;
  readonly to: ResultRow;
}

/** Where nothing is answered, the rows themselves. `later`: of the lists that came after, oldest first. */
export function answered(
  rows: readonly PlacedRow[],
  later: readonly PlacedRow[],
): { readonly rows: readonly PlacedRow[]; readonly changes: readonly Change[] } {
  const answers = new Map(
    later
      .filter(({ row: { state } }) => state !== 'unknown' && state !== 'pending')
      .map((placed) => [placed.row.email, placed]),
  );
  const changes: Change[] = [];
  if (answers.size === 0) return { rows, changes };
  const shown = rows.map((placed) => {
    const answer = placed.row.state === 'unknown' ? answers.get(placed.row.email) : undefined;
    if (answer) changes.push({ from: placed.row, to: answer.row });
    return answer ?? placed;
  });
  return { rows: shown, changes };
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
