// The name we greet with where none is set. Promise: it is the name of the machine, or its address as a literal.
import { lookup, lookupService } from 'node:dns/promises';
import { hostname, networkInterfaces } from 'node:os';
import { validateHelo } from './address/own-names.ts';

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
