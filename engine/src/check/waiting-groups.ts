// What the addresses that have no outcome wait for, in groups for people. Promise: each of them is in one group; the cost
// is one look at each address, and nothing is kept.
import { lowerOf } from '../lower-of.ts';
import type { HoldUp, HostQueue } from '../state/check-state.ts';
import type { Clock, WaitingGroup } from '../types.ts';
import { wallNow } from '../wall-now.ts';
import type { AddressCheck } from './address-check.ts';

type WaitingReason = Pick<WaitingGroup, 'why' | 'nextAttemptAtMs'>;
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

const CHECKING: WaitingReason = { why: 'checking', nextAttemptAtMs: null };
const QUEUED: WaitingReason = { why: 'queued', nextAttemptAtMs: null };
const CATCH_ALL: WaitingReason = { why: 'catch_all_unknown', nextAttemptAtMs: null };
const DNS_HELD_BACK: WaitingReason = { why: 'dns_failed', nextAttemptAtMs: null };
const UNCLEAR: WaitingReason = { why: 'unclear', nextAttemptAtMs: null };
const NETWORK_DOWN: WaitingReason = { why: 'network_down', nextAttemptAtMs: null };

/** `lot`: of that one only. */
export function waitingGroups(
  open: Iterable<readonly AddressCheck[]>,
  running: Iterable<{ readonly waiting: Iterable<WaitingGroup> }>,
  clock: Clock,
  lot?: number,
): readonly WaitingGroup[] {
  const groups = new Groups();
  const reasons = new Reasons(clock);
  for (const checks of open)
    for (const check of checks) {
      if (check.isOver || (lot !== undefined && check.lot !== lot)) continue;
      const domain = check.knownDomain;
      const group = groups.of(check.lot, reasons.of(check), domain?.facts.mx ?? null);
      group.provider ??= domain?.provider || null;
      count(group, 1, (check.question.resume?.attempt ?? 0) + 1);
    }
  for (const list of running)
    for (const { why, nextAttemptAtMs, ...one } of list.waiting) {
      if (lot !== undefined && one.lot !== lot) continue;
      const group = groups.of(one.lot, reasons.named(why), one.host);
      group.provider ??= one.provider;
      group.nextAttemptAtMs = lowerOf(group.nextAttemptAtMs, nextAttemptAtMs);
      count(group, one.addresses, one.attempt);
    }
  return groups.all;
}

function count(group: Group, addresses: number, attempt: number): void {
  group.addresses += addresses;
  group.attempt = Math.min(group.attempt, attempt);
}

type Group = Mutable<WaitingGroup>;

/** By lot, cause and host. Maps of maps: a string key for each of twenty thousand addresses would dominate the cost. */
class Groups {
  readonly #groups = new Map<number, Map<WaitingGroup['why'], Map<string | null, Group>>>();
  readonly all: Group[] = [];

  of(lot: number, { why, nextAttemptAtMs }: WaitingReason, host: string | null): Group {
    const byHost = within(within(this.#groups, lot), why);
    let group = byHost.get(host);
    if (group === undefined) {
      const attempt = Number.POSITIVE_INFINITY;
      group = { lot, why, host, provider: null, addresses: 0, attempt, nextAttemptAtMs };
      byHost.set(host, group);
      this.all.push(group);
    } else if (nextAttemptAtMs !== null)
      group.nextAttemptAtMs = lowerOf(group.nextAttemptAtMs, nextAttemptAtMs);
    return group;
  }
}

function within<Key, Inner, Value>(maps: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  let inner = maps.get(key);
  if (inner === undefined) {
    inner = new Map();
    maps.set(key, inner);
  }
  return inner;
}

/** Why each waits; a queue is asked once for all that are in it. */
class Reasons {
  readonly #nowMs: number;
  /** The machine's clock minus the engine's. */
  readonly #aheadMs: number;
  readonly #queues = new Map<HostQueue, WaitingReason>();

  constructor(clock: Clock) {
    this.#nowMs = clock.now();
    this.#aheadMs = wallNow(clock) - this.#nowMs;
  }

  /** Of addresses that are not checked at the moment. */
  named(why: WaitingGroup['why']): WaitingReason {
    return { why, nextAttemptAtMs: null };
  }

  of({ state }: AddressCheck): WaitingReason {
    switch (state.at) {
      case 'queued':
        return this.#inQueue(state.queue);
      case 'sent':
      case 'unsealed':
      case 'answered':
      case 'dns_trust':
      case 'heard':
      case 'concluding':
        return CHECKING;
      case 'dns':
        return state.lookup?.isHeldBack === true ? DNS_HELD_BACK : QUEUED;
      case 'catch_all':
        return CATCH_ALL;
      case 'comparison':
        return UNCLEAR;
      case 'network':
        return NETWORK_DOWN;
      case 'later':
      case 'done':
        return QUEUED;
      default:
        return state satisfies never;
    }
  }

  #inQueue(queue: HostQueue): WaitingReason {
    const known = this.#queues.get(queue);
    if (known !== undefined) return known;
    const holdUp = queue.heldUpBy(this.#nowMs);
    const why = holdUp === null ? QUEUED : this.#whyOf(holdUp);
    this.#queues.set(queue, why);
    return why;
  }

  #whyOf({ detail, untilMs }: HoldUp): WaitingReason {
    return { why: detail, nextAttemptAtMs: untilMs === null ? null : untilMs + this.#aheadMs };
  }
}
