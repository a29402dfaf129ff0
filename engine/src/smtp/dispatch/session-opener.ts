// Opens the sessions of one lane: as many as its queues need and as its hosts, their provider and the account that
// pays allow. Promise: the most preferred address that answers is asked, the next one only when a better one cannot be
// reached or turns us away; where no address can be asked, those that wait get that as their answer; where one must be waited for, it
// wakes the lane.
import type { Holder } from '@mxproof/common/fair-share';
import { chooseHost, NEXT_ADDRESS_MS } from '../hosts/choose-host.ts';
import { whatHoldsBack } from '../hosts/host-access.ts';
import { type MxHost, opensAtMs } from '../hosts/mx-host.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Lane } from './lane.ts';
import type { LaneAnswers } from './lane-answers.ts';
import type { LaneQueue } from './lane-queue.ts';
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
    this.#answers.sweepHeld(SHORT_PAUSE_MS);
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
    const mxHost = targets[0]?.mxHost;
    const limits = mxHost?.limits;
    // One mail host, however many addresses it has.
    if (limits !== undefined && sessions.size >= limits.connectionsPerProvider) return false;
    const refusals = limits?.refusalsPerConnection ?? 1;
    const view = { sessions, queue, alone, refusals, stuckSinceMs: this.#stuckSinceMs };
    const { permits } = this.#lane.breaker;
    const budgets = mxHost === undefined ? [] : permits.budgetsAt(mxHost);
    if (budgets.length === 0) return wantsSession(view);
    // No more sessions than there are permits for.
    const free = permits.freeFor(budgets, queue.holders, this.#dispatcher.clock.now());
    const size = Math.min(queue.size, Math.max(1, free));
    return wantsSession({ ...view, queue: { size, singles: queue.singles } });
  }

  /** False: no session can be opened now. */
  #openOne(): boolean {
    const lane = this.#lane;
    const nowMs = this.#dispatcher.clock.now();
    this.#answers.giveUpHeldBack(nowMs);
    const alone = lane.alone.size > 0 && !this.#isAskingAlone;
    const queue = alone ? lane.alone : lane.queue;
    const holders = this.#withPermits(this.#thatMayOpen(queue, nowMs), nowMs);
    const payer = this.#dispatcher.payerFor(lane, holders);
    if (payer === null) return false;
    this.#askForPermits(nowMs);
    const behalf = queue.behalfOf(payer);
    const choice = chooseHost(lane.targets, lane.breaker, nowMs, lane.sinceMs, payer, behalf);
    switch (choice.kind) {
      case 'open':
        lane.open(choice.to, alone, payer, behalf);
        return true;
      case 'wait':
        this.#waitFor(choice.on, holders, payer, choice.untilMs, nowMs);
        return false;
      case 'nowhere':
        // An open session may still answer; with none left there is no host to ask.
        if (lane.sessions.size === 0) this.#answers.giveUp(lane.targets[0]?.target, choice.shut);
        return false;
      default:
        return choice satisfies never;
    }
  }

  /** One that waits for the session that tries, or has had its connections, does not keep the others waiting. */
  #thatMayOpen(queue: LaneQueue, nowMs: number): readonly Holder[] {
    const { holders } = queue;
    const { breaker, targets } = this.#lane;
    if (holders.length < 2 || !targets.some(({ mxHost }) => this.#lane.mayHoldBack(mxHost))) return holders;
    const free = holders.filter((holder) => {
      const behalf = queue.behalfOf(holder);
      return targets.some(({ mxHost, target: { host } }) => {
        const { refusals, limits } = mxHost;
        if (refusals.isLimited(behalf.payer, limits) && opensAtMs(mxHost, nowMs, behalf.payer) > nowMs)
          return false;
        return breaker.shutFor(mxHost, host, behalf, nowMs) === null;
      });
    });
    return free.length > 0 ? free : holders;
  }

  /** Of hosts that have a limit per hour or day. */
  #askForPermits(nowMs: number): void {
    const { targets, queue, alone, sessions, breaker } = this.#lane;
    for (const { mxHost } of targets) {
      const budgets = breaker.permits.budgetsAt(mxHost);
      if (budgets.length === 0) continue;
      const opening = [...sessions.values()].filter(({ promised }) => promised !== null);
      const wanted = [...queue.sizes, ...alone.sizes, ...opening.map(({ payer }) => [payer, -1] as const)];
      const without = wanted.filter(([holder]) => breaker.permits.free(budgets, holder, nowMs) === 0);
      breaker.permits.needFor(budgets, without, this.#lane, nowMs);
    }
  }

  /** One whose permits are being asked for does not keep the others waiting. */
  #withPermits(holders: readonly Holder[], nowMs: number): readonly Holder[] {
    const { targets, breaker } = this.#lane;
    const { permits } = breaker;
    if (!permits.areShared || holders.length < 2) return holders;
    const ready = holders.filter((holder) =>
      targets.some(({ mxHost }) => permits.free(permits.budgetsAt(mxHost), holder, nowMs) > 0),
    );
    return ready.length > 0 ? ready : holders;
  }

  #waitFor(
    mxHosts: readonly MxHost[],
    holders: readonly Holder[],
    payer: Holder,
    untilMs: number,
    nowMs: number,
  ): void {
    const lane = this.#lane;
    for (const { connections, shared } of mxHosts) {
      connections.wait(holders, lane);
      shared?.connections.wait(holders, lane);
    }
    if (untilMs > nowMs) this.#dispatcher.wakeAt(lane, untilMs);
    this.#askForTrial(mxHosts, payer, nowMs);
    const waitMs = untilMs - nowMs;
    if (waitMs <= SHORT_PAUSE_MS || lane.sessions.size > 0) return;
    const target = lane.targets[0]?.target;
    const { permits } = lane.breaker;
    if (
      mxHosts.some((mxHost) => (permits.heldUntilMs(permits.budgetsAt(mxHost), payer, nowMs) ?? 0) > nowMs)
    ) {
      this.#answers.awaitBudget(target, waitMs);
      return;
    }
    const refusing = mxHosts.find(({ refusals, limits }) => refusals.isRefusingAll(limits));
    if (refusing === undefined) this.#answers.handBack(target, waitMs);
    else this.#answers.comeBackInTurn(target, waitMs, refusing.refusals.recipientsPerMinute(refusing.limits));
  }

  /** Where our source has rested: another process may be the one that tries. */
  #askForTrial(mxHosts: readonly MxHost[], payer: Holder, nowMs: number): void {
    const lane = this.#lane;
    const { clock } = this.#dispatcher;
    for (const mxHost of mxHosts)
      if (whatHoldsBack(mxHost, lane.breaker, nowMs, payer)?.kind === 'trial')
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
