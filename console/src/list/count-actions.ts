// How many addresses of a list each action has. Pure.
import type { Breakdown, ListSummary } from '@mxproof/client';
import type { Action } from '@mxproof/common/vocabulary/labels';

/** From the list alone where that is enough; `risky` is told apart once the breakdown is there. */
export function countActions(
  { counts }: Pick<ListSummary, 'counts'>,
  reasons: Breakdown['reasons'] | undefined,
): Record<Action, number | null> {
  return {
    send: counts.deliverable,
    separate: reasons ? reasons.low_deliverability : null,
    // Not `risky` less the others: while a list runs, its counts are newer than its breakdown.
    skip: reasons ? reasons.low_quality + reasons.disposable : null,
    remove: counts.undeliverable,
    retry: counts.unknown,
  };
}
