// IP addresses and CIDR ranges as people write them, and whether one is within another.
// Promise: an IPv4 address and the same one written as IPv6 (`::ffff:192.0.2.1`) are one address, and `::/0` is every
// IPv6 address and no IPv4 one. What is not clearly an address is within nothing.

export interface Ip {
  /** 32, or 128. */
  readonly width: number;
  readonly value: bigint;
}

interface Range extends Ip {
  readonly prefixBits: number;
}

const V4_BITS = 32;
const V6_BITS = 128;
const MAPPED_PREFIX_BITS = 96;
const V6_GROUPS = 8;

/** Null: not clearly an address. */
export function readIp(text: string): Ip | null {
  const address = parseIp(text);
  if (address === null) return null;
  const { width, value } = unmapped({ ...address, prefixBits: address.width });
  return { width, value };
}

/** One address, or a range whose bits after the prefix are zero: `10.0.0.1/8` is a typing mistake. */
export function isCidr(text: string): boolean {
  return parseRange(text) !== null;
}

export function isWithin(ip: string | undefined, ranges: readonly string[]): boolean {
  const address = parseIp(bareAddress(ip));
  if (address === null) return false;
  const { width, value } = unmapped({ ...address, prefixBits: address.width });
  return ranges.some((text) => {
    const range = parseRange(text);
    if (range?.width !== width) return false;
    const hostBits = BigInt(width - range.prefixBits);
    return value >> hostBits === range.value >> hostBits;
  });
}

/** Some proxies add the client's port; a link-local address may carry the interface it came in by. A connection that has ended has none. */
export function bareAddress(text = ''): string {
  const [, v6, v4] = /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d[\d.]*):\d{1,5})$/.exec(text) ?? [];
  return (v6 ?? v4 ?? text).split('%', 1)[0]!;
}

/** The network counted as one client: an IPv6 client usually has a whole /64. All invalid addresses are one client. */
export function clientNetwork(ip: string): string {
  const address = parseIp(bareAddress(ip));
  if (address === null) return 'unknown';
  const { width, value } = unmapped({ ...address, prefixBits: address.width });
  return width === V4_BITS ? `4:${value}` : `6:${value >> BigInt(V6_BITS / 2)}`;
}

function parseRange(text: string): Range | null {
  const match = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text);
  const address = match && parseIp(match[1]!);
  if (!address) return null;
  const prefixBits = match[2] === undefined ? address.width : Number(match[2]);
  if (prefixBits > address.width) return null;
  const hostBits = BigInt(address.width - prefixBits);
  if ((address.value >> hostBits) << hostBits !== address.value) return null;
  return unmapped({ ...address, prefixBits });
}

function unmapped(range: Range): Range {
  const isMapped =
    range.width === V6_BITS &&
    range.prefixBits >= MAPPED_PREFIX_BITS &&
    range.value >> BigInt(V4_BITS) === 0xffffn;
  if (!isMapped) return range;
  return {
    width: V4_BITS,
    value: BigInt.asUintN(V4_BITS, range.value),
    prefixBits: range.prefixBits - MAPPED_PREFIX_BITS,
  };
}

function parseIp(text: string): Ip | null {
  if (!text.includes(':')) {
    const value = parseV4(text);
    return value === null ? null : { width: V4_BITS, value };
  }
  const value = parseV6(text);
  return value === null ? null : { width: V6_BITS, value };
}

function parseV4(text: string): bigint | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255))
    return null;
  return parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
}

function parseV6(text: string): bigint | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [head, tail] = halves.map((half, index) => groupsOf(half, index === halves.length - 1));
  if (!head || tail === null) return null;
  const missing = V6_GROUPS - head.length - (tail?.length ?? 0);
  // `::` stands for at least one group.
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...Array.from({ length: missing }, () => 0n), ...(tail ?? [])];
  return groups.reduce((sum, group) => (sum << 16n) | group, 0n);
}

/** The last two groups may be written as an IPv4 address. */
function groupsOf(half: string, isLast: boolean): bigint[] | null {
  if (half === '') return [];
  const groups: bigint[] = [];
  const parts = half.split(':');
  for (const [index, part] of parts.entries()) {
    const v4 = isLast && index === parts.length - 1 && part.includes('.') ? parseV4(part) : null;
    if (v4 !== null) groups.push(v4 >> 16n, v4 & 0xffffn);
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(BigInt(`0x${part}`));
    else return null;
  }
  return groups;
}
