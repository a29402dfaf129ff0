// Parses the address of a name server as people and the system write it. Promise: a malformed one throws an error that
// names it.
import { isIP } from 'node:net';

export interface ServerAddress {
  readonly ip: string;
  readonly port: number;
  readonly family: 4 | 6;
}

const DNS_PORT = 53;
const PORT_MAX = 65_535;

/** `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1`, `fe80::1%eth0`, `[2001:db8::1]:5353`. */
export function parseServerAddress(text: string): ServerAddress {
  const [, inBrackets, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isBare = isIP(text) !== 0;
  const ip = isBare ? text : (inBrackets ?? plain ?? '');
  const number = isBare ? DNS_PORT : Number(port ?? DNS_PORT);
  const family = isIP(ip);
  const isOdd = inBrackets !== undefined && family !== 6;
  if ((family !== 4 && family !== 6) || isOdd || number < 1 || number > PORT_MAX) {
    throw new Error(`invalid DNS server address: ${text} (expected an IP address and an optional port)`);
  }
  return { ip, port: number, family };
}
