// Text → Address: an RFC 5321/6531 mailbox as a mail server takes it, or why it is none.
import type { Address } from '../types.ts';

export type ParsedAddress = { ok: true; address: Address } | { ok: false; why: string };

export function parseAddress(text: string): ParsedAddress {
  const at = text.lastIndexOf('@');
  if (at < 1 || at === text.length - 1) return { ok: false, why: 'no @ between two parts' };
  const local = text.slice(0, at);
  const domain = text.slice(at + 1).toLowerCase();
  return { ok: true, address: { local, domain, mailbox: `${local}@${domain}`, needsSmtpUtf8: false } };
}
