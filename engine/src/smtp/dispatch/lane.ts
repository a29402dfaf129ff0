// One group of exchangers seen from one source: its queue, its sessions. Promise: the most preferred address that
// answers is asked, the next one only when a better one cannot be reached or turns us away; sessions open as the
// pace allows and fetch recipients when they are ready for them; whatever is on a line that breaks is asked again.
//
//   queued ──session ready──▶ in flight ──landed──▶ answered
//     ▲                          │ dropped, full, out of step, other sender
//     └──────────────────────────┘

import type { HoldUp, HostQueue } from '../../check/state/check-state.ts';
import type { Task } from '../../check/state/task.ts';
import type { Holder } from '../../pace/fair-share.ts';
import { flewWell, tookConnection } from '../../pace/pace.ts';
import { chooseHost, NEXT_ADDRESS_MS, type Reachable } from '../hosts/choose-host.ts';
import type { Source } from '../hosts/egress.ts';
import { type Exchanger, endsAsKnown, holdConnection, slower } from '../hosts/exchanger.ts';
import { whyNotAsked } from '../hosts/host-access.ts';
import { learnFromEnd } from '../hosts/learn-from-end.ts';
import { mayBeGivenTls, senderRefused } from '../hosts/shut-host.ts';
import type { SourceBreaker } from '../hosts/source-breaker.ts';
import { noteMail } from '../knowledge/answer.ts';
import { learnFromFlight } from '../knowledge/learn-from-flight.ts';
import { readFlight } from '../knowledge/read-flight.ts';
import type { Flight } from '../session/flight.ts';
import { Session } from '../session/session.ts';
import type { SessionEnd, SessionOwner } from '../session/session-plan.ts';
import { composeFlight } from './compose-flight.ts';
import type { Dispatcher } from './dispatcher.ts';
import { LaneAnswers } from './lane-answers.ts';
import { LaneQueue } from './lane-queue.ts';
import { planSession } from './plan-session.ts';
import { isAllTold, isSealed, type SealedSession, sealFlight } from './seal-flight.ts';
import { isStuck, wantsSession } from './wants-session.ts';

/** A pause up to here is waited out; for a longer one the recipients are handed back. */
const SHORT_PAUSE_MS = 6_000;

/** A connect or greeting that takes longer is no longer one's turn to wait for: the host does not answer. */
const UNANSWERED_AFTER_MS = 2_000;
const UNANSWERED: HoldUp = { detail: 'timeout', untilMs: null };

/** A session of the lane, with what it is there for. */
export interface Mine extends SealedSession {
  /** It asks what must have a session of its own. */
  readonly alone: boolean;
  /** Who is charged for it. */
  readonly payer: Holder;
  /** It has been welcomed. */
  isInside: boolean;
}

export class Lane implements SessionOwner<Session>, HostQueue {
  readonly key: string;
  readonly source: Source;
  readonly breaker: SourceBreaker;
  readonly queue = new LaneQueue(this);
  /** Probes that must have a session of their own. */
  readonly alone = new LaneQueue(this);
  readonly sessions = new Map<Session, Mine>();
  readonly #targets: readonly Reachable[];
  readonly #dispatcher: Dispatcher;
  readonly #answers: LaneAnswers;
  /** The name of the exchanger of the domain that came last. */
  mx: string | null = null;
  /** Since when those who wait have been without an answer from anybody. */
  sinceMs: number;
  /** The domain of a waiting recipient may have IPv6 addresses that were not looked up. */
  #mayHaveMore = false;
  /** Calls of `pump` since it began to run; 0: it does not. */
  #pumpCalls = 0;

  constructor(key: string, breaker: SourceBreaker, targets: readonly Reachable[], dispatcher: Dispatcher) {
    this.key = key;
    this.source = breaker.source;
    this.breaker = breaker;
    this.#targets = targets;
    this.#dispatcher = dispatcher;
    this.sinceMs = dispatcher.clock.now();
    this.#answers = new LaneAnswers(this, dispatcher);
  }

  get idle(): boolean {
    return this.sessions.size === 0 && this.queue.size === 0 && this.alone.size === 0;
  }

