// What was unknown, never checked or misspelt and has a result now: rows of later lists in the place of a list's own. Pure.
import type { ResultRow } from '@mxproof/client';
import { meantBy } from './corrections.ts';
import type { PlacedRow, ShownRow } from './use-rows.ts';

export interface Answered {
  /** Where nothing is answered, the rows that were given. */
  readonly rows: readonly PlacedRow[];
  /** Those that came. */
  readonly answers: readonly ResultRow[];
}

/**
 * What was unknown, and what was never checked, which may be unknown now. `later`: of the lists that came after, oldest
 * first.
 */
export function answered(rows: readonly PlacedRow[], later: readonly PlacedRow[]): Answered {
  const checked = later.filter(({ row: { state } }) => state !== 'pending');
  if (checked.length === 0) return { rows, answers: [] };
  const answers = byAddress(checked.filter(({ row: { state } }) => state !== 'unknown'));
  const results = new Map([...byAddress(checked), ...answers]);
  return replaced(rows, ({ state, email }) =>
    state === 'unknown' ? answers.get(email) : state === 'pending' ? results.get(email) : undefined,
  );
}

/** What was misspelt. `corrections`: rows of what was meant, oldest first. */
export function corrected(rows: readonly PlacedRow[], corrections: readonly PlacedRow[]): Answered {
  const answers = byAddress(corrections.filter(({ row: { state } }) => state !== 'pending'));
  if (answers.size === 0) return { rows, answers: [] };
  return replaced(rows, (row) => {
    const answer = answers.get(meantBy(row) ?? '');
    const { email, suggestion = null } = row;
    return answer && { ...answer, row: { ...answer.row, email, suggestion, checked_as: answer.row.email } };
  });
}

/** Of several answers the last. What was erased answers nothing. */
function byAddress(rows: readonly PlacedRow[]): ReadonlyMap<string, PlacedRow> {
  return new Map(rows.filter(({ row }) => row.email !== '').map((placed) => [placed.row.email, placed]));
}

function replaced(rows: readonly PlacedRow[], answerTo: (row: ShownRow) => PlacedRow | undefined): Answered {
  const answers: ResultRow[] = [];
  const shown = rows.map((placed) => {
    const answer = answerTo(placed.row);
    if (!answer) return placed;
    answers.push(answer.row);
    return answer;
  });
  return { rows: answers.length === 0 ? rows : shown, answers };
}
