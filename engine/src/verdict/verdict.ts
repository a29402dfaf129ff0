// Facts → verdict, in the decided order: the first that holds.
import type { Facts, Meaning, Reason, State, Verdict } from '../types.ts';
import { score } from './score.ts';

export interface MeaningOutcome {
  readonly state: State;
  readonly reason: Reason;
}

export function meaningOutcome(meaning: Meaning): MeaningOutcome {
  if (meaning === 'accepted') return { state: 'deliverable', reason: 'accepted_email' };
  if (meaning === 'no_mailbox') return { state: 'undeliverable', reason: 'rejected_email' };
  if (meaning === 'over_quota') return { state: 'risky', reason: 'low_deliverability' };
  return { state: 'unknown', reason: 'unavailable_smtp' };
}

export function verdict(facts: Facts): Verdict {
  const { state, reason } = meaningOutcome(facts.mailbox ?? 'unclear');
  const { role, free, disposable, mx, provider } = facts;
  const acceptAll = facts.catchAll === 'yes';
  return {
    state,
    reason,
    score: score(facts, state, reason),
    acceptAll,
    role,
    free,
    disposable,
    mx,
    provider,
  };
}
