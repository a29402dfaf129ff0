// One group of exchangers seen from one source: its queue, its sessions. Promise: the most preferred address that
// answers is asked, the next one only when a better one cannot be reached or turns us away; sessions open as the
// pace allows and fetch recipients when they are ready for them; whatever is on a line that breaks is asked again.
//
//   queued ──session ready──▶ in flight ──landed──▶ answered
//     ▲                          │ dropped, full, out of step, other sender
//     └──────────────────────────┘

import type { MailTarget } from '../dns/domain-facts.ts';
import { connectionFull, flewWell, mayOpen, transactionFull, troubled } from '../pace/pace.ts';
import type { Connect } from '../ports.ts';
import type { Clock, Reply, ReplyReading } from '../types.ts';
import { composeFlight, senderBit, senderFor } from './compose-flight.ts';
import type { Egress, Source } from './egress.ts';
import { type Exchanger, type Shut, shutFor } from './exchanger.ts';
import type { Flight } from './flight.ts';
import { type Landing, type ReadReply, readFlight } from './landing.ts';
import { LaneQueue } from './lane-queue.ts';
import { Session, type SessionEnd, type SessionOwner, type SessionTimeouts } from './session.ts';
import type { Answer, Task } from './task.ts';
import { ownLine, rcptLine, replyWords, sessionLine } from './transcript.ts';

/** Lines dropped under one recipient before that is its answer. */
const DROPS_MAX = 2;
/** Sessions in a row that end in the middle without one answer, before the host is left alone. */
const BARREN_SESSIONS_MAX = 2;
const BLOCKS_UNTIL_SHUT = 3;
/** Recipients for each refusal a session may draw, before another session is worth its opening. */
const SESSION_WORTH = 3;
/** A connect that takes so long lets the next address be tried beside it. */
const SLOW_CONNECT_MS = 4_000;
/** A pause up to here is waited out; for a longer one the recipients are handed back. */
const SHORT_PAUSE_MS = 6_000;
const BLOCKED_MS = 15 * 60_000;

/** What a lane needs from the dispatcher above it. */
export interface LaneHost {
  readonly options: LaneOptions;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly closing: boolean;
  /** Others wait for a connection of any kind. */
  readonly crowded: boolean;
  mayOpen(lane: Lane): boolean;
  opened(session: Session): void;
  ended(session: Session, exchanger: Exchanger, end: SessionEnd): void;
  wakeAt(lane: Lane, atMs: number): void;
  dropLane(lane: Lane): void;
  /** A host was reached, or every address of a group could not be. */
  reached(whom: string, ok: boolean): void;
  /** Queues a task on a source that has not been blocked for it; false when there is none. */
  fromElsewhere(task: Task, alone: boolean): boolean;
  probeBehind(task: Task): Task | null;
}

export interface LaneOptions {
  readonly connect: Connect;
  readonly smtpPort: number;
  readonly mailFrom: string;
  readonly pipelining: boolean;
  readonly evidence: boolean;
  readonly timeouts: SessionTimeouts;
  /** How long a host that could not be reached is not tried again. */
  readonly downMs: number;
  readonly readReply: ReadReply;
}

export class Lane implements SessionOwner {
  readonly key: string;
  readonly source: Source;
  readonly queue = new LaneQueue();
  /** Probes that must have a session of their own. */
  readonly alone = new LaneQueue();
  readonly sessions = new Map<Session, { exchanger: Exchanger; alone: boolean }>();
  readonly #targets: readonly { readonly target: MailTarget; readonly exchanger: Exchanger }[];
  readonly #dispatcher: LaneHost;
  #pumping = false;

  constructor(
    key: string,
    source: Source,
    targets: readonly { target: MailTarget; exchanger: Exchanger }[],
    dispatcher: LaneHost,
  ) {
    this.key = key;
    this.source = source;
    this.#targets = targets;
    this.#dispatcher = dispatcher;
  }

  get idle(): boolean {
    return this.sessions.size === 0 && this.queue.size === 0 && this.alone.size === 0;
  }

  /** Answers its hosts have given: for telling a wait for nothing from a wait in line. */
  get answers(): number {
    return this.#targets.reduce((sum, { exchanger }) => sum + exchanger.answers, 0);
  }

