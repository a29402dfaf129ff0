// Why a verdict was given, in one sentence for people who know nothing of SMTP. Pure.
// Promise: the same sentence wherever a verdict is explained; it follows from kinds, never from other sentences, and
// does not say anything else than the detail word.
import { DETAILS } from '@mxproof/common/vocabulary/details';
import type { Detail, Evidence, Verdict } from '../types.ts';

interface ExplainedVerdict extends Pick<Verdict, 'reason' | 'acceptAll'> {
  /** null or unset: of a verdict that was stored before 0.2. */
  readonly detail?: Detail | null;
}

const NO_DNS_SERVER =
  'The DNS servers of this service did not answer, which says nothing about the domain of this address.';

/** `evidence` as far as it says more than the verdict. */
export function explain(
  { reason, acceptAll, detail }: ExplainedVerdict,
  evidence: Pick<Evidence, 'meaning' | 'attempts'>,
): string {
  if (reason === 'dns_error' && detail === 'network_down') return NO_DNS_SERVER;
  const finer = detail == null ? undefined : DETAILS[detail].explanation;
  if (finer !== undefined) return finer;
  switch (reason) {
    case 'accepted_email':
      return evidence.meaning === 'mailbox_busy'
        ? 'The mail server says that the mailbox exists, but receives too much mail at the moment.'
        : 'The mail server accepts mail for this address, and refuses it for addresses that do not exist.';
    case 'low_deliverability':
      if (evidence.meaning === 'over_quota') return 'The mailbox exists, but it is full.';
      return acceptAll
        ? 'The mail server accepts every address of this domain, so nobody can tell whether this one exists.'
        : 'The mail server accepts this address, but may accept every other one too, so it may not exist.';
    case 'low_quality':
      return 'The mail server accepts mail for this address, but it belongs to a role, not to a person.';
    case 'disposable':
      return 'The domain of this address provides disposable mailboxes.';
    case 'rejected_email':
      return 'The mail server says that this mailbox does not exist.';
    case 'invalid_domain':
      return 'The domain of this address cannot receive mail.';
    case 'invalid_email':
      return 'This is not a valid e-mail address.';
    case 'unavailable_smtp':
      return explainSilence(evidence, detail ?? null);
    case 'no_connect':
      return 'No mail server of this domain could be reached.';
    case 'dns_error':
      return 'DNS gave no usable answer about the domain of this address.';
    default:
      return reason satisfies never;
  }
}

/** A server was there, and still nothing is known about the mailbox. */
function explainSilence(
  { meaning, attempts }: Pick<Evidence, 'meaning' | 'attempts'>,
  detail: Detail | null,
): string {
  const times = `${attempts} attempt${attempts === 1 ? '' : 's'}`;
  if (detail === 'connection_lost')
    return `The mail server ended the connection without an answer in ${times}.`;
  if (detail === 'timeout') return `The mail server gave no answer about this address in ${times}.`;
  switch (meaning) {
    case null:
      return attempts === 0
        ? 'The mail server was not asked about this address.'
        : `The mail server gave no answer about this address in ${times}.`;
    case 'greylisted':
    case 'temporary':
    case 'too_many_recipients':
      return `The mail server asked to try again later, and still did so after ${times}.`;
    case 'rate_limited':
      return 'The mail server may be asked only so often, and gave no answer in time.';
    case 'blocked':
      return detail === 'unclear'
        ? 'The mail server refused for a reason that says nothing about whether this mailbox exists.'
        : 'The mail server refuses to talk to this service, whichever address is asked about.';
    case 'sender_refused':
      return 'The mail server refuses the sender address that this service asks with.';
    case 'tls_required':
      return 'The mail server insists on an encrypted connection that could not be established.';
    case 'relay_denied':
    case 'tenant_lapsed':
      return 'The mail server says that it does not accept mail for this domain.';
    case 'no_mailbox':
      return 'The mail server refuses every address of this domain alike, so its refusal says nothing about this one.';
    case 'content':
    case 'protocol':
      return 'The mail server refused the question itself, not the address.';
    case 'accepted':
    case 'mailbox_busy':
    case 'over_quota':
    case 'unclear':
      return 'The mail server answered, but not in words that say whether this mailbox exists.';
    default:
      return meaning satisfies never;
  }
}
