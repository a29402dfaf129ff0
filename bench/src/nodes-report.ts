// What several nodes on one PostgreSQL were seen to do, and what would be short next, as the tables of docs/guide/scaling.md.
// Pure. Promise: each limit is computed from figures of the same run, and says which.
import type { Calibration } from './calibrate.ts';
import type { Span } from './nodes-probe.ts';
import { median, short } from './runner.ts';

export interface Point {
  readonly nodes: number;
  readonly span: Span;
}

export interface NodesFigures {
  readonly date: string;
  readonly machine: { readonly cpus: number; readonly cpu: string; readonly node: string };
  readonly before: Calibration;
  readonly after: Calibration;
  readonly hosts: number;
  readonly replyMs: number;
  /** What PostgreSQL leaves to ordinary users. */
  readonly connectionLimit: number;
  readonly points: readonly Point[];
  /** Nothing to do. */
  readonly idle: readonly Point[];
  readonly smallAloneSeconds: readonly number[];
  readonly million: {
    readonly addresses: number;
    readonly seconds: number;
    readonly span: Span;
    readonly takenOverSeconds: number;
    readonly besideSeconds: readonly number[];
    /** Of each node at its highest. */
    readonly memoryMegabytes: readonly number[];
    readonly wrong: number;
    readonly money: { readonly paid: number; readonly refunded: number; readonly differences: number };
  };
  /** Warnings and errors that the nodes have logged. */
  readonly complaints: Readonly<Record<string, number>>;
}

/** A limit, what was seen of it at the largest number of nodes, and at how many nodes of the same pace it is reached. */
export interface Bottleneck {
  readonly name: string;
  readonly seen: string;
  readonly nodes: number;
}

const perSecond = ({ span }: Point) => span.checked / span.seconds;
const coresOf = ({ span }: Point, part: keyof Span['cpu']) => span.cpu[part] / span.seconds;
const percent = (share: number) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
const hundredths = (value: number) => value.toFixed(2);
const whole = (value: number) => Math.round(value).toLocaleString('en-US');

/** Ordered by how soon each is reached. */
export function bottlenecks({
  points,
  connectionLimit,
  before,
}: Pick<NodesFigures, 'points' | 'connectionLimit' | 'before'>): Bottleneck[] {
  const last = points.at(-1)!;
  const { span, nodes } = last;
  const cores = coresOf(last, 'postgres');
  const syncSeconds = (span.walSyncs / span.seconds) * (before.fsyncMilliseconds / 1000);
  const limits: Bottleneck[] = [
    {
      name: 'connections of PostgreSQL (`max_connections`)',
      seen: `${span.connections} of ${connectionLimit}`,
      nodes: (connectionLimit * nodes) / span.connections,
    },
    {
      name: 'one core of PostgreSQL’s',
      seen: `${percent(cores)} of it, ${short((span.cpu.postgres * 1e6) / span.checked)} µs per address`,
      nodes: nodes / cores,
    },
    {
      name: 'syncs of the log, one after the other',
      seen: `${short(span.walSyncs / span.seconds)} per second of ${short(before.fsyncMilliseconds)} ms: ${percent(syncSeconds)} of the time`,
      nodes: nodes / syncSeconds,
    },
  ];
  return limits.sort((a, b) => a.nodes - b.nodes);
}

/** As docs/guide/scaling.md says: the first node serves, the others only check. */
const CONNECTIONS = { first: 17, other: 8 } as const;

/** What must not be, however fast the machine is. */
export function faultsOf({ million, points }: Pick<NodesFigures, 'million' | 'points'>): string[] {
  const { wrong, money } = million;
  const faults = points
    .filter(({ nodes, span }) => span.connections > CONNECTIONS.first + CONNECTIONS.other * (nodes - 1))
    .map(({ nodes, span }) => `${nodes} nodes had ${span.connections} connections`);
  if (wrong > 0) faults.push(`${wrong} results differ from the truth`);
  if (money.differences > 0) faults.push(`${money.differences} balances or ledger entries differ`);
  return faults;
}

export function nodesTables(figures: NodesFigures): string {
  return [
    curveTable(figures.points),
    millionTable(figures),
    nextTable(figures),
    statementTable(figures),
    calibrationLine(figures),
  ].join('\n\n');
}

function curveTable(points: readonly Point[]): string {
  const one = perSecond(points[0]!) / points[0]!.nodes;
  const lines = points.map((point) => {
    const { nodes, span } = point;
    const rate = perSecond(point);
    return [
      String(nodes),
      whole(rate),
      percent(rate / (one * nodes)),
      hundredths(coresOf(point, 'nodes')),
      hundredths(coresOf(point, 'postgres')),
      hundredths(coresOf(point, 'machine')),
      hundredths(span.statements / span.checked),
      whole((span.commits * 1000) / span.checked),
      whole(span.walBytes / span.checked),
      String(span.connections),
      percent(span.lockWaitShare),
    ];
  });
  return table(
    [
      'nodes',
      'addresses per second',
      'of a straight line',
      'cores: nodes',
      'PostgreSQL',
      'all programs',
      'statements per address',
      'commits per thousand',
      'bytes of log per address',
      'connections',
      'sessions waiting for a lock',
    ],
    lines,
  );
}

