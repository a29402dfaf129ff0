// Facts and the reason that follows from them → the detail word. Pure. Promise: decided with the verdict, from kinds,
// never from a sentence; a new reason or meaning does not compile until it has its word.
import type { Facts, Meaning, Reason } from '../types.ts';
import type { Detail } from './details.ts';

export function detailOf(facts: Facts, reason: Reason): Detail {
  switch (reason) {
    case 'accepted_email':
      return 'accepted';
    case 'low_deliverability':
      if (facts.mailbox === 'over_quota') return 'mailbox_full';
      return facts.catchAll === 'yes' ? 'catch_all' : 'catch_all_unknown';
    case 'low_quality':
      return 'role';
    case 'disposable':
      return 'disposable';
    case 'rejected_email':
      return 'no_such_mailbox';
    case 'invalid_domain':
      return 'no_such_domain';
    case 'invalid_email':
      return 'syntax';
    case 'unavailable_smtp':
      return facts.mailbox === null ? 'timeout' : detailOfMeaning(facts.mailbox);
    case 'no_connect':
      return 'timeout';
    case 'dns_error':
      return 'dns_failed';
    default:
      return reason satisfies never;
  }
}

/** What a reply is called while it decides nothing. */
function detailOfMeaning(meaning: Meaning): Detail {
  switch (meaning) {
    case 'accepted':
    case 'mailbox_busy':
      return 'accepted';
    case 'no_mailbox':
    case 'relay_denied':
    case 'content':
    case 'protocol':
    case 'unclear':
      return 'unclear';
    case 'over_quota':
      return 'mailbox_full';
    case 'greylisted':
    case 'temporary':
    case 'rate_limited':
    case 'blocked':
    case 'sender_refused':
      return meaning;
    case 'too_many_recipients':
      return 'temporary';
    case 'tls_required':
      return 'tls_failed';
    default:
      return meaning satisfies never;
  }
}
