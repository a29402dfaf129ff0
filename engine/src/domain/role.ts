// Role addresses: mailboxes of a function, not of a person.
import type { Address } from '../types.ts';

export function isRole(address: Address): boolean {
  return address.local.toLowerCase() === 'info';
}
