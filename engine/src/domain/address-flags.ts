// Role, free, disposable: what the lists say of an address. Promise: the only place that says so, for a hint, a file's
// review and every verdict, whatever its state. DNS can take one thing back: that a domain on one list is disposable, where
// a large provider takes its mail (disposable.ts).
import type { Address } from '../types.ts';
import { disposableFinding } from './disposable.ts';
import { NO_OVERRIDES } from './disposable-overrides.ts';
import { isFree } from './free-providers.ts';
import { isRole } from './role.ts';

export interface AddressFlags {
  readonly role: boolean;
  readonly free: boolean;
  readonly disposable: boolean;
}

/** Null: not a mailbox, so that nothing is known of it. `provider` as providerOf says, empty while no mail host is known. */
export function addressFlags(
  address: Address | null,
  provider: string,
  overrides = NO_OVERRIDES,
): AddressFlags {
  if (address === null) return { role: false, free: false, disposable: false };
  const { domain } = address;
  return {
    role: isRole(address),
    free: isFree(domain),
    disposable: disposableFinding(domain, provider === '' ? null : provider, overrides).disposable,
  };
}
