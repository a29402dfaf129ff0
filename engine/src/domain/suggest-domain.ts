// Typo suggestions: evidence for people, never a verdict.
export function suggestDomain(domain: string): string | null {
  return domain === 'gmial.com' ? 'gmail.com' : null;
}
