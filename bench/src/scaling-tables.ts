// The tables of docs/guide/scaling.md: what the capacity model assumes, what it yields, and what was measured beside it.
// Pure. Promise: an assumption is printed as the model uses it, a figure as the benchmark measured it.
import { ASSUMPTIONS, type Capacity, capacity } from './capacity.ts';
import { type BenchRow, short } from './runner.ts';

type RowFinder = (workload: string) => BenchRow;

const LOADS = [1_000_000, 10_000_000, 100_000_000] as const;
const CAPACITY_ROWS: readonly (readonly [name: string, key: keyof Capacity, digits: number])[] = [
  ['addresses per second in the busiest hour', 'peakPerSecond', 0],
  [
    `source addresses, if the largest provider tolerates ${ASSUMPTIONS.providerPerSource} recipients a second from each`,
    'sources',
    0,
  ],
  [
    `source addresses, if it tolerates ${short(ASSUMPTIONS.providerPerSourceAndDay)} a day from each`,
    'sourcesByDay',
    0,
  ],
  ['open sessions', 'openSessions', 0],
  ['cores for checking', 'cores', 2],
  ['nodes that can carry it, lists only', 'nodes', 0],
  ['DNS queries per second', 'dnsPerSecond', 0],
  ['commits per second, lists', 'commitsPerSecond', 1],
  ['write-ahead log, lists, GB per day', 'walGigabytesPerDay', 1],
  ['chunk rows per day', 'chunkRowsPerDay', 0],
  ['chunks kept for a year, GB', 'chunkGigabytesPerYear', 0],
  ['evidence of 30 days, GB', 'evidenceGigabytes', 0],
  ['nodes that can carry it, if all were single checks', 'singleNodes', 0],
  ['commits per second, single checks', 'singleCommitsPerSecond', 0],
  ['write-ahead log, single checks, GB per day', 'singleWalGigabytesPerDay', 1],
];

export function capacityTable(): string {
  const needs = LOADS.map((load) => capacity(load));
  const lines = CAPACITY_ROWS.map(([name, key, maximumFractionDigits]) => {
    const cells = needs.map((need) => rounded(need[key], maximumFractionDigits));
    return `| ${name} | ${cells.join(' | ')} |`;
  });
  return [
    '| needed for | 1 million per day | 10 million | 100 million |',
    '|---|---|---|---|',
    ...lines,
  ].join('\n');
}

/** What is little is not nothing. */
function rounded(value: number, digits: number): string {
  const least = 10 ** -digits;
  return value > 0 && value < least / 2
    ? `below ${least}`
    : value.toLocaleString('en-US', { maximumFractionDigits: digits });
}

export function assumptionTable(find: RowFinder): string {
  const given = ASSUMPTIONS;
  const share = (value: number) => `${value * 100} %`;
  const lines: readonly (readonly [name: string, value: string, basis: string])[] = [
    ['busiest hour against the mean', short(given.peakFactor), 'lists arrive in office hours'],
    ['share of the largest provider', share(given.largestProviderShare), 'typical customer lists'],
    [
      'recipients per second that provider tolerates from one source address',
      short(given.providerPerSource),
      '**the assumption that matters most and is least certain**: no provider publishes it. Set `recipientsPerMinute` for the provider in the policy file to what the reputation of your addresses allows; the engine also halves its pace whenever the provider objects',
    ],
    [
      'recipients per day that provider tolerates from one source address',
      short(given.providerPerSourceAndDay),
      'what [another verifier recommends](reputation.md#warm-up-a-new-address), and as uncertain: an address with a good history may ask about more',
    ],
    [
      'share of small domains; addresses per session there',
      `${share(given.smallDomainShare)}; ${given.addressesPerSmallSession}`,
      'lists have few addresses of each small domain',
    ],
    [
      'length of a session',
      `${given.sessionSeconds} s`,
      'about ten round trips of 100–200 ms, including TLS',
    ],
    [
      'hosts that never answer; wait for each',
      `${share(given.unresponsiveShare)}; ${given.unresponsiveSeconds} s`,
      'one minute, then two more ([ADR 0014](../adr/0014-a-verifiers-patience.md)); that nothing waits for them in the hour after is left out',
    ],
    [
      'sessions per node',
      short(given.sessionsPerNode),
      `\`maxSessions\`; measured with ${short(find('open sessions to unresponsive hosts').figure)} open: ${short(find('memory for open sessions').figure)} MB, event-loop delay ${short(find('event-loop delay p99 with them open').figure)} ms (p99)`,
    ],
    [
      'addresses per second and core',
      short(given.perCore),
      `measured ${short(1e6 / find('service cost: 100,000 addresses, CPU each').figure)} per CPU-second of the service, without PostgreSQL`,
    ],
    [
      'bytes of log, chunk and evidence per address',
      `${given.walBytes}; ${given.chunkBytes}; ${given.evidenceBytes}`,
      `estimates for addresses of ordinary length; a finished list of 100,000 short ones took ${short(find('disk of a done list of 100,000').figure)} MB`,
    ],
    [
      'commits per thousand addresses',
      short(given.commitsPerThousand),
      'several chunks of 250 are written in one transaction',
    ],
    [
      'single checks per second and node of 2 cores',
      short(given.singlesPerNode),
      `the benchmark’s target; measured ${short(find('POST /verify, 64 clients over 32 accounts').figure)}`,
    ],
    [
      'commits and bytes of log per single check',
      `${given.commitsPerSingle}; ${short(given.walBytesPerSingle)}`,
      'estimates: the result, the refund and the job are written in one statement for many checks',
    ],
  ];
  return table(['assumption', 'value', 'basis'], lines);
}

/** What one machine can tell about the model. */
export function checkTable(find: RowFinder): string {
  const floor = (name: string) =>
    `${(find(`${name}: share of the floor reached`).figure * 100).toFixed(0)} %`;
  const perSecond = 1e6 / find('service cost: 100,000 addresses, CPU each').figure;
  return table(
    ['part of the model', 'measured'],
    [
      [
        'sessions and round trips: least time possible, default policy',
        `${floor('100,000, default policy')} reached`,
      ],
      ['the same with the limits of the hosts in the policy', `${floor('100,000, with the policy')} reached`],
      [
        `CPU: ${short(ASSUMPTIONS.perCore)} addresses per second and core`,
        `${short(perSecond)}; the rest is left for PostgreSQL on the same machine`,
      ],
      [
        'three nodes do three times the work of one',
        `${short(find('service: three nodes against one').figure)}×`,
      ],
    ],
  );
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [row(head), `|${'---|'.repeat(head.length)}`, ...lines.map(row)].join('\n');
}
