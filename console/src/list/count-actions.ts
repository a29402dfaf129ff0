// How many addresses of a list each action has. Pure.
import type { Breakdown, ListSummary } from '@mxproof/client';
import type { Action } from '@mxproof/common/vocabulary/labels';

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
