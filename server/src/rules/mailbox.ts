// How a mailbox is written where a person is known by it. Promise: the spellings of one mailbox are one text, and no two mailboxes have
// the same.
import { parseAddress } from '@mxproof/engine';

/** Null: the text is no mailbox. */
export function mailboxIn(text: string): string | null {
  const parsed = parseAddress(text.trim());
  if (!parsed.ok) return null;
  const { local, domain } = parsed.address;
  // Of ASCII alone: the Kelvin sign in lower case is a k, which is another mailbox.
  return `${local.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())}@${domain}`;
}
