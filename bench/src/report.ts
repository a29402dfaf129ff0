// Writes what was measured into docs/guide/performance.md: the table between its two marks, and the chart of cost
// against list size, both from the newest results in bench/results; and the capacity table of docs/guide/scaling.md.
// Run: node bench/src/report.ts
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type Capacity, capacity } from './capacity.ts';
import { type CostPoint, costChart } from './chart.ts';
import { type BenchRow, short } from './runner.ts';

interface ResultFile {
  readonly date: string;
  readonly node: string;
  readonly cpus: number;
  readonly cpu: string;
  readonly runs: number;
  readonly before: { readonly cpuSpread: number };
  readonly rows: readonly BenchRow[];
}

const RESULTS = new URL('../results/', import.meta.url);
const GUIDE = new URL('../../docs/guide/performance.md', import.meta.url);
const CHART = new URL('../../docs/guide/cost-by-list-size.svg', import.meta.url);
const BEGIN = '<!-- measured: begin -->';
const END = '<!-- measured: end -->';
const SCALING = new URL('../../docs/guide/scaling.md', import.meta.url);
const LOADS = [1_000_000, 10_000_000, 100_000_000] as const;
const CAPACITY_ROWS: readonly (readonly [name: string, key: keyof Capacity, digits: number])[] = [
  ['addresses a second in the busiest hour', 'peakPerSecond', 0],
  ['source addresses (largest provider)', 'sources', 0],
  ['open sessions', 'openSessions', 0],
  ['cores for checking', 'cores', 2],
  ['nodes, lists only', 'nodes', 0],
  ['DNS questions a second', 'dnsPerSecond', 0],
  ['commits a second, lists', 'commitsPerSecond', 1],
  ['write-ahead log, lists, GB a day', 'walGigabytesPerDay', 1],
  ['chunk rows a day', 'chunkRowsPerDay', 0],
  ['chunks kept a year, GB', 'chunkGigabytesPerYear', 0],
  ['evidence of 30 days, GB', 'evidenceGigabytes', 0],
  ['nodes, were all of them single checks', 'singleNodes', 0],
  ['commits a second, single checks', 'singleCommitsPerSecond', 0],
  ['write-ahead log, single checks, GB a day', 'singleWalGigabytesPerDay', 1],
];
const COST = /^cost by list size: ([\d,]+) addresses, (time|CPU) each$/;

/** Of each workload the newest figure, in the order first met. */
function newestRows(): { rows: readonly (BenchRow & { date: string })[]; last: ResultFile | undefined } {
  const rows = new Map<string, BenchRow & { date: string }>();
  let last: ResultFile | undefined;
  for (const name of readdirSync(RESULTS)
    .filter((file) => file.endsWith('.json'))
    .toSorted()) {
    last = JSON.parse(readFileSync(new URL(name, RESULTS), 'utf8')) as ResultFile;
    for (const one of last.rows) rows.set(one.workload, { ...one, date: last.date.slice(0, 10) });
  }
  return { rows: [...rows.values()], last };
}

function costPoints(rows: readonly BenchRow[]): CostPoint[] {
  const points = new Map<number, { addresses: number; timeMs: number; cpuMs: number }>();
  for (const one of rows) {
    const found = COST.exec(one.workload);
    if (found === null) continue;
    const addresses = Number(found[1]!.replaceAll(',', ''));
    const point = points.get(addresses) ?? { addresses, timeMs: Number.NaN, cpuMs: Number.NaN };
    if (found[2] === 'time') point.timeMs = one.figure;
    else point.cpuMs = one.figure / 1000;
    points.set(addresses, point);
  }
  return [...points.values()].toSorted((a, b) => a.addresses - b.addresses);
}

function table(rows: readonly BenchRow[]): string {
  const lines = rows.map((one) => {
    const ratio = one.ratio === null ? '' : `${one.ratio >= 1 ? 'met' : '**missed**'}, ${short(one.ratio)}×`;
    const spread = one.spread === null ? '' : `±${(one.spread * 50).toFixed(0)} %`;
    return `| ${one.workload} | ${short(one.figure)} ${one.unit} | ${one.target ?? ''} | ${ratio} | ${spread} | ${one.note ?? ''} |`;
  });
  return [
    '| workload | figure (median) | target | | spread | note |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

function capacityTable(): string {
  const needs = LOADS.map((load) => capacity(load));
  const lines = CAPACITY_ROWS.map(([name, key, maximumFractionDigits]) => {
    const cells = needs.map((need) => need[key].toLocaleString('en-US', { maximumFractionDigits }));
    return `| ${name} | ${cells.join(' | ')} |`;
  });
  return ['| needed | 1 million a day | 10 million | 100 million |', '|---|---|---|---|', ...lines].join(
    '\n',
  );
}

/** Replaces what stands between the marks. */
function fill(file: URL, text: string): void {
  const [head, rest] = readFileSync(file, 'utf8').split(BEGIN);
  const tail = rest?.split(END)[1];
  if (head === undefined || tail === undefined) throw new Error(`${file.pathname} has lost its marks`);
  writeFileSync(file, `${head}${BEGIN}\n${text}\n${END}${tail}`);
}

const { rows, last } = newestRows();
if (last === undefined) throw new Error('no results yet: npm run bench');
const machine = `${last.cpus} × ${last.cpu}, Node ${last.node}, ${last.date.slice(0, 10)}; a fixed loop's own spread on it was ${(last.before.cpuSpread * 100).toFixed(0)} %.`;
fill(GUIDE, `${machine}\n\n${table(rows)}`);
fill(SCALING, capacityTable());
const points = costPoints(rows);
if (points.length > 1) writeFileSync(CHART, costChart(points));
