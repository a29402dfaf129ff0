// What verdicts say of domains: which accept whatever they are asked about.
import type { AskedRecipient } from '@mxproof/engine';

export interface LearntCatchAll {
  readonly domain: string;
  readonly isCatchAll: boolean;
}

/** Of a domain the last word; in the order of their domains. */
export function learntCatchAlls(recipients: Iterable<AskedRecipient>): LearntCatchAll[] {
  const learnt = new Map<string, boolean>();
  for (const { domain, catchAll } of recipients)
    if (catchAll !== undefined) learnt.set(domain, catchAll === 'yes');
  return [...learnt]
    .map(([domain, isCatchAll]) => ({ domain, isCatchAll }))
    .sort((one, other) => (one.domain < other.domain ? -1 : 1));
}
