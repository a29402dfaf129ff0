// Which addresses of a submission count: trimmed, lower-cased, blanks dropped, repeated ones dropped.
// Promise: an address comes back exactly as its cleaned text, NUL and lone surrogates included.

export const MAX_ADDRESSES = 100_000;
export const MAX_EMAIL_CHARACTERS = 1_000;
export const CHUNK_SIZE = 250;

export type EmailsRefusal =
  | 'emails_required'
  | 'emails_not_strings'
  | 'email_too_long'
  | 'too_many_addresses';

export type CleanEmails =
  | { readonly kind: 'clean'; readonly emails: readonly string[]; readonly duplicatesRemoved: number }
  | { readonly kind: 'refused'; readonly why: EmailsRefusal };

export function cleanEmail(text: string): string {
  return text.trim().toLowerCase();
}

export function cleanEmails(raw: unknown): CleanEmails {
  if (!Array.isArray(raw)) return refused('emails_required');
  const unique = new Set<string>();
  let kept = 0;
  for (const element of raw as unknown[]) {
    if (typeof element !== 'string') return refused('emails_not_strings');
    if (element.length > MAX_EMAIL_CHARACTERS) return refused('email_too_long');
    const email = cleanEmail(element);
    if (email === '') continue;
    kept++;
    unique.add(email);
  }
  if (unique.size === 0) return refused('emails_required');
  if (unique.size > MAX_ADDRESSES) return refused('too_many_addresses');
  return { kind: 'clean', emails: [...unique], duplicatesRemoved: kept - unique.size };
}

function refused(why: EmailsRefusal): CleanEmails {
  return { kind: 'refused', why };
}

/** A list's addresses as its chunk rows keep them: one JSON array of at most CHUNK_SIZE each. */
export function toChunks(emails: readonly string[]): string[] {
  const chunks: string[] = [];
  for (let start = 0; start < emails.length; start += CHUNK_SIZE)
    chunks.push(JSON.stringify(emails.slice(start, start + CHUNK_SIZE)));
  return chunks;
}
