// Addresses as text, as inet_ntop writes them, and back. Promise: one text per address, the same one that node:net shows.
import { isIPv4, isIPv6 } from 'node:net';

const GROUPS = 8;

/** Four or sixteen bytes. Throws for what is no address, and for one with a zone. */
export function ipBytes(ip: string): Uint8Array {
  if (isIPv4(ip)) return Uint8Array.from(ip.split('.'), Number);
  if (!isIPv6(ip) || ip.includes('%')) throw new Error('not an IP address');
  // Written in full, but for one run of zeros.
  const [head = '', tail = ''] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [groups(head), groups(tail)];
  const zeros = new Array<number>(GROUPS - first.length - last.length).fill(0);
  return Uint8Array.from([...first, ...zeros, ...last].flatMap((group) => [group >> 8, group & 0xff]));
}

export function ipv4Text(bytes: Uint8Array, at: number): string {
  return `${bytes[at]}.${bytes[at + 1]}.${bytes[at + 2]}.${bytes[at + 3]}`;
}

export function ipv6Text(bytes: Uint8Array, at: number): string {
  const groups = Array.from({ length: GROUPS }, (_, i) => (bytes[at + 2 * i]! << 8) | bytes[at + 2 * i + 1]!);
  const zeros = longestZeros(groups);
  if (zeros.start === 0 && isIpv4Inside(groups, zeros.length)) {
    return `${zeros.length === 5 ? '::ffff:' : '::'}${ipv4Text(bytes, at + 12)}`;
  }
  if (zeros.length < 2) return hex(groups);
  return `${hex(groups.slice(0, zeros.start))}::${hex(groups.slice(zeros.start + zeros.length))}`;
}

/** `::ffff:192.0.2.1`, and the deprecated `::192.0.2.1`. */
function isIpv4Inside(groups: readonly number[], zeros: number): boolean {
  return zeros === 6 || (zeros === 5 && groups[5] === 0xffff);
}

/** The first of the longest. */
function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: -1, length: 0 };
  let start = -1;
  for (const [i, group] of groups.entries()) {
    if (group !== 0) start = -1;
    else {
      if (start < 0) start = i;
      if (i - start + 1 > best.length) best = { start, length: i - start + 1 };
    }
  }
  return best;
}

function hex(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(':');
}
