// Which name of a list a domain falls under: itself, or the nearest name above it, down to the registrable domain.
// `x.mailinator.com` belongs to mailinator, but a shop under the registry `za.com` does not belong to za.com.
import { getDomain } from 'tldts';

/** The longest listed names have six labels. */
const MAX_STEPS = 8;
const SUFFIX_OPTIONS = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/** `domain` in ASCII, lower case. Null: the list does not have it. */
export function listedName(domain: string, has: (name: string) => boolean): string | null {
  if (has(domain)) return domain;
  let name = domain;
  for (let step = 0; step < MAX_STEPS; step++) {
    const dot = name.indexOf('.');
    if (dot < 0) return null;
    name = name.slice(dot + 1);
    if (has(name)) return isAtOrUnderRegistrable(domain, name) ? name : null;
  }
  return null;
}

/** False where the listed name is a public suffix: those under it have nothing to do with each other. */
function isAtOrUnderRegistrable(domain: string, name: string): boolean {
  const registrable = getDomain(domain, SUFFIX_OPTIONS);
  return registrable !== null && (name === registrable || name.endsWith(`.${registrable}`));
}
