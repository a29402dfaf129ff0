// `npm run test:fuzz`: every target, a million inputs, as many at once as there are cores.
//
//   npm run test:fuzz                          all of them
//   npm run test:fuzz -- replies dns           these
//   npm run test:fuzz -- --inputs 5000         so many of each
//   npm run test:fuzz -- --seed 7              the same inputs again
//   npm run test:fuzz -- --keep                keeps what reached new code in the corpus
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { keepInput } from './corpus.ts';
import type { FuzzReport } from './fuzz-target.ts';
import { InputFile } from './input-file.ts';
import type { Target } from './target.ts';
import { TARGETS } from './targets/index.ts';

/** An input that is not over by then hangs; CPU_MAX_MS finds what is only slow. */
const HANG_SECONDS = 30;
const PROGRESS_SECONDS = 10;
/** Some times what the caches in a target's way may hold: one without a bound does not fit. */
const HEAP_MAX_MB = 64;
const KEPT_MAX_BYTES = 2_048;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { inputs: { type: 'string' }, seed: { type: 'string' }, keep: { type: 'boolean' } },
});

interface TargetRun {
  readonly report: FuzzReport;
  readonly seconds: number;
}

function runTarget(target: Target, inputs: number): Promise<TargetRun> {
  const path = join(folder, target.name);
  const file = new InputFile(path, 'w+');
  const startedMs = performance.now();
  const child = fork(
    join(import.meta.dirname, 'fuzz-process.ts'),
    [target.name, String(inputs), String(seed), path],
    { serialization: 'advanced', execArgv: [`--max-old-space-size=${HEAP_MAX_MB}`] },
  );
  return new Promise((resolve) => {
    let report: FuzzReport | null = null;
    let words = '';
    let before = -1;
    let stillSeconds = 0;
    const seconds = () => (performance.now() - startedMs) / 1_000;
    const watching = setInterval(() => {
      const { begun } = file.read();
      // Before the first input it makes its seeds, which on a busy machine may take longer.
      stillSeconds = begun === before && begun > 0 ? stillSeconds + PROGRESS_SECONDS : 0;
      before = begun;
      console.log(`${target.name}: ${begun} of ${inputs} inputs, ${seconds().toFixed(0)} s`);
      if (stillSeconds < HANG_SECONDS) return;
      words = `an input hangs: nothing for ${HANG_SECONDS} seconds`;
      child.kill('SIGKILL');
    }, PROGRESS_SECONDS * 1_000);
    child.on('message', (sent) => {
      report = sent as FuzzReport;
    });
    // Its report may arrive after its end, and is there when the channel is closed.
    const closed = once(child, 'disconnect');
    child.on('exit', async (code, signal) => {
      clearInterval(watching);
      await closed;
      const { begun, input } = file.read();
      file.close();
      if (words === '') words = `the process ended with ${signal ?? code}`;
      const failure = { input, words, at: begun };
      resolve({ report: report ?? { inputs: begun, failure, reached: [] }, seconds: seconds() });
    });
  });
}

/** Whether every promise held. */
function printReport(target: Target, asked: number, { report, seconds }: TargetRun): boolean {
  const { inputs, failure, reached } = report;
  console.log(
    `${target.name}: ${inputs} inputs in ${seconds.toFixed(1)} s, ${reached.length} of them reached new code, ${failure === null ? 'no failure' : 'ONE FAILED'}`,
  );
  if (values.keep === true) {
    const kept = reached.filter(({ length }) => length <= KEPT_MAX_BYTES);
    for (const input of kept) keepInput(target.name, input);
    console.log(`${target.name}: kept ${kept.length}`);
  }
  if (failure !== null) {
    const input = Buffer.from(failure.input);
    const path = keepInput(target.name, input);
    console.error(`${target.name}: failed at input ${failure.at}, seed ${seed}: ${failure.words}`);
    console.error(
      `${target.name}: ${JSON.stringify(input.toString('latin1').slice(0, 1_000))}, kept in ${path}`,
    );
    return false;
  }
  if (inputs < asked) console.error(`${target.name}: given up after ${target.cpuSecondsMax} s of CPU`);
  return inputs >= asked;
}

const unknown = positionals.filter((name) => TARGETS.every((target) => target.name !== name));
if (unknown.length > 0) {
  console.error(
    `There is no target ${unknown.join(', ')}; there are ${TARGETS.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}
const chosen = TARGETS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
console.log(`seed ${seed}`);
const folder = mkdtempSync(join(tmpdir(), 'mxproof-fuzz-'));
const startedMs = performance.now();
const waiting = [...chosen];
let total = 0;
let allHold = true;
async function work(): Promise<void> {
  for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
    const inputs = values.inputs === undefined ? target.inputs : Number(values.inputs);
    const ended = await runTarget(target, inputs);
    total += ended.report.inputs;
    if (!printReport(target, inputs, ended)) allHold = false;
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
console.log(`${total} inputs in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s, seed ${seed}`);
rmSync(folder, { recursive: true });
process.exitCode = allHold ? 0 : 1;
