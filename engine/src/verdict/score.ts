// How confident we are that mail to this address arrives and is wanted: one integer, a pure function of the facts.
// Undeliverable and unknown are 0, so that a threshold fails safe; risky is 1–79, deliverable 80–100.
import type { Facts, Reason, State } from '../types.ts';

const DELIVERABLE = 95;
/** A mailbox at a free provider is a person's, but also the easiest to open and to leave. */
const FREE_DEDUCTION = 5;
/** The host refused the catch-all probe: its acceptance is worth more. */
const KNOWN_SELECTIVE_BONUS = 5;

const OVER_QUOTA = 15;
const DISPOSABLE = 10;
const CATCH_ALL_KNOWN = 60;
const CATCH_ALL_NOT_KNOWN = 70;
const ROLE = 50;
/** A role mailbox at a catch-all domain may not even be there. */
const ROLE_CATCH_ALL_DEDUCTION = 15;

export function score(facts: Facts, state: State, reason: Reason): number {
  switch (state) {
    case 'undeliverable':
    case 'unknown':
      return 0;
    case 'deliverable':
      return (
        DELIVERABLE -
        (facts.free ? FREE_DEDUCTION : 0) +
        (facts.catchAll === 'no' ? KNOWN_SELECTIVE_BONUS : 0)
      );
    case 'risky':
      return riskyScore(facts, reason);
    default: {
      const never: never = state;
      return never;
    }
  }
}

function riskyScore(facts: Facts, reason: Reason): number {
  if (reason === 'disposable') return DISPOSABLE;
  if (reason === 'low_quality') return ROLE - (facts.catchAll === 'no' ? 0 : ROLE_CATCH_ALL_DEDUCTION);
  if (facts.mailbox === 'over_quota') return OVER_QUOTA;
  return (
    (facts.catchAll === 'yes' ? CATCH_ALL_KNOWN : CATCH_ALL_NOT_KNOWN) - (facts.free ? FREE_DEDUCTION : 0)
  );
}
