// Which IP addresses DNS may send us to. Promise: only a literal that reads as a global unicast address is public;
// special-purpose addresses (IANA registries), addresses that embed such an IPv4 address, and texts that are not
// clearly an address are not.
import { BlockList, isIPv4, isIPv6 } from 'node:net';

const SPECIAL_V4: readonly [prefix: string, bits: number, why: string][] = [
  ['0.0.0.0', 8, 'this network'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared (carrier NAT)'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link-local, cloud metadata'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'protocol assignments'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.31.196.0', 24, 'AS112'],
  ['192.52.193.0', 24, 'AMT'],
  ['192.88.99.0', 24, '6to4 relay'],
  ['192.168.0.0', 16, 'private'],
  ['192.175.48.0', 24, 'AS112'],
  ['198.18.0.0', 15, 'benchmark'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved, broadcast'],
  ['168.63.129.16', 32, 'Azure metadata'],
];

/** Inside 2000::/3, which is all that is global unicast. */
const SPECIAL_V6: readonly [prefix: string, bits: number, why: string][] = [
  ['2001::', 23, 'protocol assignments, Teredo, ORCHID, benchmark'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4: carries an IPv4 address'],
  ['2620:4f:8000::', 48, 'AS112'],
  ['3fff::', 20, 'documentation'],
];

const special = new BlockList();
for (const [prefix, bits] of SPECIAL_V4) special.addSubnet(prefix, bits, 'ipv4');
for (const [prefix, bits] of SPECIAL_V6) special.addSubnet(prefix, bits, 'ipv6');

const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');

/** NAT64 (64:ff9b::/96): public exactly when the IPv4 address inside is. */
const nat64 = new BlockList();
nat64.addSubnet('64:ff9b::', 96, 'ipv6');

export function isPublicAddress(ip: string): boolean {
  if (isIPv4(ip)) return !special.check(ip, 'ipv4');
  // A zone (`fe80::1%eth0`) is never a public matter.
  if (!isIPv6(ip) || ip.includes('%')) return false;
  if (nat64.check(ip, 'ipv6')) return isPublicAddress(lastFourBytes(ip));
  return unicast.check(ip, 'ipv6') && !special.check(ip, 'ipv6');
}

function lastFourBytes(ipv6: string): string {
  const dotted = ipv6.slice(ipv6.lastIndexOf(':') + 1);
  if (isIPv4(dotted)) return dotted;
  const [head = '', tail = ''] = ipv6.split('::');
  const groups = tail === '' ? (ipv6.endsWith('::') ? [] : head.split(':')) : tail.split(':');
  const low = Number.parseInt(groups.at(-1) ?? '0', 16) || 0;
  const high = Number.parseInt(groups.at(-2) ?? '0', 16) || 0;
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}
