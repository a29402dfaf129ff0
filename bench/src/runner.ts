// What every benchmark hands to the table: rows of figures against targets. Promise: a row is the median of its runs
// with their spread, and the machine's own noise stands beside it.

export interface BenchRow {
  /** What was done, in a few words: `10,000 addresses, default policy`. */
  readonly workload: string;
  /** Median of the runs. */
  readonly figure: number;
  readonly unit: string;
  /** Such as `≥ 15` or `≤ 0.05`; null where there is none. */
  readonly target: string | null;
  /** Figure against target, > 1 is better than asked; null without a target. */
  readonly ratio: number | null;
  /** Largest less smallest run, as a share of the median; null for a single run. */
  readonly spread: number | null;
  readonly runs: readonly number[];
  /** What a reader must know to interpret the figure. */
  readonly note?: string;
}

export interface BenchOptions {
  /** How often each workload is run. */
  readonly runs: number;
  /** Progress, never the figures themselves. */
  log(line: string): void;
}

/** A benchmark module: `bench/src/<name>.ts` exports this as `run`. */
export type Bench = (options: BenchOptions) => Promise<readonly BenchRow[]>;

export interface Target {
  readonly at: 'least' | 'most';
  readonly value: number;
}

export function median(runs: readonly number[]): number {
  const sorted = runs.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function row(
  workload: string,
  unit: string,
  runs: readonly number[],
  target: Target | null = null,
  note?: string,
): BenchRow {
  const figure = median(runs);
  const spread = runs.length > 1 && figure !== 0 ? (Math.max(...runs) - Math.min(...runs)) / figure : null;
  return {
    workload,
    figure,
    unit,
    target: target === null ? null : `${target.at === 'least' ? '≥' : '≤'} ${short(target.value)}`,
    ratio: target === null ? null : ratioOf(figure, target),
    spread,
    runs,
    ...(note === undefined ? {} : { note }),
  };
}

/** Above 1 is better than asked; a target of zero is met or missed. */
function ratioOf(figure: number, target: Target): number {
  if (target.at === 'least') return figure / target.value;
  if (figure === 0) return 1;
  return target.value / figure;
}

export function short(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 2 : 4;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}

export async function repeat<T>(times: number, one: (run: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let run = 0; run < times; run += 1) results.push(await one(run));
  return results;
}
