// A domain with a single label: `localhost`, `com`. No mail is delivered to such a name (RFC 5321 2.3.5 requires it to
// be fully qualified, and ICANN forbids mail at top-level domains), and what a resolver makes of it depends on its
// search list.

export const DOTLESS_RULE = 'domain: a domain without a dot cannot receive mail';

/** `domain` in its ASCII form, where every kind of dot is one. */
export function isDotless(domain: string): boolean {
  return !domain.includes('.');
}
