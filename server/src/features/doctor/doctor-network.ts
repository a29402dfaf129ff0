// What the doctor's checks reach the network with: the engine's own resolver and connections, on the service's configuration.
// Promise: never fails; a DNS server whose name does not resolve in time is left out, and dns.servers says so when none is
// left. One for each run: what its mail servers said is remembered by it (source-findings.ts).
import {
  type Connect,
  createWireResolver,
  type NameLookups,
  netConnect,
  type Resolver,
} from '@mxproof/engine';
import type { Config, DnsServer } from '../../settings/config.ts';
import { findDnsServers, serverText } from '../../settings/look-up-names.ts';
import { orElse } from './in-time.ts';

const NAMES_LIMIT_MS = 3_000;

export interface DoctorNetwork {
  readonly resolver: Resolver & NameLookups;
  readonly connect: Connect;
  /** Ends the questions that wait. */
  close(): void;
}

export async function createDoctorNetwork({
  dnsServers,
}: Pick<Config, 'dnsServers'>): Promise<DoctorNetwork> {
  const late = AbortSignal.timeout(NAMES_LIMIT_MS);
  const found = await Promise.all(dnsServers.map((server) => orElse(addressesOf(server), [], late)));
  const servers = dnsServers.length === 0 ? undefined : found.flat().map(serverText);
  const resolver = createWireResolver({ servers });
  return { resolver, connect: netConnect, close: () => resolver.close() };
}

function addressesOf(server: DnsServer): Promise<readonly DnsServer[]> {
  return findDnsServers({ dnsServers: [server] }).catch(() => []);
}
