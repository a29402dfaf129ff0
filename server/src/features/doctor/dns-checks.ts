// The doctor's checks of the DNS servers: whether each is believed, as the engine judges, and how long it takes.
import { DEFAULT_SENTINELS, judgeServers, type NamedServer } from '@mxproof/engine';
import type { CheckResult, DoctorCheck, DoctorContext } from './doctor-check.ts';
import { inTime } from './in-time.ts';

const DOUBTS_SHOWN = 3;
const QUESTIONS = 5;
/** A list looks up hundreds of names a second; with slower answers it waits for DNS more than for mail servers. */
const SLOW_MS = 300;

/** `now`: milliseconds; another in tests. */
export function createDnsChecks(now: () => number = () => performance.now()): readonly DoctorCheck[] {
  return [
    {
      id: 'dns.servers',
      title: 'DNS servers',
      needs: ['network'],
      run: (context, signal) => inTime(believe(context), signal),
    },
    {
      id: 'dns.latency',
      title: 'DNS latency',
      needs: ['network'],
      run: (context, signal) => inTime(measure(context, now), signal),
    },
  ];
}

export const DNS_CHECKS: readonly DoctorCheck[] = createDnsChecks();

const NO_SERVER: CheckResult = {
  status: 'failure',
  detail: 'No DNS server is known.',
  advice:
    'Set MXPROOF_DNS_SERVERS to addresses of DNS servers, or correct /etc/resolv.conf; a name in MXPROOF_DNS_SERVERS must resolve.',
};

function sentinelsOf({ config }: DoctorContext): readonly string[] {
  return config.dnsSentinels ?? DEFAULT_SENTINELS;
}

async function believe(context: DoctorContext): Promise<readonly CheckResult[]> {
  const sentinels = sentinelsOf(context);
  if (context.resolver.servers?.length === 0) return [NO_SERVER];
  if (sentinels.length === 0)
    return [
      {
        status: 'skipped',
        detail: 'MXPROOF_DNS_SENTINELS is "none": every DNS server is believed, whatever it says.',
        advice: null,
      },
    ];
  const all = await judgeServers(context.resolver, sentinels);
  const isOneBelieved = all.some(({ doubts }) => doubts.length === 0);
  return all.map(({ name, doubts }): CheckResult => {
    const about = name.replace(/^DNS server /, '');
    if (doubts.length === 0) return { status: 'ok', detail: `${name} is believed.`, advice: null, about };
    return {
      // One that others make up for is passed over.
      status: isOneBelieved ? 'warning' : 'failure',
      detail: `${name} is not believed: it ${shortened(doubts).join('; it ')}.`,
      advice: isOneBelieved
        ? 'It is not asked while another is believed: take it out of MXPROOF_DNS_SERVERS, or repair it.'
        : 'No domain is called missing, and addresses end as unknown: set MXPROOF_DNS_SERVERS to a resolver that answers ' +
          'unfiltered, such as unbound on this machine. On a closed network, set MXPROOF_DNS_SENTINELS.',
      about,
    };
  });
}

/** One that denies everything is wrong about each sentinel. */
function shortened(doubts: readonly string[]): readonly string[] {
  if (doubts.length <= DOUBTS_SHOWN) return doubts;
  return [...doubts.slice(0, DOUBTS_SHOWN - 1), `is wrong about ${doubts.length - DOUBTS_SHOWN + 1} more`];
}

async function measure(context: DoctorContext, now: () => number): Promise<readonly CheckResult[]> {
  const name = sentinelsOf(context)[0] ?? DEFAULT_SENTINELS[0]!;
  const servers = context.resolver.servers ?? [];
  if (servers.length === 0) return [{ ...NO_SERVER, status: 'skipped', advice: null }];
  return Promise.all(servers.map((server) => latencyOf(server, name, now)));
}

async function latencyOf(server: NamedServer, name: string, now: () => number): Promise<CheckResult> {
  const about = server.name.replace(/^DNS server /, '');
  const took: number[] = [];
  for (let n = 0; n < QUESTIONS; n += 1) {
    const beganMs = now();
    const { kind } = await server.mx(name);
    if (kind === 'timeout')
      return {
        status: 'warning',
        detail: `${server.name} did not answer in time.`,
        advice:
          'Repair it, or take it out of MXPROOF_DNS_SERVERS: each lookup that it is asked first waits for it.',
        about,
      };
    took.push(now() - beganMs);
  }
  const median = Math.round(took.sort((a, b) => a - b)[QUESTIONS >> 1]!);
  const detail = `${server.name} answers in ${median} ms (median of ${QUESTIONS}).`;
  if (median <= SLOW_MS) return { status: 'ok', detail, advice: null, about };
  return {
    status: 'warning',
    detail,
    advice: `Use a DNS server nearby, such as unbound on this machine: above ${SLOW_MS} ms, lists wait for DNS.`,
    about,
  };
}
