// One SMTP session as a state machine. It speaks; its owner decides what to ask and what the answers mean.
// Promise: never DATA; every wait has an end (a reply is due as a whole, so a byte every ten seconds is not
// progress, and the session as a whole has a budget); replies are matched to commands in order and a flight is
// handed over only when nothing came that was not asked for; `ended` comes once, when the connection is really closed.
//
//   connecting ─▶ banner ─▶ ehlo ─▶ (helo) ─▶ idle ◀──▶ flight ─▶ quitting ─▶ closed
//                            │ ▲                                     ▲
//                            ▼ │                                     │
//                     starttls ─▶ handshake          (any state, any trouble) ─▶ closed

import type { ReadingSubject } from '@mxproof/common/watchdog';
import type { Reply, Stage } from '../../types.ts';
import { CLOSING, type Flight } from './flight.ts';
import { type GreetingState, type GreetingStep, hello } from './greeting.ts';
import { type ConnectionEvents, type ConnectionOptions, SessionConnection } from './session-connection.ts';
import { SessionDeadline } from './session-deadline.ts';
import { areRepliesLost, endOf, goodbyeOf, LATE_ENDS, stageOf, unexpectedEnd } from './session-ends.ts';
import { SessionFacts } from './session-facts.ts';
import type { SessionEnd, SessionOwner, SessionPlan, SessionState } from './session-plan.ts';

/** In one log line. */
const LOTS_NAMED_MAX = 10;

/** Implements its connection's events itself: a closure per session would dominate the memory of thousands of idle ones. */
export class Session extends SessionFacts implements ConnectionEvents {
  readonly #owner: SessionOwner<Session>;
  readonly #connection: SessionConnection;
  readonly #deadline: SessionDeadline;
  #state: SessionState = 'connecting';
  #flight: Flight | null = null;
  #landedLast: Flight | null = null;
  /** The owner is looking at a flight that has landed: the session is not done with it yet. */
  #isHanding = false;
  /** QUIT was answered with something else than 221. */
  #oddGoodbye = false;
  /** It is to end once it is connected. */
  #isUnwanted = false;
  #end: SessionEnd | null = null;

  constructor(plan: SessionPlan, owner: SessionOwner<Session>, options: ConnectionOptions) {
    super(plan, options.clock.now());
    this.#owner = owner;
    this.#deadline = new SessionDeadline(plan, this.startedAtMs);
    this.#connection = new SessionConnection(plan.target, options, this);
  }

  get state(): SessionState {
    return this.#state;
  }

  /** The server has said at least one thing. */
  get spoke(): boolean {
    return this.#connection.spoke;
  }

  /** A single check waits for it. */
  get urgent(): boolean {
    return this.#connection.urgent;
  }

  setUrgent(isUrgent: boolean): void {
    this.#connection.urgent = isUrgent;
  }

