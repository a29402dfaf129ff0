// What the request log costs: POST /verify at a service with it, beside one without. In pairs that take turns, so that a noisy
// minute of the machine falls on both.
import { fileURLToPath } from 'node:url';
import { spawnWorld } from '../../world/src/world-process.ts';
import { type Bench, row } from './runner.ts';
import { VERIFY_SECONDS, VERIFY_WORLD, verifyForAWhile } from './service.ts';
import { startServiceRig } from './service-rig.ts';

const PROGRAM = fileURLToPath(new URL('./service-without.ts', import.meta.url));
const ACCOUNTS = 32;
/** Its share of what the service answers without it. */
const LEAST_SHARE = 0.97;
const MOST_CPU = 1.05;

export const run: Bench = async ({ runs, log }) => {
  const world = await spawnWorld({ spec: VERIFY_WORLD }, { keepAsks: false });
  const start = (without: string) =>
    startServiceRig(world, { accounts: ACCOUNTS, program: PROGRAM, env: { BENCH_WITHOUT: without } });
  const beside = await start('');
  const alone = await start('requests');
  const measure = async (rig: typeof beside, round: number) => {
    const before = rig.cpuSeconds();
    const answered = (await verifyForAWhile(rig, round)).length;
    return { perSecond: answered / VERIFY_SECONDS, cpuMs: ((rig.cpuSeconds() - before) * 1_000) / answered };
  };
  const shares: number[] = [];
  const cpuShares: number[] = [];
  try {
    // The first round meets every domain for the first time.
    for (let round = 0; round <= runs; round++) {
      const first = await measure(round % 2 === 0 ? beside : alone, round);
      const second = await measure(round % 2 === 0 ? alone : beside, round);
      const [kept, plain] = round % 2 === 0 ? [first, second] : [second, first];
      log(`POST /verify: ${kept.perSecond}/s with the request log, ${plain.perSecond}/s without`);
      if (round === 0) continue;
      shares.push(kept.perSecond / plain.perSecond);
      cpuShares.push(kept.cpuMs / plain.cpuMs);
    }
  } finally {
    await beside.stop();
    await alone.stop();
    await world.close();
  }
  const name = 'POST /verify: with the request log, of what it is without';
  return [
    row(name, '×', shares, { at: 'least', value: LEAST_SHARE }),
    row(`${name}: CPU time of the service`, '×', cpuShares, { at: 'most', value: MOST_CPU }),
  ];
};
