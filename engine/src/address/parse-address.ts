// Text → Address: a mailbox as RFC 5321 and RFC 6531 define it and a mail server accepts it after RCPT TO, or the
// reason why it is not one. Promises: never throws, uses no network, and whatever it accepts can be placed between <
// and > on the wire without ending the command (no control character, CR, LF or NUL passes).
//
// Whatever the RFC's grammar allows is a mailbox here. Domains with one label (`a@com`) are refused later
// (domain/dotless.ts); unknown or all-digit top-level domains and names that look like an IPv4 address are left to DNS
// (they are domain names here, never addresses). The text is not trimmed: a blank at either end is part of the input, and
// no mailbox has one.
import type { Address } from '../types.ts';
import { asciiDomain } from './ascii-domain.ts';
import { localPartEnd } from './local-part-end.ts';

export type ParsedAddress =
  | { readonly ok: true; readonly address: Address }
  | { readonly ok: false; readonly why: string };

/** RFC 5321 4.5.3.1.1. */
const MAX_LOCAL_OCTETS = 64;
/** RFC 5321 4.5.3.1.3 gives a path 256 octets, of which < and > are two. */
const MAX_MAILBOX_OCTETS = 254;
/** A domain may shrink on its way to ASCII, so the text may be longer than a mailbox; but not without end. */
const MAX_TEXT_UNITS = 1_000;

export function parseAddress(text: string): ParsedAddress {
  if (text.length > MAX_TEXT_UNITS) return refused('the address is too long');
  const end = localPartEnd(text);
  if (typeof end === 'string') return refused(end);
  const local = text.slice(0, end.at);
  const localOctets = end.ascii ? local.length : utf8Octets(local);
  if (localOctets > MAX_LOCAL_OCTETS) return refused('the part before @ is longer than 64 octets');
  const given = text.slice(end.at + 1);
  const name = asciiDomain(given);
  if (!name.ok) return name;
  const { domain } = name;
  if (localOctets + 1 + domain.length > MAX_MAILBOX_OCTETS)
    return refused('the address is longer than 254 octets');
  // The usual case: already in wire form, no new string needed.
  const mailbox = given === domain ? text : `${local}@${domain}`;
  return { ok: true, address: { local, domain, mailbox, needsSmtpUtf8: !end.ascii } };
}

function refused(why: string): { ok: false; why: string } {
  return { ok: false, why };
}

/** Only for well-formed text: lone surrogates were refused before this is asked. */
function utf8Octets(text: string): number {
  let octets = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    octets += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return octets;
}
