// What the methods of the language look at or copy for a piece of work: characters, bytes and elements, and for a regular
// expression what a backtracking matcher would look at. Promise: the same work has the same count on any machine.
import { RegexpSteps, TooManySteps } from './regexp-steps.ts';

type Method = (this: never, ...args: never[]) => unknown;

let steps = 0;
let budget = 0;
/** What counting itself calls is not counted. */
let isCounting = false;
const regexps = new RegexpSteps();

/** Null: more than `max`, and given up. */
export async function countCalls<Result>(
  work: () => Promise<Result>,
  max: number,
): Promise<{ readonly steps: number; readonly result: Result } | null> {
  const restore = METHODS.map(([owner, name, cost]) => replace(owner, name, cost));
  budget = max;
  steps = 0;
  try {
    const result = await work();
    return { steps, result };
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    return null;
  } finally {
    for (const undo of restore.reverse()) undo();
  }
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
