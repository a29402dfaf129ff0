// Role, free, disposable: what the lists say of an address. Promise: the only place that says so, for a hint, a file's
// review and every verdict, whatever its state. DNS can take one thing back: that a domain on one list is disposable, where
// a large provider takes its mail (disposable.ts).
import type { Address } from '../types.ts';
import { disposableFinding } from './disposable.ts';
import { isFree } from './free-providers.ts';
import { isRole } from './role.ts';

export interface DomainFlags {
  readonly free: boolean;
  readonly disposable: boolean;
}

export interface AddressFlags extends DomainFlags {
  readonly role: boolean;
}

/** `domain` in ASCII, lower case; `provider` as providerOf says, empty while no mail host is known. */
export function domainFlags(domain: string, provider: string): DomainFlags {
  return {
    free: isFree(domain),
    disposable: disposableFinding(domain, provider === '' ? null : provider).disposable,
  };
}

/** Null: not a mailbox, so that nothing is known of it. */
export function addressFlags(address: Address | null, provider: string): AddressFlags {
  if (address === null) return { role: false, free: false, disposable: false };
  return { role: isRole(address), ...domainFlags(address.domain, provider) };
}
