// Signatures by which two refusals of different recipients are recognized as the same text. Decides, touches nothing.
// Promise: linear in the reply's length, whatever it says.
import type { Address, Reply } from '../types.ts';

/** Token by token: a pattern with a digit in its middle would try every start. */
const NAME_OR_NUMBER = /[a-z0-9._-]+/g;

function withoutNumbers(token: string): string {
  return /\d/.test(token) ? '#' : token;
}

/**
 * For replies that tell different recipients the same, one of them is equal: addresses, names and numbers of the moment
 * left out; as it is, and without the local part, which may stand there alone or be a word of the text (`user`, `typo`).
 */
export function signaturesOf(reply: Reply, { local, domain, mailbox }: Address): readonly string[] {
  if (reply.code < 400) return [''];
  const text = reply.lines
    .join(' ')
    .toLowerCase()
    .replaceAll(mailbox.toLowerCase(), '*')
    .replaceAll(domain, '*');
  const texts = local.length > 2 ? [text, text.replaceAll(local.toLowerCase(), '*')] : [text];
  return texts.map((one) => `${reply.code} ${one.replace(NAME_OR_NUMBER, withoutNumbers)}`);
}
