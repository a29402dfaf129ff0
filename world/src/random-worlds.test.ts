// The engine in worlds made up from seeds, in simulated time: every verdict against the world's own truth, every host
// treated within its limits. A failing seed prints itself; MXPROOF_WORLD_SEED=<seed> replays it alone,
// MXPROOF_WORLDS=1000 runs more of them.
import { expect, test } from 'vitest';
import { complaints } from './judge.ts';
import { runRandomWorld } from './run-random-world.ts';

const WORLDS = Number(process.env.MXPROOF_WORLDS ?? 150);
/** Of a busy machine. */
const WORLD_MAX_MS = 60;
const ONLY = process.env.MXPROOF_WORLD_SEED;

test(`in ${ONLY ?? WORLDS} made-up worlds every verdict is true and every host is treated kindly`, {
  timeout: Math.max(120_000, WORLDS * WORLD_MAX_MS),
}, async () => {
  const seeds = ONLY === undefined ? Array.from({ length: WORLDS }, (_, i) => i + 1) : [Number(ONLY)];
  const wrong: string[] = [];
  for (const seed of seeds) {
    try {
      for (const complaint of complaints(await runRandomWorld(seed)))
        wrong.push(`seed ${seed}: ${complaint}`);
    } catch (error) {
      wrong.push(`seed ${seed}: ${error instanceof Error ? error.stack : error}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('the same seed gives the same run, to the millisecond', async () => {
  const once = async () => {
    const { findings, seen } = await runRandomWorld(42);
    return { findings: [...findings.values()], asks: [...seen.asks], total: seen.total };
  };
  expect(await once()).toEqual(await once());
});
