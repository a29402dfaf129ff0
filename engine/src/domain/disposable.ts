// Disposable domains: anyone can open a mailbox there for ten minutes.
//
// The rule (docs/adr/0003-disposable-lists.md): a domain on both lists is disposable. A domain on one list is too,
// unless it is a free provider or its MX host belongs to a large provider: the lists are known to include real ones,
// and calling a customer's address disposable costs more than asking its server. Subdomains of a listed domain count,
// down to the registrable domain: `x.mailinator.com` belongs to mailinator, but a shop under the registry `za.com` does
// not belong to za.com.
import { getDomain } from 'tldts';
import { isOnCuratedDisposableList, isOnGatheredDisposableList } from './disposable-lists.ts';
import { isFree } from './free-providers.ts';
import { isLargeProvider } from './provider.ts';

export interface DisposableFinding {
  readonly disposable: boolean;
  /** How many of the two lists name the domain or a name above it. */
  readonly lists: 0 | 1 | 2;
  /** What decided, for the evidence. */
  readonly rule: string;
}

/** The longest listed names have six labels. */
const MAX_STEPS = 8;
const SUFFIX_OPTIONS = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/** `domain` in ASCII, lower case; `mxProvider` as providerOf says, null while it is not known. */
export function disposableFinding(domain: string, mxProvider: string | null): DisposableFinding {
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

/** The domain itself, or the nearest name above it that the list has, no higher than the registrable domain. */
function listedName(domain: string, has: (name: string) => boolean): string | null {
  if (has(domain)) return domain;
  let name = domain;
  for (let step = 0; step < MAX_STEPS; step++) {
    const dot = name.indexOf('.');
    if (dot < 0) return null;
    name = name.slice(dot + 1);
    if (has(name)) return isAtOrUnderRegistrable(domain, name) ? name : null;
  }
  return null;
}

/** False where the listed name is a public suffix: those under it have nothing to do with each other. */
function isAtOrUnderRegistrable(domain: string, name: string): boolean {
  const registrable = getDomain(domain, SUFFIX_OPTIONS);
  return registrable !== null && (name === registrable || name.endsWith(`.${registrable}`));
}
