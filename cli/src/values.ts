// Reads the value of an argument or option. Promise: a wrong one is a UsageError in one sentence that names it.

import { isCidr } from '@mxproof/server/rules/cidr.ts';
import { UsageError } from './usage-error.ts';

export function readId(name: string, value: string): number {
  refuseNegative(value);
  const id = /^[1-9]\d*$/.test(value) ? Number(value) : Number.NaN;
  if (!(id <= Number.MAX_SAFE_INTEGER)) throw new UsageError(`${name} must be a numeric ID.`);
  return id;
}

export function readCount(name: string, value: string, min: number): number {
  refuseNegative(value);
  const count = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
  if (!(count >= min)) throw new UsageError(`${name} must be a whole number of at least ${min}.`);
  return count;
}

export function readChoice<T extends string>(name: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((each) => each === value);
  if (choice === undefined) throw new UsageError(`${name} must be one of ${choices.join(', ')}.`);
  return choice;
}

const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/;

/** In Unix seconds; a date alone is its beginning in UTC. */
export function readFuture(name: string, value: string): number {
  const ms = ISO.test(value) ? Date.parse(value) : Number.NaN;
  if (!(ms > Date.now()))
    throw new UsageError(`${name} must be a date in the future, such as 2030-12-31 or 2030-12-31T18:00Z.`);
  return Math.floor(ms / 1000);
}

export function readRanges(name: string, value: string): string[] {
  const ranges = value.split(',').map((text) => text.trim());
  if (!ranges.every(isCidr))
    throw new UsageError(
      `${name} must be IP addresses and CIDR ranges such as 203.0.113.0/24, separated by commas.`,
    );
  return ranges;
}

function refuseNegative(value: string): void {
  if (/^-\d/.test(value)) throw new UsageError(`Numbers cannot be negative: ${value}.`);
}
