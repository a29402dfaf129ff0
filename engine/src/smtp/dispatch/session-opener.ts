// Opens the sessions of one lane: as many as its queues need and as its hosts, their provider and the account that
// pays allow. Promise: the most preferred address that answers is asked, the next one only when a better one cannot be
// reached or turns us away; where no address can be asked, those that wait get that as their answer; where one must be waited for, it
// wakes the lane.
import type { Holder } from '@mxproof/common/fair-share';
import { chooseHost, NEXT_ADDRESS_MS } from '../hosts/choose-host.ts';
import { whatHoldsBack } from '../hosts/host-access.ts';
import type { MxHost } from '../hosts/mx-host.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Lane } from './lane.ts';
import type { LaneAnswers } from './lane-answers.ts';
import { isStuck, wantsSession } from './wants-session.ts';

/** A pause up to here is waited out; for a longer one the recipients are handed back. */
const SHORT_PAUSE_MS = 6_000;

export class SessionOpener {
  readonly #lane: Lane;
  readonly #dispatcher: Dispatcher;
  readonly #answers: LaneAnswers;

  constructor(lane: Lane, dispatcher: Dispatcher, answers: LaneAnswers) {
    this.#lane = lane;
    this.#dispatcher = dispatcher;
    this.#answers = answers;
  }

  openAll(): void {
    let isOpened = true;
    while (isOpened && this.#wantsOne()) isOpened = this.#openOne();
  }

  /** No connect was answered for a while, and no other address is left to try. */
  get isStuck(): boolean {
    const { queue, sessions } = this.#lane;
    if (queue.size === 0 || sessions.size === 0) return false;
    const sinceMs = this.#dispatcher.clock.now() - NEXT_ADDRESS_MS;
    for (const session of sessions.keys()) if (!isStuck(session, sinceMs)) return false;
    return true;
  }

  #wantsOne(): boolean {
    const { queue, alone, sessions, targets } = this.#lane;
    if (queue.size === 0 && alone.size === 0) return false;
    const limits = targets[0]?.mxHost.limits;
    // One mail host, however many addresses it has.
    if (limits !== undefined && sessions.size >= limits.connectionsPerProvider) return false;
    const refusals = limits?.refusalsPerConnection ?? 1;
    const view = { sessions, queue, alone, refusals, stuckSinceMs: this.#stuckSinceMs };
    const budgets = limits?.budgets ?? [];
    if (budgets.length === 0) return wantsSession(view);
    // No more sessions than there are permits for.
    const free = this.#lane.breaker.permits.free(budgets, this.#dispatcher.clock.now());
    const size = Math.min(queue.size, Math.max(1, free));
    return wantsSession({ ...view, queue: { size, singles: queue.singles } });
  }

  /** False: no session can be opened now. */
  #openOne(): boolean {
    const lane = this.#lane;
    const alone = lane.alone.size > 0 && !this.#isAskingAlone;
    const { holders } = alone ? lane.alone : lane.queue;
    const payer = this.#dispatcher.payerFor(lane, holders);
    if (payer === null) return false;
    const nowMs = this.#dispatcher.clock.now();
    this.#askForPermits(nowMs);
    const choice = chooseHost(lane.targets, lane.breaker, nowMs, lane.sinceMs);
    switch (choice.kind) {
      case 'open':
        lane.open(choice.to, alone, payer);
        return true;
      case 'wait':
        this.#waitFor(choice.on, holders, choice.untilMs, nowMs);
        return false;
      case 'nowhere':
        // An open session may still answer; with none left there is no host to ask.
        if (lane.sessions.size === 0) this.#answers.giveUp(lane.targets[0]?.target, choice.shut);
        return false;
      default:
        return choice satisfies never;
    }
  }

  /** Of hosts that have a limit per hour or day. */
  #askForPermits(nowMs: number): void {
    const { targets, queue, alone, sessions, breaker } = this.#lane;
    for (const { mxHost } of targets) {
      const { budgets } = mxHost.limits;
      if (budgets.length === 0 || breaker.permits.free(budgets, nowMs) > 0) continue;
      let opening = 0;
      for (const { promised } of sessions.values()) if (promised !== null) opening += 1;
      breaker.permits.need(budgets, Math.max(1, queue.size + alone.size - opening), this.#lane, nowMs);
    }
  }

  #waitFor(mxHosts: readonly MxHost[], holders: readonly Holder[], untilMs: number, nowMs: number): void {
    const lane = this.#lane;
    for (const { connections, shared } of mxHosts) {
      connections.wait(holders, lane);
      shared?.connections.wait(holders, lane);
    }
    if (untilMs > nowMs) this.#dispatcher.wakeAt(lane, untilMs);
    this.#askForTrial(mxHosts, nowMs);
    const waitMs = untilMs - nowMs;
    if (waitMs <= SHORT_PAUSE_MS || lane.sessions.size > 0) return;
    const target = lane.targets[0]?.target;
    const { permits } = lane.breaker;
    if (mxHosts.some(({ limits }) => (permits.heldUntilMs(limits.budgets, nowMs) ?? 0) > nowMs)) {
      this.#answers.awaitBudget(target, waitMs);
      return;
    }
    const refusing = mxHosts.find(({ refusals, limits }) => refusals.isRefusingAll(limits));
    if (refusing === undefined) this.#answers.handBack(target, waitMs);
    else this.#answers.comeBackInTurn(target, waitMs, refusing.refusals.recipientsPerMinute(refusing.limits));
  }

  /** Where our source has rested: another process may be the one that tries. */
  #askForTrial(mxHosts: readonly MxHost[], nowMs: number): void {
    const lane = this.#lane;
    const { clock } = this.#dispatcher;
    for (const mxHost of mxHosts)
      if (whatHoldsBack(mxHost, lane.breaker, nowMs)?.kind === 'trial')
        lane.breaker.askForTrial(mxHost, lane, () => clock.now());
  }

  /** What must have a session of its own has one, and it is not stuck. */
  get #isAskingAlone(): boolean {
    const sinceMs = this.#stuckSinceMs;
    for (const [session, { alone }] of this.#lane.sessions)
      if (alone && !isStuck(session, sinceMs)) return true;
    return false;
  }

  /** Connects that began before this let the next address be tried; with one address there is none. */
  get #stuckSinceMs(): number {
    return this.#lane.targets.length === 1
      ? Number.NEGATIVE_INFINITY
      : this.#dispatcher.clock.now() - NEXT_ADDRESS_MS;
  }
}
