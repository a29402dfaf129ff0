// The detail words as chunks store them: by index. Promise: every word of the engine has one, and the order never
// changes: append only.
import type { Detail } from '@mxproof/engine';

export const STORED_DETAILS = [
  'accepted',
  'role',
  'disposable',
  'catch_all',
  'catch_all_unknown',
  'mailbox_full',
  'no_such_mailbox',
  'mailbox_disabled',
  'mailbox_moved',
  'syntax',
  'no_such_domain',
  'no_mx',
  'null_mx',
  'private_address',
  'greylisted',
  'rate_limited',
  'blocked',
  'source_resting',
  'budget',
  'sender_refused',
  'temporary',
  'unclear',
  'timeout',
  'connection_refused',
  'connection_lost',
  'tls_failed',
  'proxy_refused',
  'proxy_no_route',
  'dns_failed',
  'dns_untrusted',
  'network_down',
  'never_asked',
  'list_ended',
  'tenant_lapsed',
] as const satisfies readonly Detail[];

/** Does not compile while a word of the engine is missing above. */
export const DETAIL_INDEX: Readonly<Record<Detail, number>> = Object.fromEntries(
  STORED_DETAILS.map((word, index) => [word, index]),
) as Record<(typeof STORED_DETAILS)[number], number>;

/** Null: a later version stored a word that this one does not know. */
export function storedDetail(index: number): Detail | null {
  return STORED_DETAILS[index] ?? null;
}
