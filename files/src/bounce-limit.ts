// Which addresses to send to, where "Send carefully" is cut at a risk of bouncing. Pure.
// Promises: where no risk is known, none is assumed, and the address is not sent to; what is suppressed never is.

import { actionFor } from '@mxproof/common/vocabulary/labels';
import type { Result } from './result-columns.ts';

type Risky = Pick<Result, 'reason' | 'bounce_probability' | 'suppressed'>;

/** How many of "Send carefully" are on which side of a limit. */
export interface LimitCounts {
  readonly below: number;
  readonly above: number;
  /** Nothing is known of mail to such addresses. */
  readonly unknown: number;
}

/** Null: the limit says nothing about it, as it is not of "Send carefully", or is suppressed. */
export function sideOfLimit(result: Risky, limitPercent: number): keyof LimitCounts | null {
  if (result.suppressed || actionFor(result) !== 'separate') return null;
  if (result.bounce_probability == null) return 'unknown';
  return result.bounce_probability < limitPercent / 100 ? 'below' : 'above';
}

/** Whether it stays among the rows that are chosen. `limitPercent` null: there is no limit. */
export function staysWithin(result: Risky, limitPercent: number | null): boolean {
  if (result.suppressed) return false;
  const side = limitPercent === null ? null : sideOfLimit(result, limitPercent);
  return side === null || side === 'below';
}

export function countSides(results: Iterable<Risky>, limitPercent: number): LimitCounts {
  const counts = { below: 0, above: 0, unknown: 0 };
  for (const result of results) {
    const side = sideOfLimit(result, limitPercent);
    if (side !== null) counts[side] += 1;
  }
  return counts;
}
