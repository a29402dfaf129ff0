// Everything here is linear in its input, counted in steps: twice the file takes twice the steps, whatever it is made of,
// and no character takes more than so many.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Each twice the one before; behind them the sizes of the generated ones, and how many of each kind. */
const ARGUMENTS = ['4096,8192,16384', '1024,2048,4096', '8'];
/** A linear file takes twice as many more steps for the second doubling as for the first, a quadratic one four times. */
const GROWTH_MAX = 3.4;
/** Whatever does not double, such as the head of a table or the first chunk. */
const SLACK_SHARE = 0.02;
const STEPS_PER_CHARACTER_MAX = 160;
/** Half a minute of CPU, on a machine that may have other things to do. */
const TIMEOUT_MS = 600_000;

interface Counted {
  readonly name: string;
  readonly counts: readonly { readonly length: number; readonly steps: number | null }[];
}

async function count(): Promise<readonly Counted[]> {
  const path = join(import.meta.dirname, '..', 'test', 'count-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...ARGUMENTS], {
    maxBuffer: 2 ** 26,
  });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Counted);
}

test(
  'twice the file takes twice the steps, whatever it is made of',
  async () => {
    const all = await count();
    expect(all.length).toBeGreaterThan(140);
    const slow = all.filter(({ counts }) => {
      const [first, second, third] = counts.map(({ steps }) => steps ?? Number.POSITIVE_INFINITY) as [
        number,
        number,
        number,
      ];
      const isGrowing = third - second > GROWTH_MAX * (second - first) + SLACK_SHARE * third;
      return isGrowing || !(third < STEPS_PER_CHARACTER_MAX * counts[2]!.length);
    });
    expect(slow).toEqual([]);
  },
  TIMEOUT_MS,
);
