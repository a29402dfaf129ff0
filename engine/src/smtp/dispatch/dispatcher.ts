// Who is asked, by whom, when: lanes by exchanger group and source, exchangers by address, the sessions of all of
// them under one ticking clock. Promise: never more sessions than allowed, a slot is free when its line is closed,
// every session's deadline is looked at, and lanes and exchangers that are no longer used are forgotten.
import { isIP } from 'node:net';
import type { DomainFacts, MailTarget } from '../../dns/domain-facts.ts';
import { providerOf } from '../../domain/provider.ts';
import { createPace } from '../../pace/pace.ts';
import { limitsFor, type Policy } from '../../policy/policy.ts';
import type { Connect } from '../../ports.ts';
import type { Clock } from '../../types.ts';
import type { ReadingWatch } from '../../watchdog.ts';
import type { Egress } from '../knowledge/egress.ts';
import {
  createExchanger,
  dialled,
  type Exchanger,
  forgetOld,
  type ProviderPace,
  pickedUp,
  type Waiter,
} from '../knowledge/exchanger.ts';
import type { ReadReply } from '../knowledge/read-flight.ts';
import type { SourceBreaker } from '../knowledge/source-breaker.ts';
import type { Session } from '../session/session.ts';
import type { SessionEnd, SessionTimeouts } from '../session/session-plan.ts';
import type { Task } from '../session/task.ts';
import type { LoopBudget } from '../wire/event-loop-budget.ts';
import { NEXT_ADDRESS_MS } from './choose-target.ts';
import { Lane } from './lane.ts';
import { Wakes } from './wakes.ts';

const NO_SOCKETS: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);
const SESSIONS_MIN = 8;
/** As long after the last time there were none, twice as many are tried. */
const SOCKETS_AGAIN_MS = 60_000;
const EXCHANGERS_MAX = 50_000;
const TICK_MIN_MS = 10;
const TICK_MAX_MS = 500;
/** The other end notices a closed line a moment after us; a connection that comes before that is one too many. */
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
  readonly clock: Clock;
  readonly policy: Policy;
  readonly maxSessions: number;
  /** A host was reached, or every address of a group could not be. */
  readonly reached: (whom: string, ok: boolean) => void;
}

export class Dispatcher {
  readonly options: DispatcherOptions;
  readonly egress: Egress;
  readonly clock: Clock;
  closing = false;
  readonly #lanes = new Map<string, Lane>();
  readonly #exchangers = new Map<string, Exchanger>();
  readonly #providers = new Map<string, ProviderPace>();
  readonly #sessions = new Set<Session>();
  /** Open or resting: what counts against the cap. */
  #taken = 0;
  #maxSessions: number;
  #noSocketsAtMs = 0;
  /** Lanes that wait for the cap on all sessions. */
  readonly #waiters = new Set<Waiter>();
  readonly #wakes: Wakes;
  #ticking: unknown = null;
  readonly #tickMs: number;
  #whenEmpty: (() => void)[] = [];