  get backlog(): number {
    return this.queue.size;
  }

  get lots(): readonly number[] {
    return this.queue.lots;
  }

  /** Answers its hosts have given: for telling a wait for nothing from a wait in line. */
  get answerCount(): number {
    return this.#targets.reduce((sum, { exchanger }) => sum + exchanger.answers.count, 0);
  }

  heldUpBy(nowMs: number): HoldUp | null {
    let first: HoldUp | null = null;
    for (const { exchanger } of this.#targets) {
      const why = whyNotAsked(exchanger, this.breaker, nowMs);
      if (why === null) return this.#isUnanswered(nowMs) ? UNANSWERED : null;
      if (first === null || (why.untilMs ?? 0) < (first.untilMs ?? 0)) first = why;
    }
    return first;
  }

  /** It has been called, and no session of it has got as far as asking. */
  #isUnanswered(nowMs: number): boolean {
    if (this.sessions.size === 0) return false;
    for (const [session, { isInside }] of this.sessions)
      if (isInside || nowMs - session.startedAtMs < UNANSWERED_AFTER_MS) return false;
    return true;
  }

  hasOther(exchanger: Exchanger): boolean {
    const nowMs = this.#dispatcher.clock.now();
    return this.#targets.some(
      (one) => one.exchanger !== exchanger && one.exchanger.door.shutFor(this.source.ip, nowMs) === null,
    );
  }

  add(tasks: readonly Task[], alone: boolean): void {
    const { answerCount } = this;
    for (const task of tasks) {
      task.hostAnswersBefore = answerCount;
      if (!task.domain.facts.isWhole) this.#mayHaveMore = true;
      (alone ? this.alone : this.queue).push(task);
    }
  }

  /** Another lane needs a connection, and this one's idle sessions hold some for nothing. */
  releaseIdle(): void {
    if (this.queue.size === 0) for (const session of this.sessions.keys()) session.release();
  }

  /** Opens what is wanted and allowed. That may hand out answers, and so call this again before it is done. */
  pump(): void {
    this.#pumpCalls += 1;
    if (this.#pumpCalls > 1) return;
    if (this.#mayHaveMore && this.#isStuck) {
      this.#mayHaveMore = false;
      this.#answers.toMoreAddresses();
    }
    do {
      this.#pumpCalls = 1;
      this.#wakeSessions();
      this.#openSessions();
      // With no session left, nothing else would pump for what was queued meanwhile.
    } while (this.#pumpCalls > 1 && this.sessions.size === 0);
    this.#pumpCalls = 0;
    if (this.idle) this.#dispatcher.dropLane(this);
  }

  #wakeSessions(): void {
    if (this.queue.size === 0) return;
    for (const [session, mine] of this.sessions) if (!mine.alone) session.wake();
  }

  #openSessions(): void {
    let isOpened = true;
    while (isOpened && this.#wantsSession()) isOpened = this.#openOne();
  }

  #wantsSession(): boolean {
    if (this.queue.size === 0 && this.alone.size === 0) return false;
    const limits = this.#targets[0]?.exchanger.limits;
    // One mail host, however many addresses it has.
    if (limits !== undefined && this.sessions.size >= limits.connectionsPerProvider) return false;
    return wantsSession({
      sessions: this.sessions,
      queue: this.queue,
      alone: this.alone,
      refusals: limits?.refusalsPerConnection ?? 1,
      stuckSinceMs: this.#stuckSinceMs,
    });
  }

  /** Connects that began before this let the next address be tried; with one address there is none. */
  get #stuckSinceMs(): number {
    return this.#targets.length === 1
      ? Number.NEGATIVE_INFINITY
      : this.#dispatcher.clock.now() - NEXT_ADDRESS_MS;
  }

  /** No connect was answered for a while, and no other address is left to try. */
  get #isStuck(): boolean {
    if (this.queue.size === 0 || this.sessions.size === 0) return false;
    const sinceMs = this.#dispatcher.clock.now() - NEXT_ADDRESS_MS;
    for (const session of this.sessions.keys()) if (!isStuck(session, sinceMs)) return false;
    return true;
  }

  /** False: no session can be opened now. */
  #openOne(): boolean {
    const alone = this.alone.size > 0 && !this.#hasAlone();
    const { holders } = alone ? this.alone : this.queue;
    const payer = this.#dispatcher.payerFor(this, holders);
    if (payer === null) return false;
    const nowMs = this.#dispatcher.clock.now();
    const choice = chooseHost(this.#targets, this.breaker, nowMs, this.sinceMs);
    switch (choice.kind) {
      case 'open':
        this.#open(choice.to, alone, payer);
        return true;
      case 'wait':
        this.#waitFor(choice.on, holders, choice.untilMs, nowMs);
        return false;
      case 'nowhere':
        // An open session may still answer; with none left there is no host to ask.
        if (this.sessions.size === 0) this.#answers.giveUp(this.#targets[0]?.target, choice.shut);
        return false;
      default:
        return choice satisfies never;
    }
  }

  #waitFor(
    exchangers: readonly Exchanger[],
    holders: readonly Holder[],
    untilMs: number,
    nowMs: number,
  ): void {
    for (const { line, shared } of exchangers) {
      line.wait(holders, this);
      shared?.line.wait(holders, this);
    }
    if (untilMs > nowMs) this.#dispatcher.wakeAt(this, untilMs);
    if (untilMs - nowMs > SHORT_PAUSE_MS && this.sessions.size === 0)
      this.#answers.handBack(this.#targets[0]?.target, untilMs - nowMs);
  }

  #hasAlone(): boolean {
    const since = this.#stuckSinceMs;
    return [...this.sessions].some(([session, mine]) => mine.alone && !isStuck(session, since));
  }

  #open(to: Reachable, alone: boolean, payer: Holder): void {
    const dispatcher = this.#dispatcher;
    const { exchanger } = to;
    holdConnection(exchanger, payer);
    const { clock, options } = dispatcher;
    const { connect, loopBudget, watchdog } = options;
    const plan = planSession(to, this.source, options, clock.now());
    const session = new Session(plan, this, { connect, clock, loopBudget, watchdog });
    session.setUrgent(this.queue.singles > 0);
    this.sessions.set(session, {
      exchanger,
      alone,
      payer,
      queue: alone ? this.alone : this.queue,
      isInside: false,
      flights: [],
      resetRun: 0,
    });
    this.breaker.began(exchanger, clock.now());
    dispatcher.opened(session, payer);
    // For the next address, or for IPv6 where it was not asked for yet.
    if (this.#targets.length > 1 || this.#mayHaveMore)
      dispatcher.wakeAt(this, dispatcher.clock.now() + NEXT_ADDRESS_MS);
  }

  // ---- what sessions tell ----

  connected(session: Session): void {
    this.#dispatcher.reached(session.plan.target.ip, true);
  }

  welcomed(session: Session): void {
    const mine = this.sessions.get(session);
    if (mine === undefined) return;
    const { exchanger } = mine;
    mine.isInside = true;
    exchanger.door.entered();
    tookConnection(exchanger.pace, exchanger.limits.connections);
    if (exchanger.shared !== null)
      tookConnection(exchanger.shared.pace, exchanger.limits.connectionsPerProvider);
    this.pump();
  }

  next(session: Session): Flight | 'linger' | 'quit' {
    const mine = this.sessions.get(session);
    const nowMs = this.#dispatcher.clock.now();
    if (mine === undefined || session.isLate(nowMs) || this.#dispatcher.closing) return 'quit';
    const { pace, door } = mine.exchanger;
    const isPaused = pace.pausedUntilMs > nowMs && !door.pausesOnlyNewcomers(pace.pausedUntilMs);
    if (isPaused || door.shutFor(this.source.ip, nowMs) !== null) return 'quit';
    if (this.breaker.isResting(mine.exchanger, nowMs)) return 'quit';
    if (mine.exchanger.greeting.demandsTls && mayBeGivenTls(session)) return 'quit';
    // What has a session of its own has the whole of it: the next look finds no refusals drawn, and is not split.
    if (mine.alone && session.flights > 0) return 'quit';
    // A session that went on with flights would not be believed.
    if (!mine.exchanger.replies.mayPipeline(nowMs) && session.pipelining) return 'quit';
    const { queue } = mine;
    session.setUrgent(queue.singles > 0);
    const sharers = this.#sharers(nowMs);
    const impossible: Task[] = [];
    const flight = composeFlight(session, mine.exchanger, queue, {
      mailFrom: this.#dispatcher.options.mailFrom,
      nowMs,
      sharers,
      impossibleHere: (task) => impossible.push(task),
    });
    if (flight !== null) markSent(flight, session);
    // Only now: what they are told may hand back others, which must not be those of the flight.
    for (const task of impossible) this.#answers.impossible(task, session);
    if (flight === null) return isAllTold(mine) && this.#mayLinger(mine) ? 'linger' : 'quit';
    if (!flight.quits) sealFlight(flight, session, mine, { sharers, mayStay: this.#mayLinger(mine) });
    mine.exchanger.pace.minuteRecipients += flight.recipients;
    return flight;
  }

  #mayLinger({ exchanger, queue, alone }: Mine): boolean {
    if (alone || queue.size > 0 || this.#dispatcher.crowded) return false;
    return !exchanger.line.isWaitedFor && exchanger.shared?.line.isWaitedFor !== true;
  }

  /** Sessions that will come for more before those that have just left with their share are back. */
  #sharers(nowMs: number): number {
    let count = 0;
    for (const { state, askedAtMs, replyMs } of this.sessions.keys())
      if (state !== 'quitting' && (state !== 'flight' || nowMs - askedAtMs > replyMs / 2)) count += 1;
    return count;
  }

  landed(session: Session, flight: Flight, complete: boolean): void {
    const mine = this.sessions.get(session);
    if (mine === undefined) return;
    const { exchanger } = mine;
    const { readReply, mailFrom } = this.#dispatcher.options;
    const landing = readFlight(flight, exchanger.provider, session.pipelining, readReply);
    if (session.flights === 1) noteMail(session, flight);
    const nowMs = this.#dispatcher.clock.now();
    learnFromFlight(exchanger, session, flight, landing, nowMs);
    if (landing.answered > 0) this.sinceMs = nowMs;
    // Silence is not a pacing problem.
    const isTrouble = landing.trouble || (!complete && flight.silentAt === null);
    if (isTrouble && !endsAsKnown(exchanger, nowMs)) {
      slower(exchanger, nowMs, landing.retryAfterMs);
    } else if (flight.silentAt === null) {
      flewWell(exchanger.pace, exchanger.limits.connections);
      if (exchanger.shared !== null) flewWell(exchanger.shared.pace, exchanger.limits.connectionsPerProvider);
    }
    mine.flights.push(flight);
    for (const one of landing.landings) one.task.move({ kind: 'replied', session, flight, landing: one });
    if (complete && !landing.outOfStep && isSealed(flight, session, mine)) this.#answers.tell(session, mine);
    const { mailRefused, mailRefusal } = landing;
    const isHeard = complete || !session.pipelining;
    if (isHeard && mailRefused !== null && mailRefusal !== null && landing.sendersTaken === 0)
      senderRefused(this.#answers.trouble(session, exchanger), mailRefused, mailRefusal, mailFrom);
    // The next session after a silence must know of it; it is noted when this one has ended.
    if (flight.silentAt === null) this.pump();
  }

  tooSlow({ plan }: Session): void {
    this.#dispatcher.endAsSlow(plan.target.ip);
  }

  ended(session: Session, end: SessionEnd): void {
    const mine = this.sessions.get(session);
    if (mine === undefined) return;
    this.sessions.delete(session);
    if (mine.isInside) mine.exchanger.door.left();
    // Before others come for its slot: they must see the host as it is now. Our own lack of sockets says nothing
    // about the host.
    if (!this.#dispatcher.outOfSockets(end.error))
      learnFromEnd(this.#answers.trouble(session, mine.exchanger), end);
    this.#dispatcher.ended(session, mine, end);
    this.#answers.settle(session, mine, end);
    this.pump();
  }
}

function markSent(flight: Flight, session: Session): void {
  const sent = { kind: 'sent', session } as const;
  for (const { task } of flight.commands) task?.move(sent);
}
