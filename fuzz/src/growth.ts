// Whether the steps of a check grow faster than its input: a part of it is repeated, twice as often each time. Steps are the
// blocks of our sources that run, as V8 counts them, and the characters that searches of a text pass over; never a time.
// Promise: a reader that is quadratic in what is repeated is found, and one that begins to work at some length is not. What
// is not seen: the inside of a regular expression, which engine/test/linear-looks.test.ts holds.
import { charsLookedAt } from '../../common/test/looked-at.ts';
import type { Coverage } from './coverage.ts';
import { randomOf } from './pieces.ts';
import type { Target } from './target.ts';

/** Of the longest input: what is repeated begins with this share of it, and is doubled until it fills it. */
const FIRST_SHARE = 1 / 32;
/** As long as nothing is suspicious; then twice more, since a reader that begins to work at some length looks alike before. */
const DOUBLINGS = 3;
const DOUBLINGS_IF_SUSPICIOUS = 5;
/** A linear reader takes twice as many more steps for each doubling as for the one before, a quadratic one four times. */
const GROWTH_MAX = 3.4;
/** Whatever does not double, such as a head or a cache. */
const SLACK_SHARE = 0.02;

/** The steps for each length, where they grow too fast; null: they do not. Throws what a check throws. */
export async function steepSteps(
  target: Target,
  input: Buffer,
  coverage: Coverage | null,
  onInput: (grown: Buffer) => void,
): Promise<readonly number[] | null> {
  for (const [from, to] of partsOf(input)) {
    const steps: number[] = [];
    for (let doublings = 0; doublings <= DOUBLINGS_IF_SUSPICIOUS; doublings += 1) {
      const grown = repeated(input, from, to, target.inputMaxBytes * FIRST_SHARE * 2 ** doublings);
      onInput(grown);
      steps.push(await stepsOf(target, grown, coverage));
      if (doublings >= DOUBLINGS && !isSteep(steps)) break;
    }
    if (isSteep(steps)) return steps;
  }
  return null;
}

/** The whole, and a piece out of it: what is one document only once is repeated within. */
function partsOf(input: Buffer): readonly (readonly [from: number, to: number])[] {
  if (input.length === 0) return [];
  const random = randomOf(input);
  const from = random.between(0, input.length - 1);
  const to = random.between(from, Math.min(input.length, from + MAX_PIECE_BYTES) - 1) + 1;
  return [
    [0, input.length],
    [from, to],
  ];
}

/** A few signs that open or begin something are what most readers repeat. */
const MAX_PIECE_BYTES = 16;

function repeated(input: Buffer, from: number, to: number, bytes: number): Buffer {
  const part = input.subarray(from, to);
  const middle = Buffer.alloc(Math.ceil(bytes), part);
  return Buffer.concat([input.subarray(0, from), middle, input.subarray(to)]);
}

async function stepsOf(target: Target, input: Buffer, coverage: Coverage | null): Promise<number> {
  coverage?.take();
  const looked = await charsLookedAt(() => target.check(input));
  return looked + (coverage === null ? 0 : coverage.blocks());
}

/** By the last two doublings. */
function isSteep(steps: readonly number[]): boolean {
  const [first = 0, second = 0, third = 0, fourth = 0] = steps.slice(-4);
  const isSteeper = (before: number, after: number, all: number) =>
    after > GROWTH_MAX * Math.max(before, 0) + SLACK_SHARE * all;
  return (
    isSteeper(second - first, third - second, third) && isSteeper(third - second, fourth - third, fourth)
  );
}
