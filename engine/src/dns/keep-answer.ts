// What is kept of a DNS answer. Promise: of its MX hosts those that are host names, the most preferred first and no
// more than are ever asked; of its addresses a bounded number; and an estimate of what that takes in memory.
import { isIP } from 'node:net';
import { detached } from '../detach-string.ts';
import type { DnsAnswer, MxRecord } from '../ports.ts';
import { isHostName } from './host-name.ts';

/** More than any honest domain names; the least preferred are left out. */
const MX_HOSTS_MAX = 12;
/** More than are used of a host (8): some may be private. */
const ADDRESSES_MAX = 16;

/** Ordered by preference, then by name. Empty: none of them names a host; `` stays where it is all there is (null MX). */
export function keepMxHosts(answer: DnsAnswer<MxRecord>): DnsAnswer<MxRecord> {
  if (answer.kind !== 'records') return answer;
  const { records } = answer;
  const named = records.filter(({ exchange }) => isHostName(exchange) && isIP(exchange) === 0);
  if (named.length === 0)
    return { ...answer, records: records.filter(({ exchange }) => exchange === '').slice(0, 1) };
  if (records.length === 1) return answer;
  named.sort((a, b) => a.preference - b.preference || compare(a.exchange, b.exchange));
  return { ...answer, records: named.slice(0, MX_HOSTS_MAX) };
}

export function keepAddresses(answer: DnsAnswer<string>): DnsAnswer<string> {
  if (answer.kind !== 'records' || answer.records.length <= ADDRESSES_MAX) return answer;
  return { ...answer, records: answer.records.slice(0, ADDRESSES_MAX) };
}

/** RFC 7208 wants a policy to fit into 450 octets. A longer record counts as no policy, and so does one that is not printable ASCII. */
const POLICY_MAX_CHARS = 2_048;
const POLICY = /^(?:v=spf1(?: |$)|v=DMARC1[ \t]*(?:;|$))[ -~]*$/i;
/** Of several, receivers use none: the second says as much as all of them. */
const POLICIES_MAX = 2;

/** Of the texts of a name its SPF and DMARC policies; nothing else is asked for. */
export function keepPolicies(answer: DnsAnswer<string>): DnsAnswer<string> {
  if (answer.kind !== 'records') return answer;
  const policies = answer.records.filter((text) => text.length <= POLICY_MAX_CHARS && POLICY.test(text));
  return { ...answer, records: policies.slice(0, POLICIES_MAX).map(detached) };
}

/** Of V8's 64-bit heap, as bench/src/memory.ts measures it: an entry with its key, its answer and its place in the map. */
const ENTRY_BYTES = 200;
const MX_HOST_BYTES = 48;
const TEXT_BYTES = 24;

export function keptBytes(key: string, answer: DnsAnswer<MxRecord | string>): number {
  let bytes = ENTRY_BYTES + key.length;
  if (answer.kind !== 'records')
    return answer.about === undefined ? bytes : bytes + TEXT_BYTES + answer.about.length;
  for (const row of answer.records) {
    if (typeof row === 'string') bytes += TEXT_BYTES + row.length;
    else bytes += MX_HOST_BYTES + TEXT_BYTES + row.exchange.length;
  }
  return bytes;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
