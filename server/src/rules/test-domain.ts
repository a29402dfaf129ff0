// What is said of a domain in test mode, decided by its first label: the words of test addresses (test-outcome.ts).
// Promise: no DNS server is asked; the lists decide as in live mode.
import type { CatchAll, DomainReport } from '@mxproof/engine';

type FromDns = Pick<DomainReport, 'acceptsMail' | 'mx' | 'provider' | 'spf' | 'dmarc'>;

/** Reserved by RFC 6761. */
const TAKES_MAIL: FromDns = {
  acceptsMail: true,
  mx: [{ exchange: 'mx.mxproof.test', preference: 10 }],
  provider: 'other',
  spf: 'v=spf1 mx -all',
  dmarc: 'v=DMARC1; p=none',
};
const TAKES_NONE: FromDns = { acceptsMail: false, mx: [], provider: '', spf: '', dmarc: '' };
const NOT_KNOWN: FromDns = { acceptsMail: null, mx: null, provider: null, spf: null, dmarc: null };

const LABELS: Readonly<Record<string, { readonly dns?: FromDns; readonly catchAll?: CatchAll }>> = {
  'accepted-email': { catchAll: 'no' },
  'catch-all': { catchAll: 'yes' },
  'invalid-domain': { dns: TAKES_NONE },
  'dns-error': { dns: NOT_KNOWN },
};

export function testDomain(domain: string): FromDns & { readonly catchAll: CatchAll } {
  const label = domain.slice(0, domain.indexOf('.'));
  const { dns = TAKES_MAIL, catchAll = 'unknown' } = Object.hasOwn(LABELS, label) ? LABELS[label]! : {};
  return { ...dns, catchAll };
}
