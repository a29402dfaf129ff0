// One group of MX hosts seen from one source: its queue, its sessions, and what the sessions tell. Promise: sessions fetch
// recipients when they are ready for them; recipients on a connection that breaks are asked about again.
//
//   queued ──session ready──▶ in flight ──landed──▶ unsealed ──sealed──▶ answered      (state/advance.ts)
//     ▲                                                │ dropped, full, out of step, other sender
//     └────────────────────────────────────────────────┘
//
// session-opener.ts opens sessions, compose-flight.ts says what a session asks next, session-over.ts why it asks no more,
// seal-flight.ts when its replies count, lane-answers.ts what becomes of its recipients.

import { type Holder, payerOf } from '@mxproof/common/fair-share';
import { payerAmong } from '../../policy/payers.ts';
import type { AskedPlace, Budget } from '../../ports.ts';
import type { HoldUp, HostQueue } from '../../state/check-state.ts';
import type { Task } from '../../state/task.ts';
import { NEXT_ADDRESS_MS, type ReachableHost } from '../hosts/choose-host.ts';
import type { Source } from '../hosts/egress.ts';
import { whyNotAsked } from '../hosts/host-access.ts';
import { learnFromEnd } from '../hosts/learn-from-end.ts';
import { asksAbout, holdConnection, type MxHost } from '../hosts/mx-host.ts';
import type { Behalf } from '../hosts/refused-place.ts';
import { senderRefused } from '../hosts/shut-host.ts';
import type { SourceBreaker } from '../hosts/source-breaker.ts';
import { learnFromFlight } from '../knowledge/learn-from-flight.ts';
import { noteMail } from '../knowledge/make-answer.ts';
import { readFlight } from '../knowledge/read-flight.ts';
import type { Flight } from '../session/flight.ts';
import { Session } from '../session/session.ts';
import type { SessionEnd, SessionOwner } from '../session/session-plan.ts';
import { composeFlight } from './compose-flight.ts';
import type { Dispatcher } from './dispatcher.ts';
import { LaneAnswers } from './lane-answers.ts';
import { LaneQueue } from './lane-queue.ts';
import { adjustPace, entered, type LaneSession, sharersOf } from './lane-session.ts';
import { planSession } from './plan-session.ts';
import { isAllTold, isSealed, sealFlight } from './seal-flight.ts';
import { SessionOpener } from './session-opener.ts';
import { whyOver } from './session-over.ts';
import { reportEnd } from './wire-report.ts';

/** After a connect or greeting this long, recipients count as waiting for a host that does not answer, not for their turn. */
const UNANSWERED_AFTER_MS = 2_000;
const UNANSWERED: HoldUp = { detail: 'timeout', untilMs: null };

export class Lane implements SessionOwner<Session>, HostQueue {
  readonly key: string;
  readonly source: Source;
  readonly breaker: SourceBreaker;
  readonly targets: readonly ReachableHost[];
  readonly queue = new LaneQueue(this);
  /** Probes that must have a session of their own. */
  readonly alone = new LaneQueue(this);
  readonly sessions = new Map<Session, LaneSession>();
  readonly #dispatcher: Dispatcher;
  readonly #answers: LaneAnswers;
  readonly #opener: SessionOpener;
  /** The name of the MX host of the domain that came last. */
  mx: string | null = null;
  /** Since when the waiting recipients have been without an answer. */
  sinceMs: number;
  /** The domain of a waiting recipient may have IPv6 addresses that were not looked up. */
  #mayHaveMore = false;
  /** `again`: it was called while it ran. */
  #pumping: 'no' | 'yes' | 'again' = 'no';

  constructor(
    key: string,
    breaker: SourceBreaker,
    targets: readonly ReachableHost[],
    dispatcher: Dispatcher,
  ) {
    this.key = key;
    this.source = breaker.source;
    this.breaker = breaker;
    this.targets = targets;
    this.#dispatcher = dispatcher;
    this.sinceMs = dispatcher.clock.now();
    this.#answers = new LaneAnswers(this, dispatcher);
    this.#opener = new SessionOpener(this, dispatcher, this.#answers);
  }

  get idle(): boolean {
    return this.sessions.size === 0 && this.queue.size === 0 && this.alone.size === 0;
  }

