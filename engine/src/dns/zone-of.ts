// Whose name servers a name belongs to. Pure.
import { getDomain } from 'tldts';

/** By the registries' suffixes alone: those of companies (`github.io`) are names in the company's own zone. */
const SUFFIX_OPTIONS = { allowPrivateDomains: false, extractHostname: false, validateHostname: false };

/** The domain that someone has registered; a name without one stands for itself. */
export function zoneOf(name: string): string {
  return getDomain(name, SUFFIX_OPTIONS) ?? name;
}

/** The domain itself, or a name below it. */
export function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}
