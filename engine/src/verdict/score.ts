// How sure we are, as one number.
import type { Facts, Reason, State } from '../types.ts';

export function score(_facts: Facts, state: State, _reason: Reason): number {
  return state === 'deliverable' ? 95 : state === 'risky' ? 50 : 0;
}
