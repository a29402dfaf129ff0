// The names we use for ourselves. Promise: a name or sender that servers would refuse is rejected with one sentence
// before anything starts; the default is the name of the machine, or its address as a literal.
import { lookup, lookupService } from 'node:dns/promises';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { asciiDomain } from './address/ascii-domain.ts';
import { parseAddress } from './address/parse-address.ts';

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

export interface DefaultHelo {
  readonly name: string;
  /** One sentence when the machine has no name to show. */
  readonly warning: string | null;
}

const NAME_SEARCH_MS = 3_000;
const ADDRESSES_MAX = 4;

/** What the system tells about the machine's own name; another in tests. */
export interface OwnName {
  hostname(): string;
  /** The name's addresses. */
  addresses(name: string): Promise<readonly string[]>;
  /** The name of an address, by the hosts file or DNS. */
  nameOf(address: string): Promise<string>;
}

const SYSTEM: OwnName = {
  hostname,
  addresses: async (name) => (await lookup(name, { all: true })).map((one) => one.address),
  nameOf: async (address) => (await lookupService(address, 25)).hostname,
};

/**
 * The machine's fully qualified name as `hostname -f` finds it: `127.0.1.1 mx1.example.org mx1` in the hosts file, or
 * DNS, make mx1.example.org of mx1. Bounded in time; without one, as `defaultHeloName`.
 */
export async function findHeloName(own: OwnName = SYSTEM): Promise<DefaultHelo> {
  const host = own.hostname().toLowerCase();
  if (validateHelo(host) === null) return { name: host, warning: null };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, NAME_SEARCH_MS, null);
  });
  const name = await Promise.race([fullName(host, own), late]);
  clearTimeout(timer);
  return name === null ? defaultHeloName() : { name, warning: null };
}

async function fullName(host: string, own: OwnName): Promise<string | null> {
  const addresses = await own.addresses(host).catch(() => []);
  for (const address of addresses.slice(0, ADDRESSES_MAX)) {
    const name = (await own.nameOf(address).catch(() => '')).toLowerCase().replace(/\.$/, '');
    // Another name is the address's, not the machine's.
    if (name.startsWith(`${host}.`) && validateHelo(name) === null) return name;
  }
  return null;
}

/** Without looking anything up. */
export function defaultHeloName(): DefaultHelo {
  const name = hostname().toLowerCase();
  if (validateHelo(name) === null) return { name, warning: null };
  const ip = Object.values(networkInterfaces())
    .flatMap((rows) => rows ?? [])
    .find((row) => !row.internal && row.family === 'IPv4')?.address;
  const literal = `[${ip ?? '127.0.0.1'}]`;
  return {
    name: literal,
    warning: `this machine has no fully qualified name and uses ${literal} as its HELO name; set one that resolves to this address (heloName of the engine, MXPROOF_HELO_NAME of the service)`,
  };
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
