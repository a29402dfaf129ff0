// How well one can send to an address, to tell the best of a row.

import { type Action, actionFor } from '@mxproof/common/vocabulary/labels';
import type { Result } from './result-columns.ts';

/** The best last. Null is an address of which nothing is known: it may be a good one, and comes before what would bounce. */
const ORDER: readonly (Action | null)[] = ['remove', null, 'retry', 'skip', 'separate', 'send'];

/** More is better. Null: nothing is known of it. */
export function sendability(result: Pick<Result, 'reason'> | null): number {
  return ORDER.indexOf(result && actionFor(result));
}
