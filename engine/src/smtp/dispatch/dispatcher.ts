// Assigns recipients to sessions: lanes by MX host group and source, MX hosts by address, the sessions of all of them
// under one timer. Promise: never more sessions than allowed, a slot is free when its connection is closed, every
// session's deadline is checked, and lanes and MX hosts that are no longer used are forgotten.
import { isIP } from 'node:net';
import { FairShare, type Holder, withReserve } from '@mxproof/common/fair-share';
import type { ReadingWatch } from '@mxproof/common/watchdog';
import type { DomainFacts, MailTarget } from '../../dns/domain-facts.ts';
import type { LiveNodes } from '../../policy/live-nodes.ts';
import type { Payers } from '../../policy/payers.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Connect, WireObserver } from '../../ports.ts';
import type { Task } from '../../state/task.ts';
import type { Clock } from '../../types.ts';
import type { ReadReply } from '../../verdict/read-reply.ts';
import { NEXT_ADDRESS_MS } from '../hosts/choose-host.ts';
import type { Egress } from '../hosts/egress.ts';
import { connectAnswered, connectBegan, forgetOld, releaseConnection, wakeLanes } from '../hosts/mx-host.ts';
import type { Waiter } from '../hosts/parts/connection-queue.ts';
import type { SourceBreaker } from '../hosts/source-breaker.ts';
import { sourceOf } from '../hosts/source-name.ts';
import type { Session } from '../session/session.ts';
import type { SessionEnd, SessionTimeouts } from '../session/session-plan.ts';
import type { LoopBudget } from '../wire/event-loop-budget.ts';
import { isOutOfSockets } from '../wire/out-of-sockets.ts';
import { Lane } from './lane.ts';
import type { LaneSession } from './lane-session.ts';
import { MxHostCache } from './mx-host-cache.ts';
import { WakeTimer } from './wake-timer.ts';

const SESSIONS_MIN = 8;
/** This long after sockets ran out, twice as many are tried. */
const SOCKETS_AGAIN_MS = 60_000;
const TICK_MIN_MS = 10;
const TICK_MAX_MS = 500;
/** The host notices a closed connection a moment after us; one opened before that would be one too many. */
const SLOT_REST_MIN_MS = 3;
const SLOT_REST_MAX_MS = 100;

export interface DispatcherOptions {
  readonly connect: Connect;
  readonly loopBudget: LoopBudget;
  readonly watchdog: ReadingWatch;
  readonly smtpPort: number;
  readonly mailFrom: string;
  readonly pipelining: boolean;
  readonly evidence: boolean;
  readonly timeouts: SessionTimeouts;
  /** How long a host that could not be reached is not tried again. */
  readonly downMs: number;
  readonly readReply: ReadReply;
  readonly observer: WireObserver | null;
  readonly clock: Clock;
  readonly policy: Policy;
  readonly nodes: LiveNodes;
  readonly payers: Payers;
  readonly maxSessions: number;
  /** A host was reached, or every address of a group could not be; `isHighlyAvailable`: of a provider that is hardly ever down. */
  readonly reached: (
    holders: readonly Holder[],
    target: string,
    ok: boolean,
    isHighlyAvailable: boolean,
  ) => void;
}

export class Dispatcher {
  readonly options: DispatcherOptions;
  readonly egress: Egress;
  readonly clock: Clock;
  closing = false;
  readonly #lanes = new Map<string, Lane>();
  readonly #mxHosts: MxHostCache;
  readonly #sessions = new Set<Session>();
  /** Open or resting: what counts against the cap, and the lanes that wait for it. */
  readonly #share: FairShare<Lane>;
  #noSocketsAtMs = 0;
  readonly #wakes: WakeTimer;
  #ticking: unknown = null;
  readonly #tickMs: number;
  #whenEmpty: (() => void)[] = [];

  constructor(options: DispatcherOptions, egress: Egress) {
    this.options = options;
    this.egress = egress;
    this.clock = options.clock;
    this.#wakes = new WakeTimer(options.clock);
    this.#mxHosts = new MxHostCache(options);
    this.#share = new FairShare(options.maxSessions);
    const { connectMs, bannerMs, replyMs, quitMs } = options.timeouts;
    const least = Math.min(connectMs, bannerMs, replyMs, quitMs) / 4;
    this.#tickMs = Math.max(TICK_MIN_MS, Math.min(TICK_MAX_MS, least));
  }

