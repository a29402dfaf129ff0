// Which names we may use for ourselves, in HELO and in MAIL FROM. Promise: a name or sender that servers would refuse is
// rejected with one sentence before anything starts.
import { isIP } from 'node:net';
import { asciiDomain } from './ascii-domain.ts';
import { parseAddress } from './parse-address.ts';

/** Null, or what is wrong with a HELO name. */
export function validateHelo(name: string): string | null {
  const literal = /^\[(?:IPv6:)?([^\]]+)\]$/i.exec(name);
  if (literal !== null) {
    const ip = literal[1] ?? '';
    const wanted = /^\[IPv6:/i.test(name) ? 6 : 4;
    return isIP(ip) === wanted ? null : `HELO name ${quote(name)} is not a valid address literal`;
  }
  if (isIP(name) !== 0) return `HELO name ${quote(name)} is an IP address and must be enclosed in brackets`;
  const domain = asciiDomain(name);
  if (!domain.ok || domain.domain !== name.toLowerCase())
    return `HELO name ${quote(name)} is not a host name`;
  if (/^localhost(\.|$)/i.test(name) || /\.(localhost|localdomain)$/i.test(name))
    return `HELO name ${quote(name)} is localhost, which every server refuses`;
  if (!name.includes('.')) return `HELO name ${quote(name)} is not fully qualified`;
  if (/^[\d.]+$/.test(name)) return `HELO name ${quote(name)} looks like an IP address but is not one`;
  return null;
}

/** Null, or what is wrong with a MAIL FROM address; `` and `<>` are the null sender. */
export function validateMailFrom(sender: string): string | null {
  if (sender === '' || sender === '<>') return null;
  const parsed = parseAddress(sender);
  if (!parsed.ok) return `sender ${quote(sender)} is not an e-mail address: ${parsed.why}`;
  if (parsed.address.needsSmtpUtf8) return `sender ${quote(sender)} must have an ASCII local part`;
  const { domain } = parsed.address;
  if (validateHelo(domain) !== null) return `sender ${quote(sender)} has a domain that mail servers refuse`;
  return null;
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