function millionTable({ million, smallAloneSeconds, idle, points, complaints }: NodesFigures): string {
  const { span, money, besideSeconds } = million;
  const [idleOne, idleAll] = idle as [Point, Point];
  const said = Object.entries(complaints).map(([message, count]) => `${message} (${count})`);
  const nodes = points.at(-1)!.nodes;
  return table(
    [`${whole(million.addresses)} addresses, ten lists of three accounts, ${nodes} nodes`, 'measured'],
    [
      [
        'all lists done after',
        `${whole(million.seconds)} s, ${whole(million.addresses / million.seconds)} per second`,
      ],
      ['results that differ from the truth', whole(million.wrong)],
      [
        'credits: paid, refunded, differences from the model and in the ledger',
        `${whole(money.paid)}, ${whole(money.refunded)}, ${whole(money.differences)}`,
      ],
      [
        'a node killed (`kill -9`): its chunks were free for others after',
        `${million.takenOverSeconds.toFixed(1)} s`,
      ],
      [
        'recipients asked about, probes and repetitions included; 421s and delays drawn',
        `${whole(span.mail.recipients)}; ${whole(span.mail.penalties)}`,
      ],
      [
        'a list of 100 of another account, from POST to `done`: alone, beside it (medians of five)',
        `${median(smallAloneSeconds).toFixed(1)} s, ${median(besideSeconds).toFixed(1)} s`,
      ],
      [
        'memory of a node at its highest: least, most',
        `${whole(Math.min(...million.memoryMegabytes))} MB, ${whole(Math.max(...million.memoryMegabytes))} MB`,
      ],
      [
        'PostgreSQL’s share of the CPU time of nodes and PostgreSQL',
        percent(span.cpu.postgres / (span.cpu.postgres + span.cpu.nodes)),
      ],
      ['deadlocks, transactions rolled back', `${span.deadlocks}, ${span.rollbacks}`],
      [
        `idle: statements per second with one node, with ${idleAll.nodes}`,
        `${whole(idleOne.span.statements / idleOne.span.seconds)}, ${whole(idleAll.span.statements / idleAll.span.seconds)}`,
      ],
      [
        `idle: PostgreSQL’s cores with one node, with ${idleAll.nodes}`,
        `${hundredths(coresOf(idleOne, 'postgres'))}, ${hundredths(coresOf(idleAll, 'postgres'))}`,
      ],
      ['warnings in the logs of the nodes', said.length === 0 ? 'none' : said.join(', ')],
    ],
  );
}

function nextTable(figures: NodesFigures): string {
  const last = figures.points.at(-1)!;
  const pace = perSecond(last) / last.nodes;
  return table(
    ['what would be short next', `seen with ${last.nodes} nodes`, 'reached at'],
    bottlenecks(figures).map(({ name, seen, nodes }) => [
      name,
      seen,
      `${whole(Math.floor(nodes))} nodes, ${whole(Math.floor(nodes) * pace)} addresses per second`,
    ]),
  );
}

function statementTable({ points }: NodesFigures): string {
  const [first, last] = [points[0]!, points.at(-1)!];
  const lines = last.span.slowest.slice(0, STATEMENTS_SHOWN).map(({ words, calls, meanMs, totalMs }) => {
    const before = first.span.slowest.find((one) => one.words === words);
    return [
      `\`${words.slice(0, STATEMENT_CHARS).replaceAll('`', "'").replaceAll('|', '¦').trim()}…\``,
      whole(calls / last.span.seconds),
      before ? hundredths(before.meanMs) : '',
      hundredths(meanMs),
      hundredths(totalMs / 1000 / last.span.seconds),
    ];
  });
  return table(
    [
      'statements that took most',
      'calls per second',
      `ms each, ${first.nodes} node`,
      `ms each, ${last.nodes} nodes`,
      'sessions in it at a time, waiting or not',
    ],
    lines,
  );
}

const STATEMENT_CHARS = 64;
const STATEMENTS_SHOWN = 8;

function calibrationLine({ machine, before, after, hosts, replyMs, date }: NodesFigures): string {
  const noise = Math.abs(after.cpuMillionsPerSecond / before.cpuMillionsPerSecond - 1);
  return (
    `${date.slice(0, 10)}, ${machine.cpus} × ${machine.cpu}, Node ${machine.node}: loop ${short(before.cpuMillionsPerSecond)} M/s` +
    ` (spread ${percent(before.cpuSpread)}, ${percent(noise)} apart before and after), loopback round trip` +
    ` ${short(before.loopbackRoundTripMicroseconds)} µs, fsync ${short(before.fsyncMilliseconds)} ms. ${hosts} mail hosts that allow` +
    ` each source address one connection and take ${replyMs} ms for a reply, in a process of their own; nodes, PostgreSQL and hosts share the machine.`
  );
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [row(head), `|${'---|'.repeat(head.length)}`, ...lines.map(row)].join('\n');
}
