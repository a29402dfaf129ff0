// How many addresses of a list each action has. Pure.
import type { Breakdown, ListSummary } from '@mxproof/client';
import { ACTION_WORDS, type Action, actionFor } from '@mxproof/common/vocabulary/labels';
import type { PlacedRow } from './row-pages.ts';

/** Null: not known yet. */
export type ActionCounts = Readonly<Record<Action, number | null>>;

/** From the list alone where that is enough; `risky` is told apart once the breakdown is there. */
export function countActions(
  { counts }: Pick<ListSummary, 'counts'>,
  reasons: Breakdown['reasons'] | undefined,
): ActionCounts {
  return {
    send: counts.deliverable,
    separate: reasons ? reasons.low_deliverability : null,
    skip: reasons ? reasons.low_quality + reasons.disposable : null,
    remove: counts.undeliverable,
    retry: counts.unknown,
  };
}

/** Of each action's, how many are on the account's suppression list: they are in no file of addresses to send to. */
export function countSuppressed(rows: readonly PlacedRow[]): Readonly<Record<Action, number>> {
  const counts = Object.fromEntries(ACTION_WORDS.map((action) => [action, 0])) as Record<Action, number>;
  for (const { row } of rows) {
    const action = row.suppressed ? actionFor(row) : null;
    if (action !== null) counts[action] += 1;
  }
  return counts;
}
