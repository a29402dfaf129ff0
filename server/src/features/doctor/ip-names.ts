// IP addresses as DNS and mail servers write them. Pure.
import { type Ip, readIp } from '../../rules/cidr.ts';

const V4_BITS = 32;
const V6_GROUPS = 8;

/** `7.113.0.203`, or 32 hexadecimal digits with dots between them: what stands before the zone's name. */
export function reversedAddress(ip: Ip): string {
  return addressLabels(ip).reverse().join('.');
}

/** The octets, or the hexadecimal digits of an IPv6 address. */
export function addressLabels({ width, value }: Ip): string[] {
  if (width === V4_BITS) return octets(value);
  return [...value.toString(16).padStart(width / 4, '0')];
}

/** Under which its name is looked for. */
export function pointerName(ip: Ip): string {
  return `${reversedAddress(ip)}.${ip.width === V4_BITS ? 'in-addr' : 'ip6'}.arpa`;
}

/** One text for one address. */
export function addressText({ width, value }: Ip): string {
  if (width === V4_BITS) return octets(value).join('.');
  const groups = Array.from({ length: V6_GROUPS }, (_, i) =>
    ((value >> BigInt(16 * (V6_GROUPS - 1 - i))) & 0xffffn).toString(16),
  );
  // A URL shortens it in the one way there is.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** Whether both begin with the same bits. */
export function sharesPrefix(one: Ip, other: Ip, bits: number): boolean {
  if (one.width !== other.width) return false;
  const rest = BigInt(one.width - bits);
  return one.value >> rest === other.value >> rest;
}

export function isSameAddress(one: string, other: string): boolean {
  const [a, b] = [readIp(one), readIp(other)];
  return a !== null && b !== null && sharesPrefix(a, b, a.width);
}

function octets(value: bigint): string[] {
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn));
}