  /** For tasks of one domain: sessions are opened once all are queued, so that their number fits. */
  enqueueAll(tasks: readonly Task[], alone = false): void {
    const { only } = this.egress;
    if (only !== null) {
      this.#enqueueFrom(only, tasks, alone);
      return;
    }
    const bySource = new Map<SourceBreaker, Task[]>();
    for (const task of tasks) {
      const source = this.egress.sourceFor(task.domain.name, task.boundSource);
      const same = bySource.get(source);
      if (same === undefined) bySource.set(source, [task]);
      else same.push(task);
    }
    for (const [source, same] of bySource) this.#enqueueFrom(source, same, alone);
  }

  #enqueueFrom(source: SourceBreaker, tasks: readonly Task[], alone: boolean): void {
    const facts = tasks[0]?.domain.facts;
    if (facts === undefined) return;
    const lane = this.#laneFor(facts, source);
    lane.add(tasks, alone);
    lane.pump();
  }

  /** No address of a group could be reached. */
  unreached(holders: readonly Holder[], target: string, isHighlyAvailable: boolean): void {
    this.options.reached(holders, target, false, isHighlyAvailable);
  }

  /** A host was reached. */
  reached(holders: readonly Holder[], ip: string, proxy: string | null): void {
    const mxHost = this.#mxHosts.get(ip);
    this.options.reached(holders, ip, true, false);
    if (mxHost === undefined) return;
    const waitedMs = mxHost.connects.through(proxy).waitedMs(this.clock.now());
    connectAnswered(mxHost, proxy);
    if (waitedMs >= NEXT_ADDRESS_MS) mxHost.connections.wake(() => true);
  }

  /** Picks the account to charge for a new session; null: all are at their limit, and the lane waits. */
  payerFor(lane: Lane, holders: readonly Holder[]): Holder | null {
    if (this.closing) return null;
    this.#trySocketsAgain();
    let payer: Holder | null = null;
    for (const holder of holders)
      if (payer === null || this.#share.heldBy(holder) < this.#share.heldBy(payer)) payer = holder;
    if (payer === null || this.#share.mayTake(payer)) return payer;
    // While a lane waits, no session begins to linger: there are idle ones only before the first lane waits.
    if (!this.crowded) for (const other of this.#lanes.values()) other.releaseIdle();
    for (const holder of holders) this.#share.wait(holder, lane);
    return null;
  }

  /** Others wait for a connection of any kind. */
  get crowded(): boolean {
    return this.#share.isCrowded;
  }

  #trySocketsAgain(): void {
    const { maxSessions } = this.options;
    if (this.#share.capacity >= maxSessions) return;
    if (this.clock.now() - this.#noSocketsAtMs < SOCKETS_AGAIN_MS) return;
    this.#share.capacity = Math.min(maxSessions, this.#share.capacity * 2);
    this.#noSocketsAtMs = this.clock.now();
  }

  /** True when the error says that this machine has no more sockets; fewer are opened from then on. */
  outOfSockets(error: string | null): boolean {
    if (!isOutOfSockets(error)) return false;
    this.#noSocketsAtMs = this.clock.now();
    // The one that got none is still among them.
    const most = withReserve(this.#sessions.size - 1);
    this.#share.capacity = Math.max(SESSIONS_MIN, Math.min(this.#share.capacity, most));
    return true;
  }

  opened(session: Session, payer: Holder): void {
    this.#share.take(payer);
    this.#sessions.add(session);
    const { ip, proxy } = session.plan.target;
    const mxHost = this.#mxHosts.get(ip);
    if (mxHost !== undefined) {
      forgetOld(mxHost, session.startedAtMs);
      connectBegan(mxHost, proxy?.name ?? null, session.startedAtMs);
    }
    this.#startTicking();
  }

  ended(session: Session, { mxHost, payer }: LaneSession, end: SessionEnd): void {
    this.#sessions.delete(session);
    const { target } = session.plan;
    if (end.how === 'unconnected')
      mxHost.connects.through(target.proxy?.name ?? null).failed(end.error, this.clock.now());
    const release = () => {
      this.#share.release(payer);
      releaseConnection(mxHost, payer);
      // Before the lanes of this host: the account with the least may wait at another host.
      for (let next = this.#share.next(); next !== undefined; next = this.#share.next()) next.waiter.pump();
      wakeLanes(mxHost, sourceOf(target), this.clock.now());
    };
    const rest = this.closing ? 0 : slotRestMs(session, end);
    if (rest === 0) release();
    else this.clock.setTimeout(release, rest);
    if (this.#sessions.size === 0) for (const go of this.#whenEmpty.splice(0)) go();
  }

  /** All sessions with that host: each of them would take the thread as long. */
  endAsSlow(ip: string): void {
    for (const session of this.#sessions) if (session.plan.target.ip === ip) session.endAsSlow();
  }

  wakeAt(lane: Waiter, atMs: number): void {
    this.#wakes.at(atMs, lane);
  }

  dropLane(lane: Lane): void {
    // A lane that was dropped may still be woken after another took its key.
    if (this.#lanes.get(lane.key) === lane) this.#lanes.delete(lane.key);
    this.#wakes.forget(lane);
  }

  /** Ends every session: at once, or after what is in flight had `graceMs` to land. */
  async close(graceMs: number): Promise<void> {
    await this.#endSessions(graceMs);
    await this.egress.close();
  }

  async #endSessions(graceMs: number): Promise<void> {
    this.closing = true;
    for (const session of this.#sessions) {
      session.release();
      if (session.state !== 'flight' && session.state !== 'quitting') session.abort();
    }
    if (this.#sessions.size === 0) return this.#stopTicking();
    const empty = new Promise<void>((done) => this.#whenEmpty.push(done));
    const timer = this.clock.setTimeout(() => {
      for (const session of this.#sessions) session.abort();
    }, graceMs);
    await empty;
    this.clock.clearTimeout(timer);
    this.#stopTicking();
  }

  // ---- lanes ----

  #laneFor(facts: DomainFacts, breaker: SourceBreaker): Lane {
    const { source, name } = breaker;
    const laneKey = name === null ? facts.group : `${name} ${facts.group}`;
    const nowMs = this.clock.now();
    let lane = this.#lanes.get(laneKey);
    if (lane === undefined) {
      const targets = sameFamily(facts.targets, source.ip).map((target) => ({
        target,
        mxHost: this.#mxHosts.of(target, nowMs),
      }));
      lane = new Lane(laneKey, breaker, targets, this);
      this.#lanes.set(laneKey, lane);
    } else if (lane.mx !== facts.mx) {
      // The same addresses by other names, which may be those of their provider.
      for (const target of facts.targets) this.#mxHosts.of(target, nowMs);
    }
    lane.mx = facts.mx;
    return lane;
  }

  // ---- time ----

  #startTicking(): void {
    if (this.#ticking === null) this.#ticking = this.clock.setTimeout(() => this.#tick(), this.#tickMs);
  }

  #stopTicking(): void {
    if (this.#ticking !== null) this.clock.clearTimeout(this.#ticking);
    this.#ticking = null;
    this.#wakes.stop();
  }

  #tick(): void {
    this.#ticking = null;
    const nowMs = this.clock.now();
    for (const session of this.#sessions) session.checkDeadline(nowMs);
    if (this.#sessions.size > 0) this.#startTicking();
  }
}

function slotRestMs({ replyMs }: Session, { how, error }: SessionEnd): number {
  // An immediate retry would fail again, thousands of times a second.
  if (isOutOfSockets(error)) return SLOT_REST_MAX_MS;
  if (how === 'unconnected') return 0;
  return Math.min(SLOT_REST_MAX_MS, Math.max(SLOT_REST_MIN_MS, replyMs / 4));
}

/** An IPv4 address cannot speak to an IPv6 one; where nothing fits, connecting says so. */
function sameFamily(targets: readonly MailTarget[], source: string | null): readonly MailTarget[] {
  if (source === null) return targets;
  const fitting = targets.filter((target) => isIP(target.ip) === isIP(source));
  return fitting.length === 0 ? targets : fitting;
}
