// Facts → verdict: the first rule that applies decides. Pure.
//
//   1 not a mailbox ............... undeliverable invalid_email
//   2 domain cannot receive ....... undeliverable invalid_domain
//   3 disposable domain ........... risky         disposable
//   4 DNS gave no answer .......... unknown       dns_error
//   5 no MX host reached .......... unknown       no_connect
//   6 no such mailbox ............. undeliverable rejected_email    (unless the host refuses every recipient alike)
//   7 over quota .................. risky         low_deliverability
//   8 no answer about it .......... unknown       unavailable_smtp
//   9 accepted, or deferred to the end in words that say the mailbox exists:
//               role .............. risky         low_quality
//               catch-all, or not known ... risky low_deliverability
//               else .............. deliverable   accepted_email
import type { Facts, Meaning, Reason, State, Verdict } from '../types.ts';
import { detailOf } from './detail-of.ts';
import { score } from './score.ts';

export interface StateAndReason {
  readonly state: State;
  readonly reason: Reason;
}

const UNAVAILABLE: StateAndReason = { state: 'unknown', reason: 'unavailable_smtp' };

export function verdict(facts: Facts): Verdict {
  const { state, reason } = firstThatHolds(facts);
  return {
    state,
    reason,
    detail: detailOf(facts, reason),
    score: score(facts, state, reason),
    acceptAll: facts.catchAll === 'yes',
    role: facts.role,
    free: facts.free,
    disposable: facts.disposable,
    mx: facts.mx,
    provider: facts.provider,
  };
}

function firstThatHolds(facts: Facts): StateAndReason {
  if (facts.address === null) return { state: 'undeliverable', reason: 'invalid_email' };
  if (facts.dns === 'cannot_receive') return { state: 'undeliverable', reason: 'invalid_domain' };
  if (facts.disposable) return { state: 'risky', reason: 'disposable' };
  // Not asked without the two reasons above is a question that was never put: no answer, not a verdict.
  if (facts.dns !== 'ok') return { state: 'unknown', reason: 'dns_error' };
  if (!facts.connected) return { state: 'unknown', reason: 'no_connect' };
  const answer = facts.mailbox === null ? UNAVAILABLE : meaningOutcome(facts.mailbox);
  // The same refusal for every recipient, including the catch-all probe, says nothing about any of them.
  if (answer.state === 'undeliverable' && facts.refusesAll) return UNAVAILABLE;
  if (!saysItExists(facts.mailbox)) return answer;
  if (facts.role) return { state: 'risky', reason: 'low_quality' };
  if (facts.catchAll !== 'no') return { state: 'risky', reason: 'low_deliverability' };
  return answer;
}

/** A yes, or a deferral that is as good as one once the retries are used up. */
export function saysItExists(mailbox: Meaning | null): boolean {
  return mailbox === 'accepted' || mailbox === 'mailbox_busy';
}

/** What a reply to RCPT leads to, taken alone. A reply at an earlier stage leads nowhere: unavailable_smtp. */
export function meaningOutcome(meaning: Meaning): StateAndReason {
  switch (meaning) {
    case 'accepted':
    case 'mailbox_busy':
      return { state: 'deliverable', reason: 'accepted_email' };
    case 'no_mailbox':
      return { state: 'undeliverable', reason: 'rejected_email' };
    case 'over_quota':
      return { state: 'risky', reason: 'low_deliverability' };
    case 'greylisted':
    case 'temporary':
    case 'rate_limited':
    case 'too_many_recipients':
    case 'blocked':
    case 'sender_refused':
    case 'tls_required':
    case 'relay_denied':
    case 'tenant_lapsed':
    case 'content':
    case 'protocol':
    case 'unclear':
      return UNAVAILABLE;
    default: {
      const never: never = meaning;
      return never;
    }
  }
}
