// An address as text, whether or not it is one: what stands behind its last @, and the same address at another domain.

export function domainText(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

/** What is meant where `domain` is a likelier spelling. */
export function atDomain(email: string, domain: string): string {
  return `${email.slice(0, email.lastIndexOf('@'))}@${domain}`;
}
