// An address within other text: a list's name, what a mail server said, a URL. Promise: found however it is cased and in the
// forms in which such texts are stored; never as a part of another address.
import { domainToASCII } from 'node:url';

const REPLACEMENT = '[erased]';
/** Characters of an address that would go on to the left, or to the right. */
const NOT_BEFORE = '(?<![a-z0-9._+-])';
const NOT_BEHIND = '(?![a-z0-9-]|\\.[a-z0-9])';

export interface ErasedText {
  /** Lower case: a text with none of them does not have the address. */
  readonly forms: readonly string[];
  /** A regular expression of PostgreSQL and of JavaScript, for either case. */
  readonly pattern: string;
  readonly replacement: string;
}

/** Null: what is no address is erased from lists alone, since anything could have it in it. */
export function erasedText(email: string): ErasedText | null {
  if (!/^[^@]+@[^@]+$/.test(email) || email.includes('\0') || !email.isWellFormed()) return null;
  const [local, domain] = email.split('@') as [string, string];
  // Mail servers are asked about the domain in ASCII, and name it so.
  const ascii = domainToASCII(domain);
  const spellings = ascii === '' ? [email] : [email, `${local}@${ascii}`];
  const forms = [
    ...new Set(
      spellings.flatMap((each) => [
        each,
        JSON.stringify(each).slice(1, -1),
        encodeURIComponent(each).toLowerCase(),
        each.replaceAll('+', '%2b'),
      ]),
    ),
  ];
  const anyForm = forms.map((form) => form.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&')).join('|');
  return { forms, pattern: `${NOT_BEFORE}(?:${anyForm})${NOT_BEHIND}`, replacement: REPLACEMENT };
}

/** Of a text in JSON or not. */
export function withoutErased(text: string, { pattern, replacement }: ErasedText): string {
  return text.replaceAll(new RegExp(pattern, 'gi'), replacement);
}
