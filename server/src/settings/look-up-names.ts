// The names of DNS servers and proxies in settings, looked up once with the system's own resolver.
import { lookup } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import type { SourceOption } from '@mxproof/engine';
import { OperatorError } from '../rules/operator-error.ts';
import type { Config, DnsServer } from './config.ts';

export function serverText({ host, port }: DnsServer): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Resolvers are asked by address: names among them are looked up once, with the system's own resolver. */
export async function findDnsServers(config: Pick<Config, 'dnsServers'>): Promise<readonly DnsServer[]> {
  return Promise.all(
    config.dnsServers.map(async ({ host, port }) => ({
      host: await addressOf(host, 'MXPROOF_DNS_SERVERS'),
      port,
    })),
  );
}

/** What mail hosts are asked from. The names of proxies are looked up like those of resolvers. */
export async function findSources({
  sourceAddresses,
}: Pick<Config, 'sourceAddresses'>): Promise<readonly SourceOption[]> {
  return Promise.all(
    sourceAddresses.map(async ({ name, ip, helo: heloName, proxy }) => {
      if (proxy === null) return { ip: ip ?? name, heloName };
      const { host, port, login } = proxy;
      return {
        heloName,
        proxy: { name, ip: await addressOf(host, 'MXPROOF_SOURCE_ADDRESSES'), port, login },
      };
    }),
  );
}

async function addressOf(host: string, setting: string): Promise<string> {
  if (isIP(host) !== 0) return host;
  try {
    return (await lookup(host)).address;
  } catch {
    throw new OperatorError(`${setting} names ${host}, which does not resolve to an address.`);
  }
}
