// The operator of an MX host, what it counts apart, and whether the domains it serves are known to be real. Pure table
// lookups.
import { PROVIDERS, type Provider } from '@mxproof/common/vocabulary/providers';
import { PROVIDER_HOSTS, type ProviderKind } from './provider-table.ts';

/** The word for an MX host that no row names. */
const UNKNOWN: Provider = 'other';
const bySuffix = new Map<string, string>();
const kindOf = new Map<string, ProviderKind>();
for (const [provider, [kind, suffixes]] of Object.entries(PROVIDER_HOSTS)) {
  kindOf.set(provider, kind);
  for (const suffix of suffixes.split(' ')) bySuffix.set(suffix, provider);
}

export const PROVIDER_NAMES: readonly string[] = Object.keys(PROVIDER_HOSTS).sort();
/** Every word `providerOf` answers with. */
export const PROVIDER_WORDS: readonly string[] = Object.keys(PROVIDERS).sort();

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
 * Two services of one operator, with block lists and limits apart. What is said of the second, by its operator's wordings
 * or in a policy file, holds for the first too, unless something is said of that one.
 */
export const SISTERS: Readonly<Record<string, string>> = { outlook: 'microsoft' };

/** Mimecast counts connections by region, which begins the name: `eu-smtp-inbound-1.mimecast.com`. */
const MIMECAST_REGION = /^(au|ca|de|eu|je|uk|us|usb|usg|za)-smtp-inbound-/;
/** Its names of the first region, the United Kingdom. */
const MIMECAST_UK = /^service-alpha-inbound-/;

/** Hosts whose connections are counted together: those of a provider, or of one region of it. */
export function paceGroupOf(exchange: string, provider: string): string {
  if (provider !== 'mimecast') return provider;
  const name = exchange.toLowerCase();
  const region = MIMECAST_UK.test(name) ? 'uk' : MIMECAST_REGION.exec(name)?.[1];
  return region === undefined ? provider : `${provider}:${region}`;
}

/**
 * Providers that host no disposable domains: mailbox and access providers with machines of their own, alias
 * services, and companies' gateways. Web hosting and relays accept any domain, so they prove nothing.
 */
const CLEARING: ReadonlySet<ProviderKind | undefined> = new Set(['mailbox', 'isp', 'gateway', 'alias']);

/**
 * Whose host names are its own machines', so that what they say in common, the provider says. Names of web hosting, access and
 * relay companies may be a customer's machine.
 */
const OWN_MACHINES: ReadonlySet<ProviderKind | undefined> = new Set(['mailbox', 'gateway', 'alias']);

export function hasOwnMachines(provider: string): boolean {
  return OWN_MACHINES.has(kindOf.get(provider));
}

export function isLargeProvider(provider: string): boolean {
  return CLEARING.has(kindOf.get(provider));
}
