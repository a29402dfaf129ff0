// What the addresses that have no outcome wait for, in groups for people. Promise: each of them is in one group; the cost
// is one look at each address, and nothing is kept.
import type { CheckAll } from '../check-all.ts';
import type { Clock, WaitingGroup } from '../types.ts';
import { wallNow } from '../wall-now.ts';
import type { AddressCheck } from './address-check.ts';
import type { HoldUp, HostQueue } from './state/check-state.ts';

type Why = Pick<WaitingGroup, 'why' | 'nextAttemptAtMs'>;
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

const CHECKING: Why = { why: 'checking', nextAttemptAtMs: null };
const QUEUED: Why = { why: 'queued', nextAttemptAtMs: null };

/** `lot`: of that one only. */
export function waitingGroups(
  open: Iterable<readonly AddressCheck[]>,
  running: Iterable<Pick<CheckAll, 'waiting'>>,
  clock: Clock,
  lot?: number,
): readonly WaitingGroup[] {
  const groups = new Groups();
  const reasons = new Reasons(clock);
  for (const checks of open)
    for (const check of checks) {
      if (check.isOver || (lot !== undefined && check.lot !== lot)) continue;
      const domain = check.knownDomain;
      groups.add({
        lot: check.lot,
        ...reasons.of(check),
        host: domain?.facts.mx ?? null,
        provider: domain === null || domain.provider === '' ? null : domain.provider,
        addresses: 1,
        attempt: (check.question.resume?.attempt ?? 0) + 1,
      });
    }
  for (const list of running)
    for (const group of list.waiting) if (lot === undefined || group.lot === lot) groups.add(group);
  return groups.all;
}

/** By lot, cause and host. */
class Groups {
  readonly #groups = new Map<string, Mutable<WaitingGroup>>();

  get all(): readonly WaitingGroup[] {
    return [...this.#groups.values()];
  }

  add(one: WaitingGroup): void {
    const key = `${one.lot} ${one.why} ${one.host}`;
    const group = this.#groups.get(key);
    if (group === undefined) {
      this.#groups.set(key, { ...one });
      return;
    }
    group.addresses += one.addresses;
    group.attempt = Math.min(group.attempt, one.attempt);
    group.nextAttemptAtMs = earliest(group.nextAttemptAtMs, one.nextAttemptAtMs);
  }
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** Why each waits; a queue is asked once for all that are in it. */
class Reasons {
  readonly #nowMs: number;
  /** What the machine's clock is ahead of the engine's. */
  readonly #aheadMs: number;
  readonly #queues = new Map<HostQueue, Why>();

  constructor(clock: Clock) {
    this.#nowMs = clock.now();
    this.#aheadMs = wallNow(clock) - this.#nowMs;
  }

  of({ state }: AddressCheck): Why {
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
        return QUEUED;
      case 'catch_all':
        return { why: 'catch_all_unknown', nextAttemptAtMs: null };
      case 'comparison':
        return { why: 'unclear', nextAttemptAtMs: null };
      case 'network':
        return { why: 'network_down', nextAttemptAtMs: null };
      case 'later':
      case 'done':
        return QUEUED;
      default:
        return state satisfies never;
    }
  }

  #inQueue(queue: HostQueue): Why {
    const known = this.#queues.get(queue);
    if (known !== undefined) return known;
    const holdUp = queue.heldUpBy(this.#nowMs);
    const why = holdUp === null ? QUEUED : this.#whyOf(holdUp);
    this.#queues.set(queue, why);
    return why;
  }

  #whyOf({ detail, untilMs }: HoldUp): Why {
    return { why: detail, nextAttemptAtMs: untilMs === null ? null : untilMs + this.#aheadMs };
  }
}
