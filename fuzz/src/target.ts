// What is fuzzed: a reader of untrusted bytes, and the promises it keeps whatever they are.
// A check throws BrokenPromise where one of ours does not hold; anything else it throws is a failure as well.
import type { Random } from '../../world/src/random.ts';

export interface Target {
  readonly name: string;
  /** Of a full run; those of all targets together are a million. */
  readonly inputs: number;
  /** A run that takes more of its thread is given up, and says so; a full one takes a third of it. */
  readonly cpuSecondsMax: number;
  readonly inputMaxBytes: number;
  /** Real inputs to begin with; read when the target runs. */
  readonly seeds: () => Iterable<Buffer>;
  /** Pieces that mean something to the reader, for the mutations. */
  readonly dictionary: readonly Buffer[];
  /** A new input of the right shape. */
  readonly make: (random: Random) => Buffer;
  readonly check: (input: Buffer) => void | Promise<void>;
}

class BrokenPromise extends Error {
  override name = 'BrokenPromise';
}

/** `shown` is only written out where the promise does not hold. */
export function promised(holds: boolean, promise: string, shown?: unknown): asserts holds {
  if (holds) return;
  const seen = shown === undefined ? '' : `: ${JSON.stringify(shown)?.slice(0, SHOWN_MAX_CHARS)}`;
  throw Object.assign(new BrokenPromise(`${promise}${seen}`), { promise });
}

const SHOWN_MAX_CHARS = 600;

export function words(...texts: readonly string[]): Buffer[] {
  return texts.map((text) => Buffer.from(text));
}
