// A domain whose provider runs no mail service for it any more, as Microsoft says of a tenant without a licence: the same
// for all its addresses. Pure: time as an argument. Promise: said of one address, it holds for the others of that domain
// and for no other domain, for an hour at most; only where all hosts of the domain are the same provider's, since another
// one's may know better.
import type { MailTarget } from '../dns/domain-facts.ts';
import { isKnownProvider, providerOf } from '../domain/provider.ts';
import type { Answer } from '../state/answer.ts';
import { timeWords } from '../state/transcript.ts';

/** A licence that was renewed counts within the hour. */
const LAPSED_FOR_MS = 3_600_000;

export interface LapsedTenant {
  readonly rule: string;
  readonly untilMs: number;
}

/** Null: the answer does not say so, or not for the whole domain. */
export function lapsedBy(
  { meaning, host, rule }: Pick<Answer, 'meaning' | 'host' | 'rule'>,
  targets: readonly Pick<MailTarget, 'host'>[],
  nowMs: number,
): LapsedTenant | null {
  if (meaning !== 'tenant_lapsed' || host === null || !isOneOperator(host, targets)) return null;
  return {
    rule: `domain: said ${timeWords(nowMs)} of another address, so that none of this domain is asked about for an hour (${rule})`,
    untilMs: nowMs + LAPSED_FOR_MS,
  };
}

/** The hosts of one provider are one operator's; of unknown ones, only those of the same name certainly are. */
function isOneOperator(host: string, targets: readonly Pick<MailTarget, 'host'>[]): boolean {
  const provider = providerOf(host);
  return targets.every((target) =>
    isKnownProvider(provider) ? providerOf(target.host) === provider : target.host === host,
  );
}
