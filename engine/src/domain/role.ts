// Role addresses: mailboxes of a function (sales, postmaster), not of a person. Source: the list
// `role-based-email-addresses`, and the names that RFC 2142 reserves.
import roles from 'role-based-email-addresses';
import type { Address } from '../types.ts';

/** RFC 2142 sections 3 to 5; the kept list has most of them. */
const RFC_2142 =
  'info marketing sales support abuse noc security postmaster hostmaster usenet news webmaster www uucp ftp'.split(
    ' ',
  );
/** On the kept list as a product or a place, but people are called so. */
const GIVEN_NAMES = new Set(['alexa', 'gardner', 'india', 'paris', 'sydney']);

const names = new Set<string>(RFC_2142);
for (const role of roles) if (!GIVEN_NAMES.has(role)) names.add(role);

/** `Info@`, `"info"@` and `info+shop@` are all the info mailbox. */
export function isRole(address: Address): boolean {
  const local = unquoted(address.local).toLowerCase();
  const plus = local.indexOf('+');
  return names.has(plus > 0 ? local.slice(0, plus) : local);
}

function unquoted(local: string): string {
  return local.startsWith('"') ? local.slice(1, -1).replace(/\\(.)/g, '$1') : local;
}
