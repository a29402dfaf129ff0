// One target, many inputs: first the corpus and the seeds, then what is made of them and of whatever reached new code.
// Promise: it ends after so many inputs, when it has had its time of this thread, or at the first failure, which is handed
// back short; each input has CPU_MAX_MS, of which an honest one takes a hundredth, and of some of them the steps are
// counted (growth.ts).
import { createRandom } from '../../world/src/random.ts';
import type { Coverage } from './coverage.ts';
import { steepSteps } from './growth.ts';
import { mutate } from './mutate.ts';
import { shrink } from './shrink.ts';
import { promised, type Target } from './target.ts';

const CPU_MAX_MS = 200;
/** One try may include a garbage collection or a lost time slice; an input that is slow is slow in every try. */
const SLOW_TRIES = 3;
/** Inputs per reading of the coverage, which takes as long as some tens of inputs. */
const BATCH = 64;
/** Of the corpus and the seeds so many, then one of every so many batches: counting takes as long as hundreds of inputs. */
const GIVEN_COUNTED_MAX = 200;
const COUNTED_BATCHES = 8;
const POPULATION_MAX = 4_000;
const MADE_SHARE = 0.25;
/** The first calls compile what they call. */
const WARM_UP_INPUTS = 50;

export interface FuzzRun {
  readonly inputs: number;
  readonly seed: number;
  readonly corpus: readonly Buffer[];
  readonly coverage: Coverage | null;
  readonly onInput?: (input: Buffer) => void;
}

interface Failure {
  readonly input: Buffer;
  readonly words: string;
  /** Its sequence number. */
  readonly at: number;
}

export interface FuzzReport {
  readonly inputs: number;
  readonly failure: Failure | null;
  /** Inputs that reached code none before them had reached; the corpus and the seeds are not among them. */
  readonly reached: readonly Buffer[];
}

export async function fuzzTarget(target: Target, run: FuzzRun): Promise<FuzzReport> {
  const { coverage } = run;
  const random = createRandom(run.seed);
  const population = [...run.corpus, ...target.seeds()];
  const given = population.length;
  const reached: Buffer[] = [];
  let batch: Buffer[] = [];
  let done = 0;
  const begun = process.threadCpuUsage();
  for (; done < run.inputs; done += 1) {
    if (done % BATCH === 0 && cpuMsSince(begun) > target.cpuSecondsMax * 1_000) break;
    const input = done < given ? population[done]! : newInput(target, population, random);
    run.onInput?.(input);
    const error = await failureOf(target, input, done < WARM_UP_INPUTS);
    if (error !== null)
      return { inputs: done + 1, failure: await shortened(target, run, { input, error }, done + 1), reached };
    const isGivenOver = done === given - 1;
    if (isGivenOver) coverage?.hasNew(coverage.take(), true);
    else if (done >= given) batch.push(input);
    if (!isGivenOver && batch.length < BATCH) continue;
    if (coverage !== null)
      for (const one of await freshOnes(target, batch, coverage)) {
        grow(population, one, random, given);
        reached.push(one);
      }
    for (const one of isGivenOver
      ? someOf(population)
      : done % (COUNTED_BATCHES * BATCH) < BATCH
        ? [input]
        : []) {
      const failure = await steepness(target, run, one, done + 1);
      if (failure !== null) return { inputs: done + 1, failure, reached };
    }
    batch = [];
  }
  return { inputs: done, failure: null, reached };
}

async function shortened(
  target: Target,
  run: FuzzRun,
  { input, error }: { readonly input: Buffer; readonly error: unknown },
  at: number,
): Promise<Failure> {
  const short = await shrink(input, async (one) => {
    run.onInput?.(one);
    return isAlike(await failureOf(target, one, false), error);
  });
  const words = (await failureOf(target, short, false)) ?? error;
  return { input: short, words: wordsOf(words), at };
}

/** Null: the steps of an input grow as it does. */
async function steepness(target: Target, run: FuzzRun, input: Buffer, at: number): Promise<Failure | null> {
  let tried = input;
  try {
    const steps = await steepSteps(target, input, run.coverage, (grown) => {
      run.onInput?.(grown);
      tried = grown;
    });
    const words = `steps grow faster than what is repeated of an input: ${steps?.join(', ')}`;
    return steps === null ? null : { input, words, at };
  } catch (error) {
    return shortened(target, run, { input: tried, error }, at);
  }
}

function someOf(given: readonly Buffer[]): readonly Buffer[] {
  const every = Math.ceil(given.length / GIVEN_COUNTED_MAX);
  return given.filter((_, at) => at % every === 0);
}

function newInput(
  target: Target,
  population: readonly Buffer[],
  random: ReturnType<typeof createRandom>,
): Buffer {
  const made = random.chance(MADE_SHARE) || population.length === 0 ? target.make(random) : null;
  if (made !== null && random.chance(0.5)) return made.subarray(0, target.inputMaxBytes);
  return mutate(made ?? random.pick(population), random, {
    dictionary: target.dictionary,
    other: population.length === 0 ? Buffer.alloc(0) : random.pick(population),
    maxBytes: target.inputMaxBytes,
  });
}

/** Those of a batch that reach new code by themselves; what they reached only together counts as known. */
async function freshOnes(target: Target, batch: readonly Buffer[], coverage: Coverage): Promise<Buffer[]> {
  const together = coverage.take();
  if (!coverage.hasNew(together, false)) return [];
  const fresh: Buffer[] = [];
  for (const input of batch) {
    await target.check(input);
    if (coverage.hasNew(coverage.take(), true)) fresh.push(input);
  }
  coverage.hasNew(together, true);
  return fresh;
}

function grow(
  population: Buffer[],
  input: Buffer,
  random: ReturnType<typeof createRandom>,
  given: number,
): void {
  if (population.length < Math.max(POPULATION_MAX, 2 * given)) population.push(input);
  else population[random.between(given, population.length - 1)] = input;
}

/** Null: every promise holds. */
async function failureOf(target: Target, input: Buffer, isWarmUp: boolean): Promise<unknown> {
  try {
    let cpuMs = 0;
    for (let tries = 0; tries < SLOW_TRIES; tries += 1) {
      const before = process.threadCpuUsage();
      const checking = target.check(input);
      if (checking !== undefined) await checking;
      cpuMs = cpuMsSince(before);
      if (isWarmUp || cpuMs <= CPU_MAX_MS) return null;
    }
    promised(false, `an input takes at most ${CPU_MAX_MS} ms`, Math.round(cpuMs));
    return null;
  } catch (error) {
    return error ?? new Error('nothing was thrown');
  }
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** A shorter input that fails otherwise is another failure. */
function isAlike(error: unknown, first: unknown): boolean {
  return error !== null && kindOf(error) === kindOf(first);
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'promise' in error ? String(error.promise) : `${error.name} ${error.message.slice(0, 40)}`;
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'promise' in error ? error.message : (error.stack ?? error.message);
}
