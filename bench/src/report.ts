// Writes what was measured into the guides: sixteen rows and a bar chart into docs/guide/performance.md, and the tables of
// scaling.md and blocked.md. Promise: a headline whose row is missing stops the report.
// Run: node bench/src/report.ts
import { writeFileSync } from 'node:fs';
import { fillBlockedPage } from './blocked-table.ts';
import { fill, GUIDE } from './fill.ts';
import { fillNodesPage } from './nodes-page.ts';
import { rateChart } from './rate-chart.ts';
import { type BenchResult, readResults } from './results.ts';
import { type BenchRow, short } from './runner.ts';
import { assumptionTable, capacityTable, checkTable } from './scaling-tables.ts';

/** What a reader wants to know first, and the row that says it. */
const HEADLINES: readonly (readonly [words: string, workload: string])[] = [
  ['10,000 addresses, default policy', '10,000 over 200 domains, default policy: rate'],
  ['… compared with the faster of two other verifiers', 'default policy: vs the best peer'],
  ['… share of correct verdicts', '10,000 over 200 domains, default policy: right'],
  ['… penalties (421s, delays) received', '10,000 over 200 domains, default policy: 421s and delays drawn'],
  ['… CPU per thousand addresses', '10,000 over 200 domains, default policy: CPU per thousand addresses'],
  [
    '10,000 addresses, lenient hosts, set in the policy',
    '10,000, hosts that allow 25 refusals, set in the policy: rate',
  ],
  ['… compared with the faster of two other verifiers', 'with the policy: vs the best peer'],
  ['100,000 addresses, engine, default policy', '100,000, default policy: time'],
  ['100,000 addresses, service, from POST to `done`', 'service: 100,000, default policy: POST to done'],
  ['accept a list of 100,000 addresses (POST)', 'POST of 100,000 addresses'],
  ['read a page of 10,000 results', 'page of 10,000 at 0, json'],
  ['break down 100,000 results, compared with ten such pages', 'breakdown 100,000, against ten pages'],
  ['single checks (POST /verify), 64 clients', 'POST /verify, 64 clients over 32 accounts'],
  ['… 99th percentile', 'POST /verify, 64 clients over 32 accounts: p99'],
  ['memory for 5,000 open sessions', 'memory for open sessions'],
  ['three nodes compared with one', 'service: three nodes against one'],
];

const BARS: readonly (readonly [name: string, workload: string, isOurs: boolean])[] = [
  ['MXProof, default policy', '10,000 over 200 domains, default policy: rate', true],
  ['MXProof, lenient hosts*', '10,000, hosts that allow 25 refusals, set in the policy: rate', true],
  ['AfterShip/email-verifier', 'peer AfterShip/email-verifier', false],
  ['deep-email-validator', 'peer deep-email-validator', false],
];

const results = Object.entries(readResults());
if (results.length === 0) throw new Error('no results yet: npm run bench');
const rows = results.flatMap(([, result]) => result.rows);

function find(workload: string): BenchRow {
  const found = rows.find((row) => row.workload === workload);
  if (found === undefined) throw new Error(`bench/results has no row "${workload}"`);
  return found;
}

/** Half of what lies between the best run and the worst. */
function spreadOf({ spread }: BenchRow): string {
  return spread === null ? '' : `±${(spread * 50).toFixed(0)} %`;
}

function headlineTable(): string {
  const lines = HEADLINES.map(([words, workload]) => {
    const { figure, unit, target } = find(workload);
    const spread = spreadOf(find(workload));
    // A share of all is read more easily in percent.
    if (words.includes('share of')) return `| ${words} | ${short(figure * 100)} % | ${spread} | 100 % |`;
    return `| ${words} | ${`${short(figure)} ${unit}`.trim()} | ${spread} | ${target ?? ''} |`;
  });
  return ['| what | median | spread | target |', '|---|---|---|---|', ...lines].join('\n');
}

/** Misses are said whether or not they are among the rows above. */
function targetsMet(): string {
  const aimed = rows.filter((row) => row.ratio !== null);
  const missed = aimed.filter((row) => row.ratio! < 1);
  if (missed.length === 0) return `All ${aimed.length} targets are met.`;
  const names = missed.map((row) => `${row.workload} (${short(row.figure)} ${row.unit}, ${row.target})`);
  return `${aimed.length - missed.length} of ${aimed.length} targets are met. Missed: ${names.join('; ')}.`;
}

function machine({ cpus, cpu, node, date, runs, before }: BenchResult): string {
  return `${date.slice(0, 10)}, ${cpus} × ${cpu}, Node ${node}, ${runs} runs, spread of a fixed loop ${(before.cpuSpread * 100).toFixed(0)} %`;
}

/** Benchmarks of one run share a machine and a date. */
function machines(): string {
  const names = new Map<string, string[]>();
  for (const [name, result] of results)
    names.set(machine(result), [...(names.get(machine(result)) ?? []), name]);
  return [...names].map(([words, of]) => `- ${of.join(', ')}: ${words}`).join('\n');
}

fill('performance.md', 'measured', `${headlineTable()}\n\n${targetsMet()}\n\nRuns:\n\n${machines()}`);
fill('scaling.md', 'assumptions', assumptionTable(find));
fill('scaling.md', 'capacity', capacityTable());
fill('scaling.md', 'checks', checkTable(find));
fillNodesPage();
await fillBlockedPage();
const bars = BARS.map(([name, workload, isOurs]) => ({ name, perSecond: find(workload).figure, isOurs }));
writeFileSync(new URL('rates.svg', GUIDE), rateChart('Addresses checked per second', bars));
