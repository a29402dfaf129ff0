// What a list waits for, few enough to be read: large hosts by name, small ones together.
// Promise: no address is left out or counted twice; the largest first. What is queued is one, wherever it is bound for.
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
  for (const [why, hosts] of byWhy(groups)) {
    const same = [...hosts].map(([host, of]) => causeOf(why, host, of));
    if (why === 'queued') {
      causes.push({ ...together(same), host: null, nextAttemptAt: null });
      continue;
    }
    const all = same.reduce((sum, { addresses }) => sum + addresses, 0);
    const isNamed = ({ host, addresses }: WaitingCause) =>
      same.length === 1 || (host !== null && addresses > 1 && addresses >= NAMED_PART * all);
    const rest = same.filter((one) => !isNamed(one));
    causes.push(...same.filter(isNamed));
    if (rest.length > 0) causes.push(together(rest));
  }
  return causes.sort((one, other) => other.addresses - one.addresses);
}

type GroupsByHost = Map<string | null, WaitingGroup[]>;

function byWhy(groups: readonly WaitingGroup[]): Map<WaitingGroup['why'], GroupsByHost> {
  const found = new Map<WaitingGroup['why'], GroupsByHost>();
  for (const group of groups) {
    const hosts: GroupsByHost = found.get(group.why) ?? new Map();
    found.set(group.why, hosts.set(group.host, [...(hosts.get(group.host) ?? []), group]));
  }
  return found;
}

function causeOf(why: WaitingGroup['why'], host: string | null, of: readonly WaitingGroup[]): WaitingCause {
  return together(
    of.map(({ addresses, next_attempt_at }) => ({ why, host, addresses, nextAttemptAt: next_attempt_at })),
  );
}

/** Of one why. */
function together(causes: readonly WaitingCause[]): WaitingCause {
  return causes.reduce((one, other) => ({
    why: one.why,
    host: one.host === other.host ? one.host : null,
    addresses: one.addresses + other.addresses,
    nextAttemptAt: earliest(one.nextAttemptAt, other.nextAttemptAt),
  }));
}

function earliest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
