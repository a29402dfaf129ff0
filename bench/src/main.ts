// `npm run bench [-- engine|world|submit|service|claims|neighbour|streams|reads|strangers|blocked|backup|requests|outcomes …] [--runs 5]`: runs the benchmarks named, or all, prints one table,
// keeps them in bench/results/latest.json. Promise: exits with 1 when a figure misses its target.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { calibrate } from './calibrate.ts';
import { keepResults } from './results.ts';
import { type Bench, type BenchRow, short } from './runner.ts';

/** By name, loaded when asked for: the service's benchmark needs a database, the engine's does not. */
const BENCHES: Readonly<Record<string, () => Promise<{ run: Bench }>>> = {
  world: () => import('./world.ts'),
  engine: () => import('./engine.ts'),
  submit: () => import('./submit.ts'),
  service: () => import('./service.ts'),
  claims: () => import('./claims.ts'),
  neighbour: () => import('./neighbour.ts'),
  streams: () => import('./streams.ts'),
  reads: () => import('./reads.ts'),
  strangers: () => import('./strangers.ts'),
  blocked: () => import('./blocked.ts'),
  backup: () => import('./backup.ts'),
  requests: () => import('./requests.ts'),
  outcomes: () => import('./outcomes.ts'),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '5' } },
});
const runs = Number(values.runs);
const unknownName = positionals.find((name) => BENCHES[name] === undefined);
if (unknownName !== undefined || !Number.isInteger(runs) || runs < 1 || runs > 100) {
  console.error(`usage: npm run bench -- [${Object.keys(BENCHES).join('|')}] [--runs 1–100]`);
  process.exit(2);
}

const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
const before = await calibrate();
const measured = new Map<string, readonly BenchRow[]>();
for (const name of names) {
  const { run } = await BENCHES[name]!();
  measured.set(name, await run({ runs, log: (line) => console.error(line) }));
}
const rows = [...measured.values()].flat();
const after = await calibrate();

printTable(rows);
const noise = Math.abs(after.cpuMillionsPerSecond / before.cpuMillionsPerSecond - 1);
console.log(
  `\nmachine: ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}; loop ${short(before.cpuMillionsPerSecond)} M/s` +
    ` (spread ${percent(before.cpuSpread)}, ${percent(noise)} apart before and after), loopback round trip` +
    ` ${short(before.loopbackRoundTripMicroseconds)} µs, fsync ${short(before.fsyncMilliseconds)} ms`,
);
const machine = { node: process.version, cpus: cpus().length, cpu: cpus()[0]?.model ?? 'unknown' };
const head = { date: new Date().toISOString(), ...machine, runs, before, after };
keepResults(Object.fromEntries([...measured].map(([name, each]) => [name, { ...head, rows: each }])));
process.exit(rows.some((row) => row.ratio !== null && row.ratio < 1) ? 1 : 0);

function printTable(table: readonly BenchRow[]): void {
  const lines = table.map((row) => [
    row.workload,
    `${short(row.figure)} ${row.unit}`,
    row.target ?? '',
    row.ratio === null ? '' : `${row.ratio >= 1 ? 'met ' : 'MISSED '}${short(row.ratio)}×`,
    row.spread === null ? '' : `±${percent(row.spread / 2)}`,
    row.note ?? '',
  ]);
  const head = ['workload', 'figure (median)', 'target', 'ratio', 'spread', 'note'];
  const widths = head.map((title, i) => Math.max(title.length, ...lines.map((line) => line[i]!.length)));
  for (const line of [head, widths.map((width) => '─'.repeat(width)), ...lines])
    console.log(
      line
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