  /** To be called now and then; ends what has waited too long. */
  checkDeadline(nowMs: number): void {
    // What has come and waits for its turn is not late.
    if (!this.#deadline.isPast(nowMs) || this.#connection.unheard > 0 || this.#state === 'closed') return;
    this.#connection.readClock(nowMs);
    if (this.#state === 'idle') {
      this.#quit();
      return;
    }
    const [how, error] = LATE_ENDS[this.#state];
    // One by one it is known which reply is missing.
    if (how === 'timeout' && !this.pipelining) this.#flight?.fellSilent();
    this.#stop(how, null, error);
  }

  /** There is something to ask now, for a session that waits. */
  wake(): void {
    if (this.#waits) this.#ask();
  }

  /** A session that waits gives up its connection. */
  release(): void {
    if (!this.#waits) return;
    this.#connection.readClock();
    this.#quit();
  }

  get #waits(): boolean {
    return this.#state === 'idle' && this.#end === null && this.#flight === null && !this.#isHanding;
  }

  /** Ends at once, whatever is in flight. */
  abort(): void {
    this.#stop(this.#state === 'connecting' ? 'unconnected' : 'dropped', null, 'closed by us');
  }

  /** Its host's replies keep the thread too long: it ends at once, however it was about to end. */
  endAsSlow(): void {
    if (this.#state === 'closed') return;
    if (this.#state === 'connecting') {
      // The connect goes on: whether the host can be reached is still learnt.
      this.#isUnwanted = true;
      return;
    }
    this.#end = { how: 'too_slow', stage: this.#stage(), reply: null, error: null };
    this.#connection.stop();
  }

  // ---- events of its connection ----

  get backlog(): number {
    return this.#owner.backlog;
  }

  whatIsRead(): ReadingSubject {
    const { hostName, ip } = this.plan.target;
    const lots = new Set<number>();
    // What was read may have landed, and the next have left.
    for (const flight of [this.#landedLast, this.#flight])
      for (const { task } of flight?.commands ?? []) if (task?.kind === 'real') lots.add(task.lot);
    const asked = lots.size > 0 ? [...lots] : this.#owner.lots;
    return { kind: 'smtp', host: `${hostName} [${ip}]`, lots: asked.slice(0, LOTS_NAMED_MAX) };
  }

  connected(): void {
    if (this.#state !== 'connecting') return;
    this.#state = 'banner';
    this.#deadline.connected(this.#connection.nowMs);
    this.#owner.connected(this);
    if (this.#isUnwanted) this.endAsSlow();
  }

  reply(reply: Reply, isLater: boolean): void {
    if (this.#end !== null) return;
    // One by one, a second reply in the same piece is older than the question it seems to answer.
    if (isLater && reply.code !== CLOSING && !this.#mayBunch) {
      this.#outOfStep();
      return;
    }
    switch (this.#state) {
      case 'banner':
      case 'ehlo':
      case 'helo':
      case 'starttls':
        this.#greeted(this.#state, reply);
        return;
      case 'flight':
        this.#commandSaid(reply);
        return;
      case 'quitting':
        this.#goodbye(reply);
        return;
      case 'idle':
      case 'connecting':
      case 'handshake':
      case 'closed':
        // 421 may come without a command.
        if (this.#state === 'idle' && reply.code === CLOSING) this.#stop('refused', reply, null);
        else this.#outOfStep();
        return;
      default:
        this.#state satisfies never;
    }
  }

  /** Only after the whole piece: a reply too many after the last one means that none of them can be trusted. */
  pieceRead(): void {
    if (this.#state === 'idle') this.#landed();
  }

  secured(): void {
    if (this.#state !== 'handshake' || this.#end !== null) return;
    this.hello.secured(this.#sinceStartMs);
    this.#connection.restart();
    this.#greet(hello(this.plan));
  }

  broken(why: string): void {
    this.#stop('protocol', null, why);
  }

  tooSlow(): void {
    this.#owner.tooSlow(this);
  }

  closed(error: string | null): void {
    if (this.#state === 'closed') return;
    const end = endOf(this.#end ?? unexpectedEnd(this.#state, this.#stage(), error), error);
    this.#state = 'closed';
    if (areRepliesLost(end, this.pipelining)) this.#flight?.forgetReplies();
    this.#handOver(this.#flight?.isAnswered === true && end.how !== 'out_of_step');
    this.#owner.ended(this, end);
  }

  // ---- greeting ----

  #greeted(state: GreetingState, reply: Reply): void {
    const step = this.hello.heard(state, reply, this.#sinceStartMs);
    if (step.kind === 'refused') {
      this.#stop('refused', reply, null);
      return;
    }
    // Most servers count an unknown or refused command as an error.
    if (reply.code >= 400) this.tally.greetingRefused();
    if (step.kind === 'handshake') {
      this.#state = 'handshake';
      this.#deadline.handshake(this.#connection.nowMs);
      this.#connection.startTls();
      return;
    }
    if (step.kind === 'say') this.#greet(step);
    else this.#state = 'idle';
    // After our EHLO is sent: the owner may open further sessions now, and this one's reply should be the first.
    if (state === 'banner') this.#owner.welcomed(this);
  }

  #greet(step: GreetingStep & { kind: 'say' }): void {
    this.#state = step.state;
    this.lines.add(this.#sinceStartMs, 'us', step.line);
    this.#deadline.greeting(this.#connection.nowMs);
    this.#connection.write(`${step.line}\r\n`);
  }

  get #sinceStartMs(): number {
    return this.#connection.nowMs - this.startedAtMs;
  }

  // ---- flights ----

  #ask(): void {
    const flight = this.#owner.next(this);
    if (this.#end !== null) return;
    // Findings may have been handed out since the last reply came.
    this.#connection.readClock();
    if (flight === 'quit') {
      this.#quit();
      return;
    }
    if (flight === 'linger') {
      this.#deadline.linger(this.#connection.nowMs);
      return;
    }
    this.#flight = flight;
    this.tally.sent(flight, this.startedAtMs, this.#connection.nowMs);
    this.#state = 'flight';
    this.#deadline.command(this.pipelining, this.#connection.nowMs);
    this.#connection.write(this.pipelining ? flight.text() : flight.nextLine());
  }

  #commandSaid(reply: Reply): void {
    const flight = this.#flight;
    const atMs = this.#sinceStartMs;
    const isFirst = flight !== null && flight.next === flight.commands[0];
    if (flight?.next?.kind === 'rcpt') this.#deadline.answered();
    if (!flight?.answer(reply, atMs)) {
      this.#outOfStep();
      return;
    }
    if (isFirst) this.tally.firstReplied(atMs - flight.sentAtMs);
    if (reply.code === CLOSING) {
      this.#stop('refused', reply, null);
      return;
    }
    this.#deadline.command(this.pipelining, this.#connection.nowMs);
    if (!flight.isAnswered) {
      if (!this.pipelining) this.#connection.write(flight.nextLine());
      return;
    }
    if (this.pipelining && flight.quits) this.#awaitGoodbye();
    else this.#state = 'idle';
  }

  /** idle: hands over the flight that has landed, if one was out, and asks on. */
  #landed(): void {
    const flight = this.#flight;
    this.#isHanding = true;
    this.#handOver(true);
    this.#isHanding = false;
    if (this.#end !== null || this.#state !== 'idle') return;
    // One by one QUIT could not ride along, and the last transaction is still open.
    if (flight?.quits === true) this.#quit();
    else this.#ask();
  }

  #handOver(isComplete: boolean): void {
    const flight = this.#flight;
    if (flight === null) return;
    this.#flight = null;
    this.#landedLast = flight;
    this.tally.landed(flight);
    this.#owner.landed(this, flight, isComplete);
  }

  /** Answers to commands that went out together may come together. */
  get #mayBunch(): boolean {
    const state = this.#state;
    return this.pipelining && (state === 'flight' || state === 'quitting' || state === 'idle');
  }

  /** More replies than commands, or another command's: whatever this flight seemed to say may belong to another command. */
  #outOfStep(): void {
    this.#stop('out_of_step', null, 'replies out of step');
  }

  // ---- ends ----

  #quit(): void {
    this.#awaitGoodbye();
    this.#connection.write('QUIT\r\n');
  }

  #awaitGoodbye(): void {
    this.#state = 'quitting';
    this.#deadline.goodbye(this.pipelining, this.replyMs, this.#connection.nowMs);
  }

  #goodbye(reply: Reply): void {
    const how = goodbyeOf(reply, this, this.#oddGoodbye);
    if (how === null) this.#oddGoodbye = true;
    else if (how === 'out_of_step') this.#outOfStep();
    else {
      this.#handOver(true);
      this.#stop(how, how === 'done' ? null : reply, null);
    }
  }

  #stop(how: SessionEnd['how'], reply: Reply | null, error: string | null): void {
    if (this.#end !== null || this.#state === 'closed') return;
    this.#end = { how, stage: this.#stage(), reply, error };
    this.#connection.stop();
  }

  #stage(): Stage {
    return stageOf(this.#state, this.#flight?.next);
  }
}