  get whom(): string {
    return this.#targets[0]?.exchanger.whom ?? '';
  }

  add(task: Task, alone: boolean): void {
    task.hostAnswersBefore = this.answers;
    (alone ? this.alone : this.queue).push(task);
  }

  addAll(tasks: readonly Task[]): void {
    const { answers } = this;
    for (const task of tasks) {
      task.hostAnswersBefore = answers;
      this.queue.push(task);
    }
  }

  /** Somebody needs a connection that waits here for nothing. */
  releaseIdle(): void {
    if (this.queue.size === 0) for (const session of this.sessions.keys()) session.release();
  }

  /** Opens what is wanted and allowed. */
  pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    if (this.queue.size > 0) {
      for (const [session, mine] of this.sessions) if (!mine.alone) session.wake();
    }
    while (this.#wantsSession() && this.#openOne());
    this.#pumping = false;
    if (this.idle) this.#dispatcher.dropLane(this);
  }

  #wantsSession(): boolean {
    let asking = 0;
    let opening = 0;
    let alone = 0;
    for (const [session, mine] of this.sessions) {
      if (mine.alone) alone += 1;
      else if (session.state !== 'quitting' && session.state !== 'closed') asking += 1;
      if (session.state !== 'flight' && session.state !== 'quitting' && session.state !== 'idle')
        opening += 1;
    }
    if (this.alone.size > 0 && alone === 0) return true;
    if (this.queue.size === 0) return false;
    if (this.queue.singles > 0 && opening === 0) return true;
    const refusals = this.#targets[0]?.exchanger.limits.refusalsPerConnection ?? 1;
    return asking < Math.ceil(this.queue.size / (refusals * SESSION_WORTH));
  }

  #openOne(): boolean {
    const nowMs = this.#dispatcher.clock.now();
    const choice = this.#choose(nowMs);
    if (choice.kind === 'open') {
      const alone = this.alone.size > 0 && ![...this.sessions.values()].some((mine) => mine.alone);
      this.#open(choice.target, choice.exchanger, alone);
      return true;
    }
    if (choice.kind === 'nowhere') this.#giveUp(choice.shut);
    else if (choice.untilMs - nowMs > SHORT_PAUSE_MS && this.sessions.size === 0)
      this.#handBack(choice.untilMs - nowMs);
    return false;
  }

  #choose(
    nowMs: number,
  ):
    | { kind: 'open'; target: MailTarget; exchanger: Exchanger }
    | { kind: 'wait'; untilMs: number }
    | { kind: 'nowhere'; shut: Shut | null } {
    if (!this.#dispatcher.mayOpen(this)) return { kind: 'wait', untilMs: 0 };
    let rank = -1;
    let candidates = 0;
    let untilMs = 0;
    let best: { target: MailTarget; exchanger: Exchanger } | null = null;
    let shut: Shut | null = null;
    for (const one of this.#targets) {
      if (one.target.rank !== rank) {
        if (candidates > 0) break;
        rank = one.target.rank;
      }
      const { exchanger } = one;
      const why = shutFor(exchanger, this.source.ip, nowMs);
      if (why !== null) {
        // What a server said is worth more than that another was silent.
        if (shut === null || (why.connected && !shut.connected)) shut = why;
        continue;
      }
      if (this.#isSlow(exchanger, nowMs)) {
        untilMs = Math.max(untilMs, nowMs);
        continue;
      }
      candidates += 1;
      const shared = exchanger.shared;
      if (mayOpen(exchanger.pace, nowMs) && (shared === null || mayOpen(shared.pace, nowMs))) {
        if (best === null || exchanger.pace.open < best.exchanger.pace.open) best = one;
      } else {
        const pausedUntilMs = Math.max(exchanger.pace.pausedUntilMs, shared?.pace.pausedUntilMs ?? 0);
        untilMs = Math.max(untilMs, pausedUntilMs);
        exchanger.waiters.add(this);
        shared?.waiters.add(this);
        if (pausedUntilMs > nowMs) this.#dispatcher.wakeAt(this, pausedUntilMs);
      }
    }
    if (best !== null) return { kind: 'open', ...best };
    if (candidates > 0 || this.sessions.size > 0) return { kind: 'wait', untilMs };
    return { kind: 'nowhere', shut };
  }

  #isSlow(exchanger: Exchanger, nowMs: number): boolean {
    if (this.#targets.length === 1) return false;
    for (const [session, mine] of this.sessions)
      if (
        mine.exchanger === exchanger &&
        session.state === 'connecting' &&
        nowMs - session.startedAtMs >= SLOW_CONNECT_MS
      )
        return true;
    return false;
  }

  #open(target: MailTarget, exchanger: Exchanger, alone: boolean): void {
    const dispatcher = this.#dispatcher;
    exchanger.pace.open += 1;
    exchanger.usedAtMs = dispatcher.clock.now();
    if (exchanger.shared !== null) exchanger.shared.pace.open += 1;
    const session = new Session(
      {
        target: {
          ip: target.ip,
          port: dispatcher.options.smtpPort,
          source: this.source.ip,
          hostName: target.host,
        },
        heloName: this.source.heloName,
        mayTls: !exchanger.noTls,
        heloOnly: exchanger.heloOnly,
        mayPipeline: dispatcher.options.pipelining && !exchanger.noPipelining,
        timeouts: dispatcher.options.timeouts,
      },
      this,
      dispatcher.options.connect,
      dispatcher.clock,
    );
    this.sessions.set(session, { exchanger, alone });
    dispatcher.opened(session);
    if (this.#targets.length > 1) dispatcher.wakeAt(this, dispatcher.clock.now() + SLOW_CONNECT_MS);
  }

  // ---- what sessions tell ----

  connected(session: Session): void {
    this.#dispatcher.reached(session.plan.target.ip, true);
  }

  next(session: Session): Flight | 'linger' | 'quit' {
    const mine = this.sessions.get(session);
    if (mine === undefined || session.late || this.#dispatcher.closing) return 'quit';
    const nowMs = this.#dispatcher.clock.now();
    if (shutFor(mine.exchanger, this.source.ip, nowMs) !== null || mine.exchanger.pace.pausedUntilMs > nowMs)
      return 'quit';
    const queue = mine.alone ? this.alone : this.queue;
    const flight = composeFlight(session, mine.exchanger, queue, {
      mailFrom: this.#dispatcher.options.mailFrom,
      nowMs,
      sharers: this.sessions.size,
      probe: (task) => this.#dispatcher.probeBehind(task),
      impossibleHere: (task) => task.answered(task, this.#answer(task, session, NO_SMTPUTF8, null, [])),
    });
    if (flight === null) {
      const wanted = mine.exchanger.waiters.size > 0 || (mine.exchanger.shared?.waiters.size ?? 0) > 0;
      return queue.size === 0 && !mine.alone && !wanted && !this.#dispatcher.crowded ? 'linger' : 'quit';
    }
    mine.exchanger.pace.minuteRecipients += flight.recipients;
    session.recipients += flight.recipients;
    return flight;
  }

  landed(session: Session, flight: Flight, complete: boolean): void {
    const mine = this.sessions.get(session);
    if (mine === undefined) return;
    const { exchanger } = mine;
    const { pace, shared } = exchanger;
    const nowMs = this.#dispatcher.clock.now();
    const landing = readFlight(
      flight,
      exchanger.provider,
      session.pipelining,
      this.#dispatcher.options.readReply,
    );
    if (session.flights === 1) noteMail(session, flight);
    session.refusals += landing.refusals;
    session.resets += landing.resets;
    exchanger.answers += landing.answered;
    if (landing.answered > 0) {
      exchanger.dropsInARow = 0;
      exchanger.refusalShare += (landing.refusedRecipients / landing.answered - exchanger.refusalShare) * 0.1;
    }
    if (landing.outOfStep) exchanger.noPipelining = true;
    if (landing.transactionTook !== null) transactionFull(pace, landing.transactionTook);
    if (landing.mailTaken && flight.commands[0] !== undefined)
      exchanger.sendersTaken |= senderBit(flight.commands[0].sender);
    if (landing.trouble || !complete) {
      troubled(pace, nowMs, landing.retryAfterMs);
      if (shared !== null) troubled(shared.pace, nowMs, landing.retryAfterMs);
      this.#dispatcher.wakeAt(this, pace.pausedUntilMs);
    } else {
      flewWell(pace, exchanger.limits.connections);
      if (shared !== null) flewWell(shared.pace, exchanger.limits.connectionsPerProvider);
    }
    for (const one of landing.landings) this.#land(one, session, mine, flight);
    if (landing.mailRefused !== null && landing.mailRefusal !== null && !landing.mailTaken)
      this.#senderRefused(exchanger, session, landing.mailRefused, landing.mailRefusal);
    this.pump();
  }

  #land(
    landing: Landing,
    session: Session,
    mine: { exchanger: Exchanger; alone: boolean },
    flight: Flight,
  ): void {
    const { task, command, reading } = landing;
    const { exchanger } = mine;
    const queue = mine.alone ? this.alone : this.queue;
    if (landing.act === 'ask_again') {
      queue.pushBack(task);
      return;
    }
    if (landing.act === 'dropped') {
      task.drops += 1;
      if (task.drops <= DROPS_MAX) {
        queue.pushBack(task);
        return;
      }
      this.#say(task, session, DROPPED, command.reply, flight, command.answeredAtMs);
      return;
    }
    if (landing.act === 'other_sender') {
      const bit = senderBit(command.sender);
      task.sendersRefused |= bit;
      exchanger.sendersRefused |= bit;
      const other = senderFor(task, exchanger, this.#dispatcher.options.mailFrom);
      if ((task.sendersRefused & senderBit(other)) === 0) {
        queue.pushBack(task);
        return;
      }
    }
    if (reading?.meaning === 'blocked') this.#blockedOnce(session, exchanger, reading);
    else exchanger.blocksInARow = 0;
    if (landing.act === 'other_source') {
      task.blockedSources |= this.#dispatcher.egress.bit(this.source);
      if (this.#dispatcher.fromElsewhere(task, mine.alone)) return;
    }
    this.#say(task, session, reading ?? DROPPED, command.reply, flight, command.answeredAtMs);
  }

  /** Nobody gets past MAIL here: what waits in the queue need not find that out one by one. */
  #senderRefused(exchanger: Exchanger, session: Session, reading: ReplyReading, reply: Reply): void {
    // A parameter that is not taken concerns those who need it; another sender may be.
    if (reading.meaning === 'protocol') return;
    const { mailFrom, downMs } = this.#dispatcher.options;
    if (reading.meaning === 'sender_refused' && mailFrom !== '' && exchanger.sendersRefused !== EVERY_SENDER)
      return;
    const nowMs = this.#dispatcher.clock.now();
    const temporary = isTemporary(reading, reply);
    if (reading.meaning === 'blocked' && !temporary) {
      this.#dispatcher.egress.block(this.source, exchanger.whom, nowMs);
      this.#shut(exchanger, session, nowMs + BLOCKED_MS, reading, false);
    } else {
      this.#shut(exchanger, session, nowMs + downMs, reading, temporary);
    }
  }

  /** One refusal may be about one recipient; several in a row are about us. */
  #blockedOnce(session: Session, exchanger: Exchanger, reading: ReplyReading): void {
    exchanger.blocksInARow += 1;
    if (exchanger.blocksInARow < BLOCKS_UNTIL_SHUT) return;
    const nowMs = this.#dispatcher.clock.now();
    this.#dispatcher.egress.block(this.source, exchanger.whom, nowMs);
    this.#shut(exchanger, session, nowMs + BLOCKED_MS, reading, false);
  }

  ended(session: Session, end: SessionEnd): void {
    const mine = this.sessions.get(session);
    if (mine === undefined) return;
    this.sessions.delete(session);
    const { exchanger } = mine;
    const nowMs = this.#dispatcher.clock.now();
    this.#dispatcher.ended(session, exchanger, end);
    const inside = end.stage === 'mail' || end.stage === 'rcpt' || end.stage === 'rset';
    switch (end.how) {
      case 'done':
        break;
      case 'tls_failed':
        exchanger.noTls = true;
        break;
      case 'out_of_step':
        exchanger.noPipelining = true;
        if (!session.pipelining) this.#fail(exchanger, session, nowMs, end);
        break;
      case 'unconnected':
        this.#fail(exchanger, session, nowMs, end);
        break;
      case 'refused':
        if (inside) this.#barren(exchanger, session, nowMs, end);
        else this.#turnedAway(exchanger, session, nowMs, end);
        break;
      case 'dropped':
      case 'timeout':
      case 'protocol':
        if (end.stage === 'ehlo' && end.how === 'dropped' && !exchanger.heloOnly && !session.plan.heloOnly)
          exchanger.heloOnly = true;
        else if (inside) this.#barren(exchanger, session, nowMs, end);
        else this.#fail(exchanger, session, nowMs, end);
        break;
      default:
        end.how satisfies never;
    }
    this.pump();
  }

  /** The line broke while recipients were on it. They are queued again; the host is asked more gently, or not at all. */
  #barren(exchanger: Exchanger, session: Session, nowMs: number, end: SessionEnd): void {
    if (session.pipelining && (end.how === 'timeout' || (end.how === 'dropped' && session.flights === 1)))
      exchanger.noPipelining = true;
    if (session.flights > 1) connectionFull(exchanger.pace, Math.max(1, Math.floor(session.recipients / 2)));
    exchanger.dropsInARow += 1;
    if (exchanger.dropsInARow > BARREN_SESSIONS_MAX) this.#fail(exchanger, session, nowMs, end);
  }

  /** 4xx or 5xx before anybody was asked about: says nothing about a mailbox, and the next exchanger may be kinder. */
  #turnedAway(exchanger: Exchanger, session: Session, nowMs: number, end: SessionEnd): void {
    if (end.reply === null) {
      this.#fail(exchanger, session, nowMs, end);
      return;
    }
    const reading = this.#dispatcher.options.readReply(end.stage, end.reply, exchanger.provider);
    const temporary = isTemporary(reading, end.reply);
    if (temporary) {
      troubled(exchanger.pace, nowMs, reading.retryAfterMs);
      if (exchanger.shared !== null) troubled(exchanger.shared.pace, nowMs, reading.retryAfterMs);
      this.#dispatcher.wakeAt(this, exchanger.pace.pausedUntilMs);
      // A door shut for one connection while others are inside is about their number: slower is enough.
      if (exchanger.pace.open > 0 && exchanger.answers > 0) return;
      this.#shut(exchanger, session, nowMs + this.#dispatcher.options.downMs, reading, true);
      return;
    }
    if (reading.meaning !== 'blocked') {
      this.#shut(exchanger, session, nowMs + this.#dispatcher.options.downMs, reading, false);
      return;
    }
    this.#dispatcher.egress.block(this.source, exchanger.whom, nowMs);
    this.#shut(exchanger, session, nowMs + BLOCKED_MS, reading, false);
  }

  #fail(exchanger: Exchanger, session: Session, nowMs: number, end: SessionEnd): void {
    // Our own lack of sockets or of that source address is nobody's fault at the other end.
    const rule = `connection: ${end.error ?? end.how} at ${end.stage}`;
    exchanger.shut.set(this.source.ip, {
      untilMs: nowMs + this.#dispatcher.options.downMs,
      meaning: null,
      temporary: true,
      rule,
      connected: session.spoke,
      retryAfterMs: null,
      host: session.plan.target.hostName,
      tls: session.tls,
      session: session.lines,
    });
  }

  #shut(
    exchanger: Exchanger,
    session: Session,
    untilMs: number,
    reading: ReplyReading,
    temporary: boolean,
  ): void {
    exchanger.shut.set(this.source.ip, {
      untilMs,
      meaning: reading.meaning,
      temporary,
      rule: reading.rule,
      connected: true,
      retryAfterMs: reading.retryAfterMs,
      host: session.plan.target.hostName,
      tls: session.tls,
      session: session.lines,
    });
  }

  // ---- answers ----

  /** Every address of every exchanger is down or turns us away. */
  #giveUp(shut: Shut | null): void {
    if (shut === null || !shut.connected)
      this.#dispatcher.reached(this.#targets[0]?.target.ip ?? this.key, false);
    for (const queue of [this.queue, this.alone]) {
      for (const task of queue.takeAll()) {
        if (shut !== null && !shut.temporary) {
          task.blockedSources |= this.#dispatcher.egress.bit(this.source);
          if (this.#dispatcher.fromElsewhere(task, queue === this.alone)) continue;
        }
        task.answered(task, {
          meaning: shut?.meaning ?? null,
          temporary: shut?.temporary ?? true,
          rule: shut?.rule ?? 'connection: no exchanger could be reached',
          retryAfterMs: shut?.retryAfterMs ?? null,
          connected: shut?.connected ?? false,
          counts: true,
          reply: null,
          host: shut?.host ?? null,
          ip: this.#targets[0]?.target.ip ?? null,
          source: this.source.ip,
          sender: this.#dispatcher.options.mailFrom,
          tls: shut?.tls ?? false,
          session: shut?.session ?? [],
          dialogue: [],
        });
      }
    }
  }

  /** The host wants a longer pause than we keep people waiting for. */
  #handBack(waitMs: number): void {
    const answers = this.answers;
    for (const queue of [this.queue, this.alone]) {
      for (const task of queue.takeAll()) {
        task.answered(task, {
          meaning: 'rate_limited',
          temporary: true,
          rule: 'pace: the host asked for a pause',
          retryAfterMs: waitMs,
          connected: true,
          // Whoever stood in line while others were answered has lost nothing; if nobody was, this was an attempt.
          counts: answers === task.hostAnswersBefore,
          reply: null,
          host: this.#targets[0]?.target.host ?? null,
          ip: this.#targets[0]?.target.ip ?? null,
          source: this.source.ip,
          sender: task.boundSender ?? this.#dispatcher.options.mailFrom,
          tls: false,
          session: [],
          dialogue: [],
        });
      }
    }
  }

  #say(
    task: Task,
    session: Session,
    reading: ReplyReading,
    reply: Reply | null,
    flight: Flight,
    answeredAtMs: number,
  ): void {
    const { evidence, mailFrom } = this.#dispatcher.options;
    const own = [task.address.mailbox, mailFrom];
    const dialogue = !evidence
      ? []
      : reply === null
        ? [rcptLine(flight.sentAtMs, task.address.mailbox)]
        : [
            rcptLine(flight.sentAtMs, task.address.mailbox),
            ownLine(answeredAtMs, 'server', replyWords(reply), own),
          ];
    task.answered(task, this.#answer(task, session, reading, reply, dialogue));
  }

  #answer(
    task: Task,
    session: Session,
    reading: ReplyReading,
    reply: Reply | null,
    dialogue: Answer['dialogue'],
  ): Answer {
    const { ip } = session.plan.target;
    const exchanger = this.sessions.get(session)?.exchanger;
    return {
      meaning: reading.meaning,
      temporary: reply === null ? reading === DROPPED : isTemporary(reading, reply),
      rule: reading.rule,
      retryAfterMs: reading.retryAfterMs,
      connected: true,
      counts: true,
      reply,
      host:
        task.domain.facts.targets.find((target) => target.ip === ip)?.host ?? session.plan.target.hostName,
      ip,
      source: this.source.ip,
      sender: exchanger === undefined ? '' : senderFor(task, exchanger, this.#dispatcher.options.mailFrom),
      tls: session.tls,
      session: session.lines,
      dialogue,
    };
  }
}

const EVERY_SENDER = senderBit('') | senderBit('configured');

const NO_SMTPUTF8: ReplyReading = {
  meaning: 'protocol',
  rule: 'smtputf8: the server does not offer it',
  retryAfterMs: null,
};

const DROPPED: ReplyReading = {
  meaning: 'temporary',
  rule: 'connection: dropped while asking',
  retryAfterMs: null,
};

/** What may be otherwise later: 4xx, and whatever says "too fast" with any code. */
function isTemporary(reading: ReplyReading, reply: Reply): boolean {
  if (reading.meaning === 'rate_limited' || reading.meaning === 'greylisted') return true;
  return reply.code >= 400 && reply.code < 500;
}

/** The first MAIL stands for all of the session's: they are alike. */
function noteMail(session: Session, flight: Flight): void {
  const mail = flight.commands[0];
  if (mail?.kind !== 'mail') return;
  const own = [mail.sender];
  sessionLine(session.lines, { atMs: flight.sentAtMs, from: 'us', text: mail.line.trimEnd() }, own);
  if (mail.reply === null) return;
  sessionLine(session.lines, { atMs: mail.answeredAtMs, from: 'server', text: replyWords(mail.reply) }, own);
}
