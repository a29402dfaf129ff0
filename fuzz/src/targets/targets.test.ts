// The short run of `npm run test:fuzz`: everything in the corpus, and some thousand inputs that are the same each time.
import { expect, test } from 'vitest';
import { readCorpus } from '../corpus.ts';
import { fuzzTarget } from '../fuzz-target.ts';
import { TARGETS } from './index.ts';

const SEED = 14;
const NEW_INPUTS = 1_000;
/** Two seconds of CPU each, on a machine that may have other things to do. */
const TIMEOUT_MS = 120_000;
const FULL_RUN_INPUTS = 1_000_000;

test.each(TARGETS.map((target) => [target.name, target] as const))(
  '%s: every promise holds for the corpus and for new inputs',
  async (name, target) => {
    const corpus = readCorpus(name);
    const given = corpus.length + [...target.seeds()].length;
    const inputs = given + NEW_INPUTS;
    const run = { inputs, seed: SEED, corpus, coverage: null };
    const report = await fuzzTarget(target, run);
    expect(report).toEqual({ inputs, failure: null, reached: [] });
  },
  TIMEOUT_MS,
);

test('a full run has a million inputs', () => {
  expect(TARGETS.reduce((sum, { inputs }) => sum + inputs, 0)).toBe(FULL_RUN_INPUTS);
});
