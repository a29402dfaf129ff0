// An address as text, whether or not it is one: what stands behind its last @, the same address at another domain, and as it
// was meant.

export function domainText(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

/** What is meant where `domain` is a likelier spelling. */
export function atDomain(email: string, domain: string): string {
  return `${email.slice(0, email.lastIndexOf('@'))}@${domain}`;
}

/** By domain as it is written, in lower case: as it is meant. */
export type Fixes = ReadonlyMap<string, string>;

/** Behind two labels at least, the last of them a word: `ann@.` and `ann@web.` are no addresses, with it or without. */
const FINAL_DOT = /^([^.]+\..*[\p{L}\p{M}\p{N}])\.+$/u;

export const NO_FIXES: Fixes = new Map();

/** `ann@web.de.` is `ann@web.de`, since a full stop behind a domain belongs to the sentence; the rest is what `fixes` says. */
export function meantSpelling(address: string, fixes: Fixes): string {
  const written = domainText(address);
  const domain = FINAL_DOT.exec(written)?.[1] ?? written;
  const meant = fixes.get(domain.toLowerCase()) ?? domain;
  return meant === written || written.length + 1 >= address.length ? address : atDomain(address, meant);
}
