// What a list waits for, few enough to be read: large hosts by name, small ones together.
// Promise: no address is left out or counted twice; the largest first.
import type { WaitingGroup } from './api-types.ts';

export interface WaitingCause {
  readonly why: WaitingGroup['why'];
  /** Null: several, or none that is known. */
  readonly host: string | null;
  readonly addresses: number;
  /** The earliest, in Unix seconds; null if not known. */
  readonly nextAttemptAt: number | null;
}

/** A host is named if it is the only one of its kind, or has at least this part of what waits for the same thing. */
const NAMED_PART = 0.2;

export function sumUpWaiting(groups: readonly WaitingGroup[]): WaitingCause[] {
  const causes: WaitingCause[] = [];
  for (const [why, same] of byWhy(groups)) {
    const all = same.reduce((sum, { addresses }) => sum + addresses, 0);
    const rest: WaitingGroup[] = [];
    for (const group of same) {
      const isNamed =
        same.length === 1 ||
        (group.host !== null && group.addresses > 1 && group.addresses >= NAMED_PART * all);
      if (isNamed) causes.push(causeOf(why, group.host, [group]));
      else rest.push(group);
    }
    if (rest.length > 0) causes.push(causeOf(why, rest.length === 1 ? rest[0]!.host : null, rest));
  }
  return causes.sort((one, other) => other.addresses - one.addresses);
}

function byWhy(groups: readonly WaitingGroup[]): Map<WaitingGroup['why'], WaitingGroup[]> {
  const found = new Map<WaitingGroup['why'], WaitingGroup[]>();
  for (const group of groups) found.set(group.why, [...(found.get(group.why) ?? []), group]);
  return found;
}

function causeOf(why: WaitingGroup['why'], host: string | null, of: readonly WaitingGroup[]): WaitingCause {
  const times = of.flatMap(({ next_attempt_at }) => next_attempt_at ?? []);
  return {
    why,
    host,
    addresses: of.reduce((sum, { addresses }) => sum + addresses, 0),
    nextAttemptAt: times.length === 0 ? null : Math.min(...times),
  };
}
