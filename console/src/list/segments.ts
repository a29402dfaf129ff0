// What to do with each address: five actions, decided by state and reason. Pure.
import type { Breakdown, ListSummary, ResultRow } from '@mxproof/client';

export const ACTIONS = ['send', 'separate', 'skip', 'remove', 'retry'] as const;
export type Action = (typeof ACTIONS)[number];

/** Null: not checked. */
export function actionFor({ state, reason }: Pick<ResultRow, 'state' | 'reason'>): Action | null {
  switch (state) {
    case 'deliverable':
      return 'send';
    case 'risky':
      return reason === 'low_deliverability' ? 'separate' : 'skip';
    case 'undeliverable':
      return 'remove';
    case 'unknown':
      return 'retry';
    case 'pending':
      return null;
    default:
      return state satisfies never;
  }
}

/** The mark that stands for an action. */
export const STATE_OF = {
  send: 'deliverable',
  separate: 'risky',
  skip: 'risky',
  remove: 'undeliverable',
  retry: 'unknown',
} as const satisfies Record<Action, ResultRow['state']>;

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
