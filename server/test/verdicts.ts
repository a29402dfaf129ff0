// Verdicts for tests: what the fake checker says of an address, by the first letters of its name.
import type { Verdict } from '@mxproof/engine';
import type { RowVerdict } from '../src/rules/chunk-results.ts';

export const accepted: Verdict = {
  state: 'deliverable',
  reason: 'accepted_email',
  detail: 'accepted',
  score: 95,
  acceptAll: false,
  role: false,
  free: false,
  disposable: false,
  mx: 'mx.example.com',
  provider: 'other',
};

/** As it is read from the rows. */
export const acceptedRow: RowVerdict = { ...accepted, checkedAtSeconds: 1_700_000_000 };

export function verdictOf(email: string): Verdict {
  if (email.startsWith('no'))
    return {
      ...accepted,
      state: 'undeliverable',
      reason: 'rejected_email',
      detail: 'no_such_mailbox',
      score: 0,
    };
  if (email.startsWith('unknown'))
    return { ...accepted, state: 'unknown', reason: 'unavailable_smtp', detail: 'temporary', score: 0 };
  if (email.startsWith('mute'))
    return { ...accepted, state: 'unknown', reason: 'no_connect', detail: 'timeout', score: 0 };
  return accepted;
}
