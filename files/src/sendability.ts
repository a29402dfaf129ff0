// How well one can send to an address, to tell the best of a row.

import type { Result } from './result-columns.ts';

/** Before what would bounce: it may be a good one. */
const NOTHING_KNOWN = 1;
const SUPPRESSED = 0;
const BY_STATE: Readonly<Record<string, number>> = { undeliverable: 0, unknown: 2, risky: 3, deliverable: 5 };

/** More is better. Null: nothing is known of it. */
export function sendability(result: Pick<Result, 'state' | 'reason' | 'suppressed'> | null): number {
  if (result === null) return NOTHING_KNOWN;
  // Its owner does not want mail, or it bounced.
  if (result.suppressed) return SUPPRESSED;
  // Mail may arrive, and a person may read it.
  if (result.state === 'risky' && result.reason === 'low_deliverability') return 4;
  return BY_STATE[result.state] ?? NOTHING_KNOWN;
}
