// Whose word counts about where a request comes from: that of the proxies that the operator has named or counted.
import { isWithin } from './cidr.ts';

/** How many there are, each believed about the one before it; or their addresses and networks. 0: none. */
export type TrustedProxies = number | readonly string[];

export const MAX_PROXY_HOPS = 10;

/**
 * Whether what this one has added to `X-Forwarded-For` counts: hop 0 is the connection itself, hop 1 the last entry.
 * Only proxies append, so entries that a client has invented stand to the left of the first that is not believed.
 */
export function isTrusted(proxies: TrustedProxies, address: string | undefined, hop: number): boolean {
  return typeof proxies === 'number' ? hop < proxies : isWithin(address, proxies);
}
