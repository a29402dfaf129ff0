// bench/results/latest.json: the newest run of each benchmark, with its date and machine. Promise: a run replaces the
// rows of the benchmarks it measured and leaves the others, so that every row is known to come from one run.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Calibration } from './calibrate.ts';
import type { BenchRow } from './runner.ts';

export interface BenchResult {
  readonly date: string;
  readonly node: string;
  readonly cpus: number;
  readonly cpu: string;
  readonly runs: number;
  readonly before: Calibration;
  readonly after: Calibration;
  readonly rows: readonly BenchRow[];
}

/** By the name of the benchmark: `engine`. */
export type Results = Readonly<Record<string, BenchResult>>;

const FILE = new URL('../results/latest.json', import.meta.url);

export function readResults(): Results {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Results) : {};
}

export function keepResults(measured: Results): void {
  mkdirSync(new URL('.', FILE), { recursive: true });
  writeFileSync(FILE, `${JSON.stringify({ ...readResults(), ...measured }, null, 2)}\n`);
}
