// Disposable domains: anyone can open a mailbox there for ten minutes.
//
// The rule (docs/adr/0003-disposable-lists.md): a domain on both lists is disposable. A domain on one list is too,
// unless it is a free provider or its MX host belongs to a large provider: the lists are known to include real ones,
// and calling a customer's address disposable costs more than asking its server. Subdomains of a listed domain count,
// down to the registrable domain (listed-name.ts). What the operator says of a domain stands above all this.

import { isOnCuratedDisposableList, isOnGatheredDisposableList } from './disposable-lists.ts';
import { NO_OVERRIDES } from './disposable-overrides.ts';
import { isFree } from './free-providers.ts';
import { listedName } from './listed-name.ts';
import { isLargeProvider } from './provider.ts';

export interface DisposableFinding {
  readonly disposable: boolean;
  /** How many of the two lists name the domain or a name above it; 0 where the operator has decided. */
  readonly lists: 0 | 1 | 2;
  /** What decided, for the evidence. */
  readonly rule: string;
}

/** `domain` in ASCII, lower case; `mxProvider` as providerOf says, null while it is not known. */
export function disposableFinding(
  domain: string,
  mxProvider: string | null,
  overrides = NO_OVERRIDES,
): DisposableFinding {
  const own = overrides.find(domain);
  if (own !== null) {
    const says = own.disposable ? 'is disposable' : 'is never disposable';
    return {
      disposable: own.disposable,
      lists: 0,
      rule: `disposable: ${own.name} ${says} by the operator's file`,
    };
  }
  const curated = listedName(domain, isOnCuratedDisposableList);
  const gathered = listedName(domain, isOnGatheredDisposableList);
  const name = curated ?? gathered;
  if (name === null) return { disposable: false, lists: 0, rule: 'disposable: not listed' };
  if (curated !== null && gathered !== null)
    return { disposable: true, lists: 2, rule: `disposable: ${name} is on both lists` };
  const list = curated !== null ? 'disposable-email-domains-js' : 'mailchecker';
  if (isFree(domain) || isFree(name)) {
    return {
      disposable: false,
      lists: 1,
      rule: `disposable: ${name} is on ${list} only, and is a free provider`,
    };
  }
  if (mxProvider !== null && isLargeProvider(mxProvider)) {
    return {
      disposable: false,
      lists: 1,
      rule: `disposable: ${name} is on ${list} only, and its mail is handled by ${mxProvider}`,
    };
  }
  return { disposable: true, lists: 1, rule: `disposable: ${name} is on ${list}` };
}