  constructor(options: DispatcherOptions, egress: Egress) {
    this.options = options;
    this.egress = egress;
    this.clock = options.clock;
    this.#wakes = new Wakes(options.clock);
    this.#maxSessions = options.maxSessions;
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

  /** A host was reached, or no address of a group could be. */
  reached(whom: string, ok: boolean): void {
    const exchanger = ok ? this.#exchangers.get(whom) : undefined;
    this.options.reached(whom, ok);
    if (exchanger === undefined) return;
    const waitedMs = exchanger.dial.waitedMs(this.clock.now());
    pickedUp(exchanger);
    if (waitedMs >= NEXT_ADDRESS_MS) pumpAll(exchanger.waiters);
  }

  mayOpen(lane: Waiter): boolean {
    if (this.closing) return false;
    this.#trySocketsAgain();
    if (this.#taken < this.#maxSessions) return true;
    this.#waiters.add(lane);
    for (const other of this.#lanes.values()) other.releaseIdle();
    return false;
  }

  /** Others wait for a connection of any kind. */
  get crowded(): boolean {
    return this.#waiters.size > 0;
  }

  #trySocketsAgain(): void {
    const { maxSessions } = this.options;
    if (this.#maxSessions >= maxSessions) return;
    if (this.clock.now() - this.#noSocketsAtMs < SOCKETS_AGAIN_MS) return;
    this.#maxSessions = Math.min(maxSessions, this.#maxSessions * 2);
    this.#noSocketsAtMs = this.clock.now();
  }

  /** True when the error says that this machine has no more sockets; fewer are opened from then on. */
  outOfSockets(error: string | null): boolean {
    if (!isOutOfSockets(error)) return false;
    this.#noSocketsAtMs = this.clock.now();
    // The one that got none is still among them.
    this.#maxSessions = Math.max(SESSIONS_MIN, Math.min(this.#maxSessions, this.#sessions.size - 1));
    return true;
  }

  opened(session: Session): void {
    this.#taken += 1;
    this.#sessions.add(session);
    const exchanger = this.#exchangers.get(session.plan.target.ip);
    if (exchanger !== undefined) {
      forgetOld(exchanger, session.startedAtMs);
      dialled(exchanger, session.startedAtMs);
    }
    this.#startTicking();
  }

  ended(session: Session, exchanger: Exchanger, end: SessionEnd): void {
    this.#sessions.delete(session);
    if (end.how === 'unconnected') exchanger.dial.failed(end.error, this.clock.now());
    const rest = this.closing ? 0 : slotRestMs(session, end);
    if (rest === 0) this.#release(exchanger);
    else this.clock.setTimeout(() => this.#release(exchanger), rest);
    if (this.#sessions.size === 0) for (const go of this.#whenEmpty.splice(0)) go();
  }

  /** All sessions with that host: each of them would take the thread as long. */
  endAsSlow(ip: string): void {
    for (const session of this.#sessions) if (session.plan.target.ip === ip) session.endAsSlow();
  }

  #release(exchanger: Exchanger): void {
    this.#taken -= 1;
    exchanger.pace.open -= 1;
    if (exchanger.shared !== null) exchanger.shared.pace.open -= 1;
    pumpAll(exchanger.waiters);
    if (exchanger.shared !== null) pumpAll(exchanger.shared.waiters);
    if (this.#waiters.size === 0) return;
    for (const lane of this.#waiters) {
      if (this.#taken >= this.#maxSessions) return;
      this.#waiters.delete(lane);
      lane.pump();
    }
  }

  wakeAt(lane: Waiter, atMs: number): void {
    this.#wakes.at(atMs, lane);
  }

  dropLane(lane: Lane): void {
    // One that was dropped before may be woken once more, when another has its place.
    if (this.#lanes.get(lane.key) === lane) this.#lanes.delete(lane.key);
    this.#wakes.forget(lane);
    this.#waiters.delete(lane);
  }

  /** Ends every session: at once, or after what is in flight had `graceMs` to land. */
  async close(graceMs: number): Promise<void> {
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

  // ---- who and where ----

  #laneFor(facts: DomainFacts, breaker: SourceBreaker): Lane {
    const { source } = breaker;
    const laneKey = source.ip === null ? facts.group : `${source.ip} ${facts.group}`;
    let lane = this.#lanes.get(laneKey);
    if (lane === undefined) {
      const targets = sameFamily(facts.targets, source.ip).map((target) => ({
        target,
        exchanger: this.#exchangerFor(target),
      }));
      lane = new Lane(laneKey, breaker, targets, this);
      this.#lanes.set(laneKey, lane);
    }
    return lane;
  }

  #exchangerFor(target: MailTarget): Exchanger {
    const known = this.#exchangers.get(target.ip);
    if (known !== undefined) return known;
    if (this.#exchangers.size >= EXCHANGERS_MAX) this.#forget();
    const provider = providerOf(target.host);
    const limits = limitsFor(this.options.policy, target.host, provider);
    const shared = this.#sharedPace(provider, limits);
    const exchanger = createExchanger(target.ip, provider, limits, shared, this.options.timeouts);
    this.#exchangers.set(target.ip, exchanger);
    return exchanger;
  }

  #sharedPace(provider: string, limits: Parameters<typeof createPace>[0]): ProviderPace | null {
    if (provider === 'other' || provider === '') return null;
    let shared = this.#providers.get(provider);
    if (shared === undefined) {
      shared = { pace: createPace(limits, 'provider'), waiters: new Set() };
      this.#providers.set(provider, shared);
    }
    return shared;
  }

  /** The older half of those without a connection. */
  #forget(): void {
    let left = EXCHANGERS_MAX / 2;
    for (const [ip, exchanger] of this.#exchangers) {
      if (left === 0) return;
      left -= 1;
      if (exchanger.pace.open === 0 && exchanger.waiters.size === 0) this.#exchangers.delete(ip);
    }
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

function isOutOfSockets(error: string | null): boolean {
  return error !== null && NO_SOCKETS.has(error);
}

function slotRestMs({ replyMs }: Session, { how, error }: SessionEnd): number {
  // Tried again at once, there would be none either, thousands of times a second.
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

function pumpAll(lanes: Set<Waiter>): void {
  if (lanes.size === 0) return;
  const waiting = [...lanes];
  lanes.clear();
  for (const lane of waiting) lane.pump();
}
