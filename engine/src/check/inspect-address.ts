// What can be said about an address without DNS or a mail server: syntax, a likelier spelling, the lists.
// Promise: no network, no clock, never throws; a hint for a form, not a verdict.
import { parseAddress } from '../address/parse-address.ts';
import { type AddressFlags, addressFlags } from '../domain/address-flags.ts';
import { NO_OVERRIDES } from '../domain/disposable-overrides.ts';
import { isDotless } from '../domain/dotless.ts';
import { suggestDomain } from '../domain/suggest-domain.ts';

export { certainVerdict } from './certain-verdict.ts';

export interface AddressInspection extends AddressFlags {
  /** Well-formed, and its domain can have mail at all. */
  readonly valid: boolean;
  /** A likelier spelling of the domain. */
  readonly suggestion: string | null;
}

/** `overrides`: what the operator says of disposable domains. */
export function inspectAddress(email: string, overrides = NO_OVERRIDES): AddressInspection {
  const parsed = parseAddress(email);
  const address = parsed.ok ? parsed.address : null;
  return {
    valid: address !== null && !isDotless(address.domain),
    suggestion: address === null ? null : suggestDomain(address.domain),
    ...addressFlags(address, '', overrides),
  };
}
