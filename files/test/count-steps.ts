// The steps that a piece of work takes: every block of our sources that runs, as V8 counts them, and every character, byte
// or element that a method of the language looks at or copies for us. Promise: the same work takes the same steps on any
// machine; before `startCounting` nothing of what is counted may have been loaded.
import { Session } from 'node:inspector';
import { RegexpSteps, TooManySteps } from './regexp-steps.ts';

const OURS = /\/(?:files|common)\/src\//;

type Method = (this: never, ...args: never[]) => unknown;

let steps = 0;
let budget = 0;
/** What counting itself calls is not counted. */
let isCounting = false;
const regexps = new RegexpSteps();
const session = new Session();

export function startCounting(): void {
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}

/** More than `max` are Infinity: the work is given up where it can be. */
export async function countSteps(work: () => Promise<unknown>, max: number): Promise<number> {
  budget = max;
  const restore = METHODS.map(([owner, name, cost]) => replace(owner, name, cost));
  takeBlocks();
  steps = 0;
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    return Number.POSITIVE_INFINITY;
  } finally {
    for (const undo of restore.reverse()) undo();
  }
  return steps + takeBlocks();
}

/** Of what has run since the last call. */
function takeBlocks(): number {
  let blocks = 0;
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error !== null) throw error;
    for (const { url, functions } of taken.result)
      if (OURS.test(url)) for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
  });
  return blocks;
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the methods below are called on, take and return.
type Any = any;
type Cost = (self: Any, args: readonly Any[], result: Any) => number;

const ALL: Cost = ({ length }) => length;
const GIVEN: Cost = (_, [what]) => what?.length ?? 0;
const ARGUMENTS: Cost = (_, { length }) => length;
const MADE: Cost = (_, __, { length }) => length;
/** From where it looked to where it found it. */
const FOUND: Cost = ({ length }, [, from = 0], at) => (at < 0 ? length : at) - Math.min(from, length) + 1;
const FOUND_LAST: Cost = ({ length }, _, at) => length - at;
const INCLUDED: Cost = (text, [what]) => FOUND(text, [what], text.indexOf(what));
const TRIMMED: Cost = ({ length }, _, trimmed) => length - trimmed.length + 1;
const JOINED: Cost = (all, _, { length }) => all.length + length;

const TYPED = Object.getPrototypeOf(Uint8Array.prototype) as object;
const TEXT = String.prototype;

const METHODS: readonly (readonly [object, string, Cost])[] = [
  [RegExp.prototype, 'exec', () => 0],
  [TEXT, 'indexOf', FOUND],
  [TEXT, 'lastIndexOf', FOUND_LAST],
  [TEXT, 'includes', INCLUDED],
  ...['startsWith', 'endsWith'].map((name) => [TEXT, name, GIVEN] as const),
  ...['trim', 'trimEnd', 'trimStart'].map((name) => [TEXT, name, TRIMMED] as const),
  ...['toLowerCase', 'normalize', 'replaceAll', 'split'].map((name) => [TEXT, name, ALL] as const),
  [TEXT, 'repeat', MADE],
  ...['indexOf', 'includes'].map((name) => [TYPED, name, name === 'indexOf' ? FOUND : ALL] as const),
  [TYPED, 'set', GIVEN],
  ...['slice', 'fill'].map((name) => [TYPED, name, MADE] as const),
  // Also over holes, for which no function of ours is called.
  ...['some', 'every', 'find', 'findIndex', 'map', 'filter', 'forEach', 'reduce', 'includes', 'flat'].map(
    (name) => [Array.prototype, name, ALL] as const,
  ),
  ...['slice', 'concat'].map((name) => [Array.prototype, name, MADE] as const),
  [Array.prototype, 'push', ARGUMENTS],
  [Array.prototype, 'join', JOINED],
  [Array, 'from', MADE],
  [Math, 'max', ARGUMENTS],
  [TextDecoder.prototype, 'decode', GIVEN],
  [TextEncoder.prototype, 'encode', GIVEN],
];

function replace(owner: object, name: string, cost: Cost): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name)!;
  const method = before.value as Method;
  const isExec = owner === RegExp.prototype;
  const counted = function (this: never, ...args: never[]): unknown {
    if (isCounting) return method.apply(this, args);
    const from = isExec ? fromOf(this) : 0;
    const result = method.apply(this, args);
    isCounting = true;
    try {
      steps += isExec
        ? regexps.of(this, String(args[0]), from, result as never, budget)
        : cost(this, args, result as never);
    } finally {
      isCounting = false;
    }
    if (steps > budget) throw new TooManySteps();
    return result;
  };
  Object.defineProperty(owner, name, { ...before, value: counted });
  return () => Object.defineProperty(owner, name, before);
}

function fromOf(pattern: RegExp): number {
  return pattern.global || pattern.sticky ? pattern.lastIndex : 0;
}
