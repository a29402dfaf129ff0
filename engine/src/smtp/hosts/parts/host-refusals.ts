// Whether one mail host address refuses everyone, over all domains, lists and accounts: anyone can have domains whose MX
// hosts lead to it. Pure: time as an argument. Promise: from so many real recipients refused in a row on, it gets this
// node's share of a low rate, until it accepts one; a deferral says neither, nor does the answer to a probe. Where there are
// several payers, those that were told many of these refusals have half of that rate between them, so that the others find
// room; one that was refused so many in a row is limited by itself, whatever is accepted of others.
import {
  countIn,
  createMinuteCounter,
  lastMinute,
  type MinuteCounter,
  roomAtMs,
} from '../../../pace/minute-counter.ts';
import type { Limits } from '../../../pace/pace.ts';
import { type LiveNodes, nodeShare } from '../../../policy/live-nodes.ts';
import type { Payers } from '../../../policy/payers.ts';

type RefusingLimits = Pick<
  Limits,
  'refusalsInARow' | 'refusingRecipientsPerMinute' | 'refusingConnectionsPerMinute'
>;

/** A payer that was refused this part of them has used up the host's patience; a few are refused to everyone. */
const GUILTY_PART = 10;
/** Beyond them the one that was refused least lately is forgotten. */
const PAYERS_MAX = 1_000;

/** Since it refuses everyone, or the payer. `limited`: of payers that have a part of the rate to themselves. */
interface Counts {
  readonly asked: MinuteCounter;
  readonly askedByLimited: MinuteCounter;
  readonly openedByLimited: MinuteCounter;
  readonly openedByOthers: MinuteCounter;
}

export class HostRefusals {
  readonly #nodes: LiveNodes;
  readonly #payers: Payers;
  #inARow = 0;
  /** The same of each payer. */
  readonly #inARowOf = new Map<string, number>();
  /** The most that one of them was refused. */
  #mostInARow = 0;
  /** Null: it refuses neither everyone nor a payer, or was asked nothing since. */
  #counts: Counts | null = null;

  constructor(nodes: LiveNodes, payers: Payers) {
    this.#nodes = nodes;
    this.#payers = payers;
  }

  refused(payer: string): void {
    this.#inARow += 1;
    const own = (this.#inARowOf.get(payer) ?? 0) + 1;
    this.#inARowOf.delete(payer);
    this.#inARowOf.set(payer, own);
    this.#mostInARow = Math.max(this.#mostInARow, own);
    if (this.#inARowOf.size > PAYERS_MAX) this.#inARowOf.delete(this.#inARowOf.keys().next().value!);
  }

  accepted(payer: string): void {
    this.#inARow = 0;
    const own = this.#inARowOf.get(payer);
    if (own === undefined) return;
    this.#inARowOf.delete(payer);
    if (own === this.#mostInARow) this.#mostInARow = Math.max(0, ...this.#inARowOf.values());
    if (this.#mostInARow === 0) this.#counts = null;
  }

  isRefusingAll({ refusalsInARow }: RefusingLimits): boolean {
    return refusalsInARow !== null && this.#inARow >= refusalsInARow;
  }

  /** It has its own part of the rate, by what it was refused itself. */
  isLimited(payer: string, limits: RefusingLimits): boolean {
    return this.hasLimited(limits) && this.#isTooMany(this.#inARowOf.get(payer) ?? 0, limits);
  }

  /** Some payer has. */
  hasLimited(limits: RefusingLimits): boolean {
    return this.#payers.areSeveral && this.#isTooMany(this.#mostInARow, limits);
  }

  #isTooMany(own: number, limits: RefusingLimits): boolean {
    const { refusalsInARow } = limits;
    if (refusalsInARow === null) return false;
    return own >= (this.isRefusingAll(limits) ? refusalsInARow / GUILTY_PART : refusalsInARow);
  }

  /** Recipients were sent to it, each for a payer. */
  asked(payers: readonly string[], limits: RefusingLimits, nowMs: number): void {
    const isRefusingAll = this.isRefusingAll(limits);
    if (!isRefusingAll && !this.hasLimited(limits)) return;
    this.#counts ??= createCounts();
    if (isRefusingAll) countIn(this.#counts.asked, payers.length, nowMs);
    const limited = payers.filter((payer) => this.isLimited(payer, limits));
    if (limited.length > 0) countIn(this.#counts.askedByLimited, limited.length, nowMs);
  }

  /** A connection is opened for this payer. */
  opened(payer: string, limits: RefusingLimits, nowMs: number): void {
    if (!this.hasLimited(limits)) return;
    this.#counts ??= createCounts();
    const { openedByLimited, openedByOthers } = this.#counts;
    countIn(this.isLimited(payer, limits) ? openedByLimited : openedByOthers, 1, nowMs);
  }

  /** Recipients it may be asked about now, of `payer` or anyone. */
  roomLeft(limits: RefusingLimits, nowMs: number, payer: string | null = null): number {
    const perMinute = this.recipientsPerMinute(limits);
    const left = (most: number, counter: MinuteCounter | undefined) =>
      Math.max(0, most - (counter === undefined ? 0 : lastMinute(counter, nowMs)));
    const all = this.isRefusingAll(limits) ? left(perMinute, this.#counts?.asked) : Number.POSITIVE_INFINITY;
    if (payer === null || !this.isLimited(payer, limits)) return all;
    return Math.min(all, left(half(perMinute), this.#counts?.askedByLimited));
  }

  /** When there is room for one more. */
  roomAtMs(limits: RefusingLimits, nowMs: number): number {
    if (this.#counts === null || !this.isRefusingAll(limits)) return nowMs;
    return roomAtMs(this.#counts.asked, this.recipientsPerMinute(limits), nowMs);
  }

  /** When it may be connected to once more, for `payer` or anyone. `opens`: connections to it. */
  opensAtMs(limits: RefusingLimits, opens: MinuteCounter, nowMs: number, payer: string | null): number {
    const perMinute = nodeShare(limits.refusingConnectionsPerMinute, this.#nodes);
    if (payer !== null && this.hasLimited(limits)) {
      const isLimited = this.isLimited(payer, limits);
      if (!isLimited && !this.isRefusingAll(limits)) return nowMs;
      // What limited payers have opened, before it was known or since, is not held against the others.
      const own = isLimited ? this.#counts?.openedByLimited : this.#counts?.openedByOthers;
      return own === undefined ? nowMs : roomAtMs(own, half(perMinute), nowMs);
    }
    return this.isRefusingAll(limits) ? roomAtMs(opens, perMinute, nowMs) : nowMs;
  }

  /** This node's share. */
  recipientsPerMinute({ refusingRecipientsPerMinute }: RefusingLimits): number {
    return nodeShare(refusingRecipientsPerMinute, this.#nodes);
  }
}

function createCounts(): Counts {
  return {
    asked: createMinuteCounter(),
    askedByLimited: createMinuteCounter(),
    openedByLimited: createMinuteCounter(),
    openedByOthers: createMinuteCounter(),
  };
}

function half(perMinute: number): number {
  return Math.ceil(perMinute / 2);
}
