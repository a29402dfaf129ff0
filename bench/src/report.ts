// Writes what was measured into docs/guide/performance.md: the table between its two marks, and the chart of cost
// against list size, both from the newest results in bench/results. Run: node bench/src/report.ts
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

const { rows, last } = newestRows();
if (last === undefined) throw new Error('no results yet: npm run bench');
const machine = `${last.cpus} × ${last.cpu}, Node ${last.node}, ${last.date.slice(0, 10)}; a fixed loop's own spread on it was ${(last.before.cpuSpread * 100).toFixed(0)} %.`;
const guide = readFileSync(GUIDE, 'utf8');
const [head, rest] = guide.split(BEGIN);
const tail = rest?.split(END)[1];
if (head === undefined || tail === undefined) throw new Error('performance.md has lost its marks');
writeFileSync(GUIDE, `${head}${BEGIN}\n${machine}\n\n${table(rows)}\n${END}${tail}`);
const points = costPoints(rows);
if (points.length > 1) writeFileSync(CHART, costChart(points));
