// Likelier spellings of misspelt addresses. Promise: what a client makes of a row's `email` and `suggestion` is the same.
import { parseAddress, suggestDomain } from '@mxproof/engine';
import type { RowVerdict } from './chunk-results.ts';

/** A likelier spelling of the domain. Follows from the domain alone, as in the evidence. */
export function suggestionFor(email: string): string | null {
  const parsed = parseAddress(email);
  return parsed.ok ? suggestDomain(parsed.address.domain) : null;
}

/** As the address has it. */
export function domainText(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

/** Null: nothing to correct; not worth it, since mail arrives as it is; or not checked. */
export function correctionOf(email: string, verdict: RowVerdict | null): string | null {
  if (verdict === null || verdict.state === 'deliverable') return null;
  const domain = suggestionFor(email);
  return domain === null ? null : `${email.slice(0, email.lastIndexOf('@'))}@${domain}`;
}
