// What a domain takes in memory, apart from what asking teaches about it. Promise: an estimate, compared with V8's heap by
// bench/src/memory.ts: never less than nine tenths of what is measured.
import type { DomainFacts } from '../dns/domain-facts.ts';

/** The state, its facts, the knowledge of a domain not asked about yet, and the map entry. */
const STATE_BYTES = 1_100;
const TEXT_BYTES = 24;
const TARGET_BYTES = 56;

export function stateBytes(name: string, { targets, group, words, mx }: DomainFacts): number {
  let bytes = STATE_BYTES + name.length + group.length + 2 * words.length + (mx?.length ?? 0);
  const hosts = new Set<string>();
  for (const { host, ip } of targets) {
    bytes += TARGET_BYTES + TEXT_BYTES + ip.length;
    hosts.add(host);
  }
  for (const host of hosts) bytes += TEXT_BYTES + host.length;
  return bytes;
}
