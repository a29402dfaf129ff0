// Records that are not of domains and MX hosts: names of addresses, texts, block lists. Promise: a reversed name is written here
// by itself, so that the doctor's is tested against an independent one.
import { isIPv4 } from 'node:net';
import type { BlockListSpec, NameSpec, WorldSpec } from './spec.ts';
import type { Zone } from './zone.ts';

/** RFC 5782, 5: the IPv6 entry stands for 127.0.0.2 in a mapped address. */
const TEST_ENTRIES = ['127.0.0.2', '::ffff:7f00:2'];
const LISTED = ['127.0.0.2'];

export function addNames(zone: Zone, spec: WorldSpec, ttlSeconds: number): void {
  for (const [name, records] of Object.entries(spec.names ?? {})) addName(zone, name, records, ttlSeconds);
  for (const [address, targets] of Object.entries(spec.ptr ?? {})) {
    const name = reversed(address, isIPv4(address) ? 'in-addr.arpa' : 'ip6.arpa');
    zone.touch(name);
    for (const target of targets) zone.add({ type: 'ptr', name, ttlSeconds, target });
  }
  for (const [list, entries] of Object.entries(spec.blockLists ?? {}))
    addBlockList(zone, list, entries, ttlSeconds);
}

function addName(zone: Zone, name: string, records: NameSpec, ttlSeconds: number): void {
  zone.touch(name, records.dns);
  for (const address of records.a ?? []) zone.add({ type: 'a', name, ttlSeconds, address });
  for (const address of records.aaaa ?? []) zone.add({ type: 'aaaa', name, ttlSeconds, address });
  if (records.cname !== undefined) zone.add({ type: 'cname', name, ttlSeconds, target: records.cname });
  for (const text of records.txt ?? [])
    zone.add({ type: 'txt', name, ttlSeconds, strings: typeof text === 'string' ? [text] : text });
}

function addBlockList(zone: Zone, list: string, spec: BlockListSpec, ttlSeconds: number): void {
  zone.touch(list);
  const tests = spec.hasTestEntries === false ? [] : TEST_ENTRIES;
  for (const address of tests) addName(zone, reversed(address, list), { a: LISTED }, ttlSeconds);
  for (const [address, { a = LISTED, txt }] of Object.entries(spec.listed ?? {}))
    addName(zone, reversed(address, list), { a, ...(txt === undefined ? {} : { txt: [txt] }) }, ttlSeconds);
}

/** Octets, or the hexadecimal digits of an IPv6 address, last first. */
function reversed(address: string, zone: string): string {
  if (isIPv4(address)) return [...address.split('.').reverse(), zone].join('.');
  const [head = '', tail] = address.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0');
  const digits = [...front, ...zeros, ...back].map((group) => group.padStart(4, '0')).join('');
  return [...[...digits].reverse(), zone].join('.');
}
