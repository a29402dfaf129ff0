// Where the service speaks from, as the doctor looks at it: a source is an address of this machine, a proxy, or the machine's own
// choice.
import { isIPv6 } from 'node:net';
import { type ConnectTarget, DEFAULT_POLICY, findHeloName } from '@mxproof/engine';
import type { Config, SourceAddress } from '../../settings/config.ts';
import { findSources } from '../../settings/look-up-names.ts';

export interface DoctorSource {
  /** What it is known by, in the policy file too; null: the machine's own address. */
  readonly name: string | null;
  /** Its address on this machine; null where the system, or a proxy, chooses it. */
  readonly ip: string | null;
  readonly helo: string;
  /** Empty: the null sender. */
  readonly mailFrom: string;
  /** How the engine is told to connect from there; null: its proxy has a name that does not resolve. */
  route(): Promise<Route | null>;
}

type Route = Pick<ConnectTarget, 'source' | 'proxy'>;

export async function sourcesOf(config: Config): Promise<readonly DoctorSource[]> {
  if (config.sourceAddresses.length > 0)
    return config.sourceAddresses.map((address) => ({
      name: address.name,
      ip: address.ip,
      helo: address.helo,
      mailFrom: senderOf(config, address.name),
      route: () => routeOf(address),
    }));
  const helo = config.heloName ?? (await findHeloName()).name;
  return [{ name: null, ip: null, helo, mailFrom: config.mailFrom, route: async () => ({ source: null }) }];
}

async function routeOf(address: SourceAddress): Promise<Route | null> {
  const [found] = await findSources({ sourceAddresses: [address] }).catch(() => []);
  if (found === undefined) return null;
  return 'proxy' in found ? { source: null, proxy: found.proxy } : { source: found.ip };
}

/** As it stands in the middle of a sentence. */
export function sourceText({ name }: DoctorSource): string {
  return name ?? 'this machine';
}

/** The field `about` of a result; none where there is one source only, and it has no name. */
export function aboutSource({ name }: DoctorSource): { readonly about?: string } {
  return name === null ? {} : { about: name };
}

/** Which family of addresses it reaches; the system's choice is asked by IPv4 first. */
export function familyOf({ ip }: DoctorSource): 4 | 6 {
  return ip !== null && isIPv6(ip) ? 6 : 4;
}

function senderOf(config: Config, name: string): string {
  return (config.policy ?? DEFAULT_POLICY).sources.get(name)?.mailFrom ?? config.mailFrom;
}
