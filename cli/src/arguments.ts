// Reads a command's arguments. Promise: what is wrong with them is a UsageError in one sentence.

import { parseArgs } from 'node:util';
import { UsageError } from './usage.ts';

export type Flags = Readonly<Record<string, 'text' | 'switch'>>;

export interface Arguments<F extends Flags> {
  /** As many as the command names. */
  readonly words: readonly string[];
  readonly flags: { readonly [K in keyof F]: F[K] extends 'switch' ? boolean : string | undefined };
}

/**
 * `names` are the words a command takes, such as `<account>`; each may also be given as an option, `--account 7`.
 * A last name ending in `…` takes any number of words.
 */
export function readArguments<const F extends Flags>(
  args: readonly string[],
  names: readonly string[],
  flags: F,
): Arguments<F> {
  const kinds = { ...Object.fromEntries(names.map((name) => [optionName(name), 'text'])), ...flags };
  const options = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [
      name,
      { type: kind === 'text' ? 'string' : 'boolean' } as const,
    ]),
  );
  // Left to parseArgs, it would be called an unknown option.
  const negative = args.find((arg) => /^-\d/.test(arg));
  if (negative !== undefined) throw new UsageError(`${negative} is below zero: no number here may be.`);
  let parsed: { values: Record<string, string | boolean | undefined>; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split(/\. |\n/)[0]!.replace(/\.$/, '')}.`);
  }
  const rest = [...parsed.positionals];
  const words: string[] = [];
  for (const name of names) {
    if (name.endsWith('…')) words.push(...rest.splice(0));
    else {
      const word = parsed.values[optionName(name)] ?? rest.shift();
      if (typeof word !== 'string') throw new UsageError(`${name} is missing.`);
      words.push(word);
    }
  }
  if (rest.length > 0) throw new UsageError(`"${rest[0]}" is one argument too many.`);
  const values = Object.entries(flags).map(([name, kind]) => [
    name,
    kind === 'switch' ? parsed.values[name] === true : parsed.values[name],
  ]);
  return { words, flags: Object.fromEntries(values) as Arguments<F>['flags'] };
}

function optionName(name: string): string {
  return name.replace(/[<>…]/g, '');
}

const MAX_ID = Number.MAX_SAFE_INTEGER;

export function readId(what: string, word: string | undefined): number {
  const id = /^[1-9]\d*$/.test(word ?? '') ? Number(word) : Number.NaN;
  if (!(id <= MAX_ID)) throw new UsageError(`${what} must be its number.`);
  return id;
}

/** A whole number within bounds; undefined stays undefined. */
export function readCount(what: string, word: string | undefined, min: number): number | undefined {
  if (word === undefined) return undefined;
  const count = /^\d{1,12}$/.test(word) ? Number(word) : Number.NaN;
  if (!(count >= min)) throw new UsageError(`${what} must be a whole number of at least ${min}.`);
  return count;
}
