// What can be said about an address without DNS or a mail server: syntax, a likelier spelling, the lists.
// Promise: no network, no clock, never throws; a hint for a form, not a verdict.
import { parseAddress } from '../address/parse-address.ts';
import { disposableFinding } from '../domain/disposable.ts';
import { isDotless } from '../domain/dotless.ts';
import { isFree } from '../domain/free-providers.ts';
import { isRole } from '../domain/role.ts';
import { suggestDomain } from '../domain/suggest-domain.ts';

export interface AddressInspection {
  /** Well-formed, and its domain can have mail at all. */
  readonly valid: boolean;
  /** A likelier spelling of the domain. */
  readonly suggestion: string | null;
  readonly role: boolean;
  readonly free: boolean;
  readonly disposable: boolean;
}

export function inspectAddress(email: string): AddressInspection {
  const parsed = parseAddress(email);
  if (!parsed.ok) return { valid: false, suggestion: null, role: false, free: false, disposable: false };
  const { address } = parsed;
  return {
    valid: !isDotless(address.domain),
    suggestion: suggestDomain(address.domain),
    role: isRole(address),
    free: isFree(address.domain),
    disposable: disposableFinding(address.domain, null).disposable,
  };
}