  /** What its recipients are asked with, unless the host refuses it. */
  get mailFrom(): string {
    return this.source.mailFrom ?? this.#dispatcher.options.mailFrom;
  }

  get backlog(): number {
    return this.queue.size;
  }

  get lots(): readonly number[] {
    return this.queue.lots;
  }

  /** Answers its hosts have given: tells whether recipients waited for their turn or for a host that does not answer. */
  get answerCount(): number {
    return this.targets.reduce((sum, { mxHost }) => sum + mxHost.answers.count, 0);
  }

  heldUpBy(nowMs: number): HoldUp | null {
    let first: HoldUp | null = null;
    for (const { mxHost } of this.targets) {
      const why = whyNotAsked(mxHost, this.breaker, nowMs, this.queue.holders[0] ?? '');
      if (why === null) return this.#isUnanswered(nowMs) ? UNANSWERED : null;
      if (first === null || (why.untilMs ?? 0) < (first.untilMs ?? 0)) first = why;
    }
    return first;
  }

  /** Sessions are open, and none of them has been greeted in time. */
  #isUnanswered(nowMs: number): boolean {
    if (this.sessions.size === 0) return false;
    for (const [session, { isInside }] of this.sessions)
      if (isInside || nowMs - session.startedAtMs < UNANSWERED_AFTER_MS) return false;
    return true;
  }

  /** As it is counted. */
  placeOf({ provider }: MxHost): AskedPlace {
    return { source: this.breaker.name, provider };
  }

  hasOther(mxHost: MxHost): boolean {
    const nowMs = this.#dispatcher.clock.now();
    return this.targets.some(
      (one) => one.mxHost !== mxHost && one.mxHost.availability.shutFor(this.breaker.name, nowMs) === null,
    );
  }

  add(tasks: readonly Task[], alone: boolean): void {
    const { answerCount } = this;
    for (const task of tasks) {
      // Handed back while others of its round were queued.
      if (task.isDone) continue;
      task.hostAnswersBefore = answerCount;
      if (!task.domain.facts.isWhole) this.#mayHaveMore = true;
      (alone ? this.alone : this.queue).push(task);
    }
  }

  /** Another lane needs a connection: closes idle sessions. */
  releaseIdle(): void {
    if (this.queue.size === 0) for (const session of this.sessions.keys()) session.release();
  }

  /** Opens what is wanted and allowed. That may hand out answers, and so call this again before it is done. */
  pump(): void {
    if (this.#pumping !== 'no') {
      this.#pumping = 'again';
      return;
    }
    this.#pumping = 'yes';
    this.#tryMoreAddresses();
    do {
      this.#pumping = 'yes';
      this.#wakeSessions();
      this.#opener.openAll();
      // With no session left, nothing else would pump for what was queued meanwhile.
    } while (this.#wasPumpedAgain() && this.sessions.size === 0);
    this.#pumping = 'no';
    if (this.idle) this.#dispatcher.dropLane(this);
  }

  #wasPumpedAgain(): boolean {
    return this.#pumping === 'again';
  }

  #tryMoreAddresses(): void {
    if (!this.#mayHaveMore || !this.#opener.isStuck) return;
    this.#mayHaveMore = false;
    this.#answers.toMoreAddresses();
  }

  #wakeSessions(): void {
    if (this.queue.size === 0) return;
    for (const [session, { alone }] of this.sessions) if (!alone) session.wake();
  }

  open(to: ReachableHost, alone: boolean, payer: Holder, behalf: Behalf): void {
    const dispatcher = this.#dispatcher;
    const { mxHost } = to;
    holdConnection(mxHost, payer);
    const { clock, options } = dispatcher;
    const { connect, loopBudget, watchdog } = options;
    const plan = planSession(to, this.source, options, clock.now());
    const session = new Session(plan, this, { connect, clock, loopBudget, watchdog });
    session.setUrgent(this.queue.singles > 0);
    const queue = alone ? this.alone : this.queue;
    this.sessions.set(session, {
      mxHost,
      alone,
      payer,
      behalf,
      queue,
      isInside: false,
      promised: this.#promise(mxHost, payer),
      flights: [],
      resetRun: 0,
    });
    this.breaker.began(mxHost, behalf, clock.now());
    mxHost.refusals.opened(behalf.payer, mxHost.limits, clock.now());
    dispatcher.opened(session, payer);
    // For the next address, or for IPv6 where it was not asked for yet.
    if (this.targets.length > 1 || this.#mayHaveMore) dispatcher.wakeAt(this, clock.now() + NEXT_ADDRESS_MS);
  }

  #promise(mxHost: MxHost, payer: Holder): readonly Budget[] | null {
    const budgets = this.breaker.permits.budgetsAt(mxHost);
    if (budgets.length === 0) return null;
    this.breaker.permits.promise(budgets, payer);
    return budgets;
  }

  #redeem(at: LaneSession): void {
    if (at.promised !== null) this.breaker.permits.redeem(at.promised, at.payer);
    at.promised = null;
  }

  // ---- what sessions tell ----

  connected(session: Session): void {
    const { ip, proxy } = session.plan.target;
    this.breaker.proxy?.connected();
    const payer = this.sessions.get(session)?.payer;
    this.#dispatcher.reached(payer === undefined ? [] : [payer], ip, proxy?.name ?? null);
  }

  welcomed(session: Session): void {
    const at = this.sessions.get(session);
    if (at === undefined) return;
    entered(at);
    this.pump();
  }

  next(session: Session): Flight | 'linger' | 'quit' {
    const at = this.sessions.get(session);
    const nowMs = this.#dispatcher.clock.now();
    const { breaker } = this;
    const { closing } = this.#dispatcher;
    if (at === undefined || whyOver({ session, at, breaker, closing, nowMs }) !== null) return 'quit';
    session.setUrgent(at.queue.singles > 0);
    this.#redeem(at);
    const sharers = sharersOf(this.sessions.keys(), nowMs);
    const flight = this.#compose(session, at, sharers, nowMs);
    if (flight === null) return isAllTold(at) && this.#mayLinger(at) ? 'linger' : 'quit';
    if (!flight.quits) sealFlight(flight, session, at, { sharers, mayStay: this.#mayLinger(at) });
    asksAbout(at.mxHost, payersOf(flight), nowMs);
    this.#spendPermits(at, flight, nowMs);
    return flight;
  }

  /** And asks for more in time for the next flight. */
  #spendPermits({ mxHost, queue }: LaneSession, { commands }: Flight, nowMs: number): void {
    const { permits } = this.breaker;
    const budgets = permits.budgetsAt(mxHost);
    if (budgets.length === 0) return;
    const asked = new Map<Holder, number>();
    for (const { task } of commands)
      if (task !== null) asked.set(task.holder, (asked.get(task.holder) ?? 0) + 1);
    for (const [holder, count] of asked) permits.spend(budgets, holder, count, nowMs);
    permits.needFor(budgets, queue.sizes, this, nowMs);
  }

  /** Its payer has no permit left for it, with those that were let through before. */
  #withoutPermit(budgets: readonly Budget[], nowMs: number): (task: Task) => boolean {
    const free = new Map<string, number>();
    return ({ holder }) => {
      const payer = payerOf(holder);
      const left = free.get(payer) ?? this.breaker.permits.free(budgets, holder, nowMs);
      free.set(payer, left - 1);
      return left <= 0;
    };
  }

  #compose(session: Session, at: LaneSession, sharers: number, nowMs: number): Flight | null {
    const unsupported: Task[] = [];
    const { permits } = this.breaker;
    const budgets = permits.budgetsAt(at.mxHost);
    const isShared = budgets.length > 0 && permits.areShared;
    const flight = composeFlight(session, at.mxHost, at.queue, {
      mailFrom: this.mailFrom,
      nowMs,
      sharers,
      permitted: permits.freeFor(budgets, at.queue.holders, nowMs),
      unsupported: (task) => unsupported.push(task),
      isHeldBack: eitherOf(
        this.mayHoldBack(at.mxHost) ? this.#heldBackAt(at.mxHost, nowMs) : null,
        isShared ? this.#withoutPermit(budgets, nowMs) : null,
      ),
    });
    const sent = { kind: 'sent', session } as const;
    for (const { task } of flight?.commands ?? []) task?.move(sent);
    // Only now: an answer may lead a caller to hand back recipients, which must not be those of the flight.
    for (const task of unsupported) this.#answers.unsupported(task, session);
    return flight;
  }

  /** Some may not ask here what others may: where our source rests for a payer or a domain, or a payer was refused too often. */
  mayHoldBack(mxHost: MxHost): boolean {
    return this.breaker.hasParts(mxHost) || mxHost.refusals.hasLimited(mxHost.limits);
  }

  /** For one flight: each that is not held back takes of the room that is left. */
  #heldBackAt(mxHost: MxHost, nowMs: number): (task: Task) => boolean {
    const { refusals, limits } = mxHost;
    let taken = 0;
    return ({ holder, domain }) => {
      const payer = payerOf(holder);
      if (this.breaker.isRestingFor(mxHost, { payer, domain: domain.name }, nowMs)) return true;
      if (!refusals.isLimited(payer, limits)) return false;
      taken += 1;
      return taken > refusals.roomLeft(limits, nowMs, payer);
    };
  }

  #mayLinger({ mxHost, queue, alone }: LaneSession): boolean {
    if (alone || queue.size > 0 || this.#dispatcher.crowded) return false;
    return !mxHost.connections.isWaitedFor && mxHost.shared?.connections.isWaitedFor !== true;
  }

  landed(session: Session, flight: Flight, complete: boolean): void {
    const at = this.sessions.get(session);
    if (at === undefined) return;
    const { mxHost } = at;
    const { readReply } = this.#dispatcher.options;
    const landing = readFlight(flight, mxHost.provider, session.pipelining, readReply);
    if (session.flights === 1) noteMail(session, flight);
    const nowMs = this.#dispatcher.clock.now();
    learnFromFlight(mxHost, session, flight, landing, nowMs);
    if (landing.answered > 0) this.sinceMs = nowMs;
    adjustPace(at, flight, landing, complete, nowMs);
    at.flights.push(flight);
    for (const one of landing.landings) one.task.move({ kind: 'replied', session, flight, landing: one });
    if (complete && !landing.outOfStep && isSealed(flight, session, at)) this.#answers.tell(session, at);
    const { mailRefused, mailRefusal } = landing;
    const isHeard = complete || !session.pipelining;
    if (isHeard && mailRefused !== null && mailRefusal !== null && landing.sendersAccepted === 0)
      senderRefused(this.#answers.trouble(session, at), mailRefused, mailRefusal, this.mailFrom);
    // The next session after a silence must know of it; it is noted when this one has ended.
    if (flight.silentAt === null) this.pump();
  }

  tooSlow({ plan }: Session): void {
    this.#dispatcher.endAsSlow(plan.target.ip);
  }

  ended(session: Session, end: SessionEnd): void {
    const at = this.sessions.get(session);
    if (at === undefined) return;
    this.sessions.delete(session);
    this.#redeem(at);
    if (at.isInside) at.mxHost.availability.left();
    // Before others come for its slot: they must see the host as it is now. Our own lack of sockets says nothing
    // about the host.
    if (!this.#dispatcher.outOfSockets(end.error)) this.#learnFrom(session, at, end);
    this.#dispatcher.ended(session, at, end);
    this.#answers.settle(session, at, end);
    this.pump();
  }

  #learnFrom(session: Session, at: LaneSession, end: SessionEnd): void {
    const { mxHost, flights, behalf } = at;
    const { observer, readReply, payers } = this.#dispatcher.options;
    learnFromEnd(this.#answers.trouble(session, at), end);
    if (observer === null) return;
    const payer = payerAmong(behalf.payer, payers);
    reportEnd(observer, this.placeOf(mxHost), flights, end, readReply, payer);
  }
}

/** Of each of its recipients. */
function payersOf({ commands }: Flight): readonly string[] {
  const payers: string[] = [];
  for (const { task } of commands) if (task) payers.push(payerOf(task.holder));
  return payers;
}

type Condition = ((task: Task) => boolean) | null;

/** The second counts those that it lets pass, so that it is asked last. */
function eitherOf(first: Condition, second: Condition): Condition {
  if (first === null || second === null) return first ?? second;
  return (task) => first(task) || second(task);
}
