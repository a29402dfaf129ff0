// Facts and the reason that follows from them → the detail word. Pure. Promise: decided with the verdict, from kinds,
// never from a sentence; a word only ever stands with the reasons listed for it; a new reason does not compile until it has
// its place here.
import { DETAILS } from '@mxproof/common/vocabulary/details';
import type { Detail } from '@mxproof/common/vocabulary/labels';
import { MEANINGS } from '@mxproof/common/vocabulary/meanings';
import { decidesAfterData, isGateway, providerOf } from '../domain/provider.ts';
import type { Facts, Reason } from '../types.ts';

/** The cause where it can stand with the reason, else the word that the reason has without one. */
export function detailOf(facts: Facts, reason: Reason): Detail {
  const cause = facts.cause ?? (facts.mailbox === null ? null : MEANINGS[facts.mailbox].detail);
  switch (reason) {
    case 'accepted_email':
      return 'accepted';
    case 'low_deliverability':
      if (facts.mailbox === 'over_quota') return 'mailbox_full';
      return facts.catchAll === 'yes' ? acceptsAll(facts.mx) : 'catch_all_unknown';
    case 'low_quality':
      return 'role';
    case 'disposable':
      return 'disposable';
    case 'rejected_email':
      return standsWith(cause, reason) ? cause : 'no_such_mailbox';
    case 'invalid_domain':
      return standsWith(cause, reason) ? cause : 'no_such_domain';
    case 'invalid_email':
      return 'syntax';
    case 'unavailable_smtp':
      return standsWith(cause, reason) ? cause : 'unclear';
    case 'no_connect':
      return standsWith(cause, reason) ? cause : 'timeout';
    case 'dns_error':
      return standsWith(cause, reason) ? cause : 'dns_failed';
    default:
      return reason satisfies never;
  }
}

export function standsWith(cause: Detail | null, reason: Reason): cause is Detail {
  return cause !== null && DETAILS[cause].reasons.includes(reason);
}

/** Whose way it is that the catch-all probe was accepted too: no more is known than who runs the host that answered. */
function acceptsAll(mx: string | null): Detail {
  const provider = mx === null ? '' : providerOf(mx);
  if (decidesAfterData(provider)) return 'decides_after_data';
  if (provider === 'microsoft') return 'tenant_accepts_all';
  return isGateway(provider) ? 'gateway_accepts_all' : 'catch_all';
}
