// The large providers whose servers the doctor greets, and where these are. Promise: each name is looked up once for all
// sources; only addresses that the engine may connect to are returned.
import { isPublicAddress } from '@mxproof/common/public-address';
import type { DnsAnswer } from '@mxproof/engine';
import type { DoctorContext } from './doctor-check.ts';

interface ProbedProvider {
  readonly title: string;
  readonly domain: string;
  /** Ends of the names with which its servers introduce themselves. */
  readonly names: readonly string[];
}

/** In this order, the first three that can be reached by the family asked for. Names seen in 2026-11. */
const PROBED_PROVIDERS: readonly ProbedProvider[] = [
  { title: 'Google', domain: 'gmail.com', names: ['google.com', 'googlemail.com'] },
  { title: 'Microsoft', domain: 'outlook.com', names: ['outlook.com', 'hotmail.com', 'microsoft.com'] },
  { title: 'GMX', domain: 'gmx.de', names: ['gmx.net', 'gmx.de', 'gmx.com'] },
  { title: 'Yahoo', domain: 'yahoo.com', names: ['yahoo.com', 'yahoodns.net'] },
  // With IPv6 addresses, which most others lack.
  { title: 'Comcast', domain: 'comcast.net', names: ['comcast.net'] },
  { title: 'Seznam', domain: 'seznam.cz', names: ['seznam.cz'] },
];
const PROBES = 3;
/** Of each provider, by preference. */
const HOSTS_TRIED = 2;

export interface ProbeTarget {
  readonly provider: ProbedProvider;
  readonly hostName: string;
  readonly ip: string;
}

export async function probeTargets(context: DoctorContext, family: 4 | 6): Promise<readonly ProbeTarget[]> {
  const found = await Promise.all(PROBED_PROVIDERS.map((provider) => targetOf(context, provider, family)));
  return found.filter((target) => target !== null).slice(0, PROBES);
}

async function targetOf(
  { resolver, config }: DoctorContext,
  provider: ProbedProvider,
  family: 4 | 6,
): Promise<ProbeTarget | null> {
  const hosts = [...recordsOf(await resolver.mx(provider.domain))]
    .filter(({ exchange }) => exchange !== '')
    .sort((one, other) => one.preference - other.preference)
    .slice(0, HOSTS_TRIED);
  for (const { exchange } of hosts) {
    const answer = await (family === 4 ? resolver.a(exchange) : resolver.aaaa(exchange));
    const ip = recordsOf(answer).find((one) => config.allowPrivateTargets || isPublicAddress(one));
    if (ip !== undefined) return { provider, hostName: exchange, ip };
  }
  return null;
}

function recordsOf<Row>(answer: DnsAnswer<Row>): readonly Row[] {
  return answer.kind === 'records' ? answer.records : [];
}
