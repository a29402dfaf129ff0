// Runs of an engine in a process of its own. Promise: no earlier workload has shaped its compiled code or its heap, as in
// a process that checks one list; without warm-up, the first run is that of a process just started. The child ends with
// its work, with its parent, or at its time limit.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CheckerOptions } from '../../engine/src/index.ts';
import { spawnWorld } from '../../world/src/world-process.ts';
import { type EngineRun, runEngine, truthsOf } from './engine-run.ts';
import { repeat } from './runner.ts';
import { warmHosts } from './warm-hosts.ts';
import type { Workload } from './workload.ts';

/** Ten times what the longest takes on a slow machine. */
const JOB_MAX_MS = 20 * 60_000;

export interface Runs {
  readonly workload: Workload;
  readonly options: CheckerOptions;
  readonly warmUps: number;
  readonly runs: number;
}

/** `heard` is called with each run as it ends. */
export function runInOwnProcess(job: Runs, heard: (run: EngineRun) => void): Promise<EngineRun[]> {
  const child = fork(fileURLToPath(import.meta.url), { serialization: 'advanced', timeout: JOB_MAX_MS });
  const done: EngineRun[] = [];
  child.on('message', (run) => {
    done.push(run as EngineRun);
    heard(run as EngineRun);
  });
  child.send(job);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status) => {
      if (status === 0 && done.length === job.runs) resolve(done);
      else reject(new Error(`bench: the engine's process ended (${status}) after ${done.length} runs`));
    });
  });
}

async function work({ workload, options, warmUps, runs }: Runs): Promise<void> {
  const truths = truthsOf(workload);
  const world = await spawnWorld({ spec: workload.spec }, { keepAsks: false });
  await warmHosts(world, workload, truths);
  const one = () => runEngine(world, workload.emails, truths, options);
  await repeat(warmUps, one);
  await repeat(runs, async () => process.send?.(await one()));
  await world.close();
  process.disconnect();
}

if (import.meta.main) {
  process.once('message', (job) => void work(job as Runs));
  process.once('disconnect', () => process.exit());
}
