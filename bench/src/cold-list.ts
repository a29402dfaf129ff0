// What a process that has just started takes for a list: nothing of the engine is compiled yet. Promise: each run is a
// process of its own, which imports nothing it does not need.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { spawnWorld } from '../../world/src/world-process.ts';
import { BY_POLICY, runEngine, truthsOf } from './engine-run.ts';
import { type BenchOptions, repeat } from './runner.ts';
import { warmHosts } from './warm-hosts.ts';
import { bearingWorkload } from './workload.ts';

const RUNS_MAX = 3;
const TIMEOUT_MS = 60_000;

export function coldSeconds({ runs, log }: BenchOptions): Promise<number[]> {
  return repeat(Math.min(runs, RUNS_MAX), async () => {
    const file = fileURLToPath(import.meta.url);
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
    });
    if (status !== 0) throw new Error(`bench: the first list of a process was not measured: ${stderr}`);
    log(`first list of a process: ${Number(stdout).toFixed(2)} s`);
    return Number(stdout);
  });
}

if (import.meta.main) {
  const workload = bearingWorkload();
  const truths = truthsOf(workload);
  const world = await spawnWorld({ spec: workload.spec }, { keepAsks: false });
  await warmHosts(world, workload, truths);
  const { seconds } = await runEngine(world, workload.emails, truths, BY_POLICY);
  await world.close();
  console.log(seconds);
}
