// Why a verdict was given, in one sentence for people who know nothing of SMTP. Pure. The sentences stand in the vocabulary's rows;
// here is decided which of them is said.
// Promise: the same sentence wherever a verdict is explained; it follows from kinds, never from other sentences, and
// does not say anything else than the detail word.
import { DETAILS } from '@mxproof/common/vocabulary/details';
import { MEANINGS, meaningRow } from '@mxproof/common/vocabulary/meanings';
import { REASONS } from '@mxproof/common/vocabulary/verdicts';
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
  if (reason === 'accepted_email' && evidence.meaning === 'mailbox_busy')
    return 'The mail server says that the mailbox exists, but receives too much mail at the moment.';
  if (reason === 'low_deliverability' && evidence.meaning === 'over_quota')
    return 'The mailbox exists, but it is full.';
  if (reason === 'low_deliverability' && acceptAll)
    return 'The mail server accepts every address of this domain, so nobody can tell whether this one exists.';
  return reason === 'unavailable_smtp'
    ? explainSilence(evidence, detail ?? null)
    : REASONS[reason].explanation;
}

/** A server was there, and still nothing is known about the mailbox. */
function explainSilence(
  { meaning, attempts }: Pick<Evidence, 'meaning' | 'attempts'>,
  detail: Detail | null,
): string {
  if (meaning === null && attempts === 0) return 'The mail server was not asked about this address.';
  if (meaning === 'blocked' && detail === 'unclear')
    return 'The mail server refused for a reason that says nothing about whether this mailbox exists.';
  const sentence =
    (detail === null ? undefined : DETAILS[detail].unanswered) ??
    (meaning === null
      ? REASONS.unavailable_smtp.explanation
      : (meaningRow(meaning).unanswered ?? MEANINGS.unclear.unanswered));
  return sentence.replace('{attempts}', `${attempts} attempt${attempts === 1 ? '' : 's'}`);
}
