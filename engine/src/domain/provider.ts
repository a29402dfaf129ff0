// The operator of an MX host, and whether the domains it serves are known to be real. Pure table lookups.
import { PROVIDERS, type ProviderKind } from './provider-table.ts';

/** The word for an MX host that no row names. */
const UNKNOWN = 'other';
const bySuffix = new Map<string, string>();
const kindOf = new Map<string, ProviderKind>();
for (const { provider, kind, suffixes } of PROVIDERS) {
  kindOf.set(provider, kind);
  for (const suffix of suffixes) bySuffix.set(suffix, provider);
}

/** Every word `providerOf` answers with. */
export const PROVIDER_WORDS: readonly string[] = [...kindOf.keys(), UNKNOWN].sort();

/** `exchange` is a host name: any case, with or without a trailing dot. */
export function providerOf(exchange: string): string {
  let name = exchange.toLowerCase();
  if (name.endsWith('.')) name = name.slice(0, -1);
  // The longest suffix first; a name has at most 127 labels.
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.')) {
    const provider = bySuffix.get(name);
    if (provider !== undefined) return provider;
    name = name.slice(dot + 1);
  }
  return UNKNOWN;
}

/** They accept every recipient, and say only after DATA who does not exist. */
const DECIDING_AFTER_DATA: ReadonlySet<string> = new Set(['yahoo']);

export function decidesAfterData(provider: string): boolean {
  return DECIDING_AFTER_DATA.has(provider);
}

/** In front of companies' own servers. */
export function isGateway(provider: string): boolean {
  return kindOf.get(provider) === 'gateway';
}

export function isKnownProvider(provider: string): boolean {
  return kindOf.has(provider);
}

/**
 * Providers that host no disposable domains: mailbox and access providers with machines of their own, alias
 * services, and companies' gateways. Web hosting and relays accept any domain, so they prove nothing.
 */
const CLEARING: ReadonlySet<ProviderKind | undefined> = new Set(['mailbox', 'isp', 'gateway', 'alias']);

export function isLargeProvider(provider: string): boolean {
  return CLEARING.has(kindOf.get(provider));
}
