// Whether a host name is one of a mail provider's. Pure table lookups.
import { getDomain } from 'tldts';
import { isFree } from './free-providers.ts';
import { isLargeProvider, providerOf } from './provider.ts';

/** Names below a dynamic DNS service are their owners'. */
const SUFFIX_OPTIONS = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/**
 * In the domain of a mailbox provider, its gateway or a free-mail service: only its operator may call a machine so. Web hosting
 * does not count, since it names its customers' machines.
 */
export function isProviderName(name: string): boolean {
  const host = name.toLowerCase();
  return isFree(getDomain(host, SUFFIX_OPTIONS) ?? host) || isLargeProvider(providerOf(host));
}
