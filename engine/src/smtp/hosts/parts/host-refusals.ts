// Whether one mail host address refuses everyone, over all domains, lists and accounts: anyone can have domains whose MX
// hosts lead to it. Pure: time as an argument. Promise: from so many real recipients refused in a row on, it gets this
// node's share of a low rate, until it accepts one; a deferral says neither, nor does the answer to a probe.
import {
  countIn,
  createMinuteCounter,
  lastMinute,
  type MinuteCounter,
  roomAtMs,
} from '../../../pace/minute-counter.ts';
import type { Limits } from '../../../pace/pace.ts';
import { type LiveNodes, nodeShare } from '../../../policy/live-nodes.ts';

type RefusingLimits = Pick<
  Limits,
  'refusalsInARow' | 'refusingRecipientsPerMinute' | 'refusingConnectionsPerMinute'
>;

export class HostRefusals {
  readonly #nodes: LiveNodes;
  #inARow = 0;
  /** Recipients it was asked about since it refuses everyone; null: it does not, or was asked about none. */
  #asked: MinuteCounter | null = null;

  constructor(nodes: LiveNodes) {
    this.#nodes = nodes;
  }

  refused(): void {
    this.#inARow += 1;
  }

  accepted(): void {
    this.#inARow = 0;
    this.#asked = null;
  }

  isRefusingAll({ refusalsInARow }: RefusingLimits): boolean {
    return refusalsInARow !== null && this.#inARow >= refusalsInARow;
  }

  /** Recipients were sent to it. */
  asked(count: number, limits: RefusingLimits, nowMs: number): void {
    if (!this.isRefusingAll(limits)) return;
    this.#asked ??= createMinuteCounter();
    countIn(this.#asked, count, nowMs);
  }

  /** Recipients it may be asked about now. */
  roomLeft(limits: RefusingLimits, nowMs: number): number {
    if (!this.isRefusingAll(limits)) return Number.POSITIVE_INFINITY;
    const asked = this.#asked === null ? 0 : lastMinute(this.#asked, nowMs);
    return Math.max(0, this.recipientsPerMinute(limits) - asked);
  }

  /** When there is room for one more. */
  roomAtMs(limits: RefusingLimits, nowMs: number): number {
    if (this.#asked === null || !this.isRefusingAll(limits)) return nowMs;
    return roomAtMs(this.#asked, this.recipientsPerMinute(limits), nowMs);
  }

  /** When it may be connected to once more. `opens`: connections to it. */
  opensAtMs(limits: RefusingLimits, opens: MinuteCounter, nowMs: number): number {
    if (!this.isRefusingAll(limits)) return nowMs;
    return roomAtMs(opens, nodeShare(limits.refusingConnectionsPerMinute, this.#nodes), nowMs);
  }

  /** This node's share. */
  recipientsPerMinute({ refusingRecipientsPerMinute }: RefusingLimits): number {
    return nodeShare(refusingRecipientsPerMinute, this.#nodes);
  }
}
