// The engine in worlds made up from seeds, in simulated time: every verdict against the world's own truth, every host
// treated within its limits. A failing seed prints itself; MXPROOF_WORLD_SEED=<seed> replays it alone,
// MXPROOF_WORLDS=1000 runs more of them.
import { expect, test } from 'vitest';
import { createChecker } from '../../engine/src/index.ts';
import type { Finding } from '../../engine/src/types.ts';
import { complaints } from './judge.ts';
import { createRandom } from './random.ts';
import { createRandomWorld } from './random-world.ts';
import { createVirtualWorld } from './virtual.ts';

const WORLDS = Number(process.env.MXPROOF_WORLDS ?? 150);
/** Of a busy machine. */
const WORLD_MAX_MS = 60;
const ONLY = process.env.MXPROOF_WORLD_SEED;

async function runWorld(seed: number) {
  const { spec, emails } = createRandomWorld(seed);
  const world = createVirtualWorld(spec, { seed });
  const checker = createChecker({
    clock: world.clock,
    resolver: world.resolver,
    connect: world.connect,
    random: createRandom(seed).next,
    allowPrivateTargets: true,
    sources: [
      { ip: '127.0.0.1', heloName: 'probe1.example.com' },
      { ip: '127.0.0.2', heloName: 'probe2.example.com' },
    ],
    // A host without a null sender can be asked only by who has another.
    mailFrom: seed % 3 === 0 && !JSON.stringify(spec).includes('not_null') ? '' : 'probe@probe.example.com',
  });
  const findings = new Map<string, Finding>();
  const all = async () => {
    for await (const finding of checker.checkAll(emails)) findings.set(finding.email, finding);
    await checker.close();
  };
  await world.run(all());
  // Hosts notice the end of a line a moment later.
  await world.run(new Promise<void>((resolve) => world.clock.setTimeout(resolve, 5_000)));
  return { spec, emails, findings, seen: world.seen, truth: world.truth };
}

test(`in ${ONLY ?? WORLDS} made-up worlds every verdict is true and every host is treated kindly`, {
  timeout: Math.max(120_000, WORLDS * WORLD_MAX_MS),
}, async () => {
  const seeds = ONLY === undefined ? Array.from({ length: WORLDS }, (_, i) => i + 1) : [Number(ONLY)];
  const wrong: string[] = [];
  for (const seed of seeds) {
    try {
      for (const complaint of complaints(await runWorld(seed))) wrong.push(`seed ${seed}: ${complaint}`);
    } catch (error) {
      wrong.push(`seed ${seed}: ${error instanceof Error ? error.stack : error}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('the same seed gives the same run, to the millisecond', async () => {
  const once = async () => {
    const { findings, seen } = await runWorld(42);
    return { findings: [...findings.values()], asks: [...seen.asks], total: seen.total };
  };
  expect(await once()).toEqual(await once());
});
