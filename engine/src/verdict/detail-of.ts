// Facts and the reason that follows from them → the detail word. Pure. Promise: decided with the verdict, from kinds,
// never from a sentence; a word only ever stands with the reasons listed for it; a new reason, meaning or word does not
// compile until it has its place here.
import { decidesAfterData, isGateway, providerOf } from '../domain/provider.ts';
import type { Facts, Meaning, Reason } from '../types.ts';
import type { Detail } from './details.ts';

/**
 * Which reasons a word can stand with; the first is the usual one. When a list's time is over, what an address waited for
 * may stand with the reason of an earlier attempt (check/unanswered.ts).
 */
export const REASONS_OF: Readonly<Record<Detail, readonly Reason[]>> = {
  accepted: ['accepted_email'],
  role: ['low_quality'],
  disposable: ['disposable'],
  catch_all: ['low_deliverability'],
  catch_all_unknown: ['low_deliverability'],
  decides_after_data: ['low_deliverability'],
  tenant_accepts_all: ['low_deliverability'],
  gateway_accepts_all: ['low_deliverability'],
  mailbox_full: ['low_deliverability'],
  no_such_mailbox: ['rejected_email'],
  mailbox_disabled: ['rejected_email'],
  mailbox_moved: ['rejected_email'],
  syntax: ['invalid_email'],
  no_such_domain: ['invalid_domain'],
  no_mx: ['invalid_domain'],
  null_mx: ['invalid_domain'],
  private_address: ['invalid_domain'],
  tenant_lapsed: ['unavailable_smtp'],
  greylisted: ['unavailable_smtp'],
  rate_limited: ['unavailable_smtp'],
  blocked: ['unavailable_smtp'],
  source_resting: ['unavailable_smtp'],
  budget: ['unavailable_smtp', 'no_connect'],
  sender_refused: ['unavailable_smtp'],
  temporary: ['unavailable_smtp'],
  unclear: ['unavailable_smtp', 'no_connect'],
  timeout: ['no_connect', 'unavailable_smtp'],
  connection_refused: ['no_connect', 'unavailable_smtp'],
  connection_lost: ['unavailable_smtp', 'no_connect'],
  tls_failed: ['unavailable_smtp', 'no_connect'],
  proxy_refused: ['no_connect', 'unavailable_smtp'],
  proxy_no_route: ['no_connect', 'unavailable_smtp'],
  dns_failed: ['dns_error', 'no_connect', 'unavailable_smtp'],
  dns_untrusted: ['dns_error', 'no_connect', 'unavailable_smtp'],
  network_down: ['no_connect', 'unavailable_smtp', 'dns_error'],
  // The second: a list that guesses, stopped after the host has answered about others.
  never_asked: ['no_connect', 'unavailable_smtp'],
  list_ended: ['no_connect', 'unavailable_smtp'],
};

/** The cause where it can stand with the reason, else the word that the reason has without one. */
export function detailOf(facts: Facts, reason: Reason): Detail {
  const cause = facts.cause ?? (facts.mailbox === null ? null : detailOfMeaning(facts.mailbox));
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
  return cause !== null && REASONS_OF[cause].includes(reason);
}

/** Whose way it is that the catch-all probe was accepted too: no more is known than who runs the host that answered. */
function acceptsAll(mx: string | null): Detail {
  const provider = mx === null ? '' : providerOf(mx);
  if (decidesAfterData(provider)) return 'decides_after_data';
  if (provider === 'microsoft') return 'tenant_accepts_all';
  return isGateway(provider) ? 'gateway_accepts_all' : 'catch_all';
}

/** The word for a reply of this meaning, where nothing finer is known of it. */
export function detailOfMeaning(meaning: Meaning): Detail {
  switch (meaning) {
    case 'accepted':
    case 'mailbox_busy':
      return 'accepted';
    case 'no_mailbox':
      return 'no_such_mailbox';
    case 'over_quota':
      return 'mailbox_full';
    case 'greylisted':
    case 'temporary':
    case 'rate_limited':
    case 'blocked':
    case 'sender_refused':
    case 'tenant_lapsed':
      return meaning;
    case 'too_many_recipients':
      return 'temporary';
    case 'tls_required':
      return 'tls_failed';
    case 'relay_denied':
    case 'content':
    case 'protocol':
    case 'unclear':
      return 'unclear';
    default:
      return meaning satisfies never;
  }
}
