// A domain of one label: `localhost`, `com`. No mail is delivered to such a name (RFC 5321 2.3.5 wants it fully
// qualified, and ICANN forbids mail at top-level domains), and what a resolver makes of it is its own search list's doing.

export const DOTLESS_RULE = 'domain: a domain without a dot cannot receive mail';

/** `domain` in its ASCII form, where every kind of dot is one. */
export function isDotless(domain: string): boolean {
  return !domain.includes('.');
}
