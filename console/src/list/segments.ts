// What to do with each address: five actions, decided by state and reason. Pure.
import type { Breakdown, ListSummary, ResultRow } from '@mxproof/client';
import { type Action, REASON_LABELS, type Reason } from '@mxproof/common/vocabulary/labels';

/** Null: not checked, or for a reason that a later service gives. */
export function actionFor({ reason }: Pick<ResultRow, 'reason'>): Action | null {
  return REASON_LABELS[reason as Reason]?.action ?? null;
}

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
