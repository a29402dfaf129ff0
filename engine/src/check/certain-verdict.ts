// The verdict that stands before DNS is asked: not a mailbox, or a domain without a dot. Promise: no network, no clock, never
// throws; where it has a verdict, a check ends with the same one.
import { parseAddress } from '../address/parse-address.ts';
import { addressFlags } from '../domain/address-flags.ts';
import { isDotless } from '../domain/dotless.ts';
import type { Verdict } from '../types.ts';
import { verdict } from '../verdict/verdict.ts';

/** Null: DNS or a mail server has to be asked. */
export function certainVerdict(email: string): Verdict | null {
  const parsed = parseAddress(email);
  const address = parsed.ok ? parsed.address : null;
  if (address !== null && !isDotless(address.domain)) return null;
  return verdict({
    address,
    ...addressFlags(address, ''),
    dns: address === null ? 'not_asked' : 'cannot_receive',
    mx: null,
    provider: '',
    mailbox: null,
    connected: false,
    catchAll: 'unknown',
    refusesAll: false,
    cause: address === null ? 'syntax' : 'no_such_domain',
  });
}
