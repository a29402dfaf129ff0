// Domain text → its ASCII form in lower case (A-labels), the key of everything known about a domain, so that
// `bücher.example` and `xn--bcher-kva.example` are one domain with one verdict; or the reason why it is not a domain.
//
// ASCII text needs no IDNA: only letters, digits, hyphens and lengths are checked. A label that starts with xn-- and
// does not decode is left to DNS: Unicode grows, and refusing what our tables do not know yet would refuse registered
// names. Anything else goes through UTS 46 (non-transitional: ß stays ß).
import { detached } from '../detach-string.ts';

export type AsciiDomain =
  | { readonly ok: true; readonly domain: string }
  | { readonly ok: false; readonly why: string };

const MAX_LABEL_OCTETS = 63;
/** RFC 5321 4.5.3.1.2. The 254 octets of a mailbox are tighter; this stands for a domain asked alone. */
const MAX_DOMAIN_OCTETS = 255;
const DOT = 0x2e;
const HYPHEN = 0x2d;

// What UTS 46 drops silently: text with a soft hyphen, a zero-width space or a byte-order mark in its
// domain was damaged on the way. Joiners stay (UTS 46 checks their neighbours), so do emoji selectors.
const INVISIBLE = /[[\p{Cf}\p{Cc}\p{Z}\p{Cs}\p{Default_Ignorable_Code_Point}]--[\u200c\u200d\ufe0e\ufe0f]]/v;

// UTS 46 as browsers and Node have it, in the host of a URL. A URL whose host ends in a label of digits is read as an IPv4
// address, so a label of letters is appended to the host, and removed again.
const GUARD = '.invalid';
const HOST = new URL('ws://unset');

/** A list has fewer domains than addresses; beyond this number some are converted again. */
const KEPT_MAX = 10_000;
const kept = new Map<string, AsciiDomain>();

export function asciiDomain(text: string): AsciiDomain {
  const before = kept.get(text);
  if (before !== undefined) return before;
  if (kept.size >= KEPT_MAX) kept.clear();
  const own = detached(text);
  const read = readDomain(own);
  kept.set(own, read);
  return read;
}

function readDomain(text: string): AsciiDomain {
  const ascii = isAscii(text) ? text.toLowerCase() : fromUnicode(text);
  if (ascii === null) return { ok: false, why: 'the domain contains an invalid character' };
  const fault = ldhFault(ascii);
  return fault === null ? { ok: true, domain: ascii } : { ok: false, why: fault };
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

function fromUnicode(text: string): string | null {
  // The URL reader would also decode %61 and drop tabs and line ends: nothing but LDH may reach it from ASCII.
  if (/[^a-zA-Z0-9.\-\x80-\u{10ffff}]/u.test(text) || !text.isWellFormed() || INVISIBLE.test(text))
    return null;
  // Stays as it is where the text is no host.
  HOST.hostname = 'unset';
  HOST.hostname = text + GUARD;
  return HOST.hostname.endsWith(GUARD) ? HOST.hostname.slice(0, -GUARD.length) : null;
}

/** Letters, digits and hyphens in labels of 1–63, no hyphen at either end of one (RFC 5321 sub-domain). */
function ldhFault(domain: string): string | null {
  if (domain === '') return 'the domain after @ is missing';
  if (domain.length > MAX_DOMAIN_OCTETS) return 'the domain is longer than 255 octets';
  if (domain.startsWith('[')) return 'the domain is an address literal';
  let labelStart = 0;
  for (let i = 0; i <= domain.length; i++) {
    const code = i === domain.length ? DOT : domain.charCodeAt(i);
    if (code === DOT) {
      if (i === labelStart)
        return i === domain.length ? 'the domain ends in a dot' : 'the domain has an empty label';
      if (i - labelStart > MAX_LABEL_OCTETS) return 'a label of the domain is longer than 63 octets';
      if (domain.charCodeAt(labelStart) === HYPHEN || domain.charCodeAt(i - 1) === HYPHEN) {
        return 'a label of the domain starts or ends with a hyphen';
      }
      labelStart = i + 1;
    } else if (!((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === HYPHEN)) {
      return 'the domain contains an invalid character';
    }
  }
  return null;
}
