// How the cost of a look grows with what is looked at. Promise: no assertion on a time, only that twice the input does
// not cost much more than twice as much. What is over in a moment at its largest is held to nothing: a quadratic look
// would take tens of milliseconds there.
import { expect } from 'vitest';

/** A linear look takes twice as long, a quadratic one four times. */
const GROWTH_PER_DOUBLING_MAX = 3.2;
/** Below it a time says more about the machine than about the look. */
const MOMENT_MS = 1;
/** The clock of a thread's own work may be so much behind. */
const TICK_MS = 10;
const ROUNDS = 5;
/** So often as many rounds more, before a growth is believed. */
const TRIES = 4;

/** 1, 2, 4 and 8 KiB: what a reply line may have. */
export const LINE_SIZES: readonly number[] = [1_024, 2_048, 4_096, 8_192];
/** For what cuts its text to 2 KiB itself: a little less than that. */
export const CUT_SIZES: readonly number[] = [250, 500, 1_000, 2_000];

export interface Look<T> {
  readonly what: string;
  /** Each twice the one before. */
  readonly sizes: readonly number[];
  readonly make: (size: number) => T;
  readonly look: (input: T) => unknown;
}

/** Fails where the look grows faster than its input; else what it took, for people. */
export async function expectLinear<T>(asked: Look<T>): Promise<string> {
  const allMs = asked.sizes.map((): number[] => []);
  const holds = () => isLinear(allMs.map(least));
  for (let tries = 0; tries === 0 || (tries < TRIES && !holds()); tries += 1) await measure(asked, allMs);
  const words = asked.sizes.map((size, at) => `${size}: ${median(allMs[at]!).toFixed(2)} ms`).join(', ');
  expect(holds(), `${asked.what} grows faster than its input: ${words}`).toBe(true);
  return words;
}

/** So fast at this size that nothing need be compared. */
export function isOverInAMoment<T>(input: T, look: (input: T) => unknown, momentMs = MOMENT_MS): boolean {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const startedMs = performance.now();
    look(input);
    if (performance.now() - startedMs < momentMs) return true;
  }
  return false;
}

async function measure<T>({ sizes, make, look }: Look<T>, allMs: readonly number[][]): Promise<void> {
  const inputs = sizes.map(make);
  // The sizes take turns, so that a busy moment falls on all of them; the first round only warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [at, input] of inputs.entries()) {
      const [startedMs, workedMs] = [performance.now(), threadMs()];
      await look(input);
      // A long look never has a busy machine to itself: then its own work counts, and what that may be behind.
      const tookMs = Math.min(performance.now() - startedMs, threadMs() - workedMs + TICK_MS);
      if (round > 0) allMs[at]?.push(tookMs);
    }
  }
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Over all doublings at once: the smallest sizes are over too soon to be compared with their neighbours. */
function isLinear(timesMs: readonly number[]): boolean {
  const last = timesMs.at(-1) ?? 0;
  if (last < MOMENT_MS) return true;
  const doublings = timesMs.length - 1;
  const first = Math.max(timesMs[0] ?? 0, MOMENT_MS / 2 ** (2 * doublings));
  return last / first <= GROWTH_PER_DOUBLING_MAX ** doublings;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** What is compared: a busy machine only ever adds to a time, to medians as well; those are for people. */
function least(values: readonly number[]): number {
  return Math.min(...values);
}
