// One SMTP session as a state machine. It speaks, its owner decides what to ask and what answers mean.
// Promise: never DATA; every wait has an end (a reply is due as a whole, so a byte every ten seconds is not
// progress, and the session as a whole has a budget); replies are matched to commands in order and a flight is
// handed over only when nothing came that was not asked for; `ended` comes once, when the line is really closed.
//
//   connecting ─▶ banner ─▶ ehlo ─▶ (helo) ─▶ idle ◀──▶ flight ─▶ quitting ─▶ closed
//                            │ ▲                                     ▲
//                            ▼ │                                     │
//                     starttls ─▶ handshake          (any state, any trouble) ─▶ closed
import type { Connect, Wire } from '../../ports.ts';
import type { Clock, DialogueLine, Reply, Stage } from '../../types.ts';
import { hearInTurn, type LoopBudget } from '../wire/event-loop-budget.ts';
import { ReplyReader } from '../wire/reply-reader.ts';
import { ehloWords } from './ehlo-offer.ts';
import { CLOSING, type Flight } from './flight.ts';
import { type GreetingState, type GreetingStep, hello, nextInGreeting } from './greeting.ts';
import { SessionFacts } from './session-facts.ts';
import {
  COMMAND_STAGES,
  LATE_ENDS,
  type SessionEnd,
  type SessionOwner,
  type SessionPlan,
  STAGES,
  unexpectedEnd,
} from './session-plan.ts';
import { replyWords } from './transcript.ts';

/** A handshake that hangs is one that fails: the server may still be asked in clear. */
const HANDSHAKE_MAX_MS = 60_000;
/** Between two replies of a flight that went out together; longer than a slow recipient's 45 seconds. */
const FLIGHT_SILENCE_MS = 60_000;
/** The answer to QUIT. */
const GOODBYE = 221;
/** It is waited for as long as the last first reply took, so many times. */
const GOODBYE_REPLIES = 4;

export class Session extends SessionFacts {
  deadlineMs: number;
  readonly #owner: SessionOwner<Session>;
  readonly #clock: Clock;
  readonly #wire: Wire;
  readonly #reader: ReplyReader;
  readonly #overAtMs: number;
  /** After a silence: when the first answer about a recipient is due, whatever comes before it. */
  #answerDueMs: number | null = null;
  #flight: Flight | null = null;
  /** When what is being looked at came: one look at the clock for all the replies of a piece. */
  #nowMs: number;
  /** Replies in the piece that is being read. */
  #heard = 0;
  #handing = false;
  /** QUIT was answered with something else than 221. */
  #oddGoodbye = false;
  #end: SessionEnd | null = null;

  constructor(
    plan: SessionPlan,
    owner: SessionOwner<Session>,
    { connect, clock, loopBudget }: { connect: Connect; clock: Clock; loopBudget: LoopBudget },
  ) {
    super(plan, clock.now());
    this.#owner = owner;
    this.#clock = clock;
    this.#nowMs = this.startedAtMs;
    this.#overAtMs = this.startedAtMs + plan.timeouts.sessionMs;
    this.deadlineMs = this.startedAtMs + plan.timeouts.connectMs;
    this.#reader = new ReplyReader({
      reply: (reply) => this.#reply(reply),
      broken: (why) => this.#stop('protocol', null, why),
    });
    const hears = hearInTurn(loopBudget, this, {
      connected: () => this.#connected(),
      data: (text) => this.#data(text),
      secured: () => this.#secured(),
      closed: (error) => this.#closed(error),
      tooMuch: () => this.#stop('protocol', null, 'more than was asked for'),
    });
    this.#wire = connect(plan.target, hears);
  }

  get backlog(): number {
    return this.#owner.backlog;
  }

  /** To be called now and then; ends what has waited too long. */
  checkDeadline(nowMs: number): void {
    // What has come and waits for its turn is not late.
    if (nowMs < this.deadlineMs || this.unheard > 0 || this.state === 'closed') return;
    this.#nowMs = nowMs;
    const [how, error] = LATE_ENDS[this.state];
    if (this.state === 'idle') this.#quit();
    else {
      // One by one it is known whose reply is missing.
      if (how === 'timeout' && !this.pipelining) this.#flight?.fellSilent();
      this.#stop(how, null, error);
    }
  }

  /** There is something to ask now, for a session that waits. */
  wake(): void {
    if (this.#waits) this.#ask();
  }

  /** A session that waits gives up its connection. */
  release(): void {
    if (!this.#waits) return;
    this.#nowMs = this.#clock.now();
    this.#quit();
  }

  get #waits(): boolean {
    return this.state === 'idle' && this.#end === null && this.#flight === null && !this.#handing;
  }

  /** Ends at once, whatever is in flight. */
  abort(): void {
    this.#stop(this.state === 'connecting' ? 'unconnected' : 'dropped', null, 'closed by us');
  }

  #connected(): void {
    if (this.state !== 'connecting') return;
    this.state = 'banner';
    this.#nowMs = this.#clock.now();
    const { answerMs, timeouts } = this.plan;
    if (answerMs !== null) this.#answerDueMs = this.#nowMs + answerMs;
    this.#awaitReply(timeouts.bannerMs);
    this.#owner.connected(this);
  }

  #data(text: string): void {
    if (this.#end !== null || this.state === 'closed') return;
    this.spoke = true;
    this.#heard = 0;
    this.#nowMs = this.#clock.now();
    this.#reader.push(text);
    // Only after the whole piece: a reply too many behind the last one means that none of them can be trusted.
    if (this.#end === null && this.state === 'idle') this.#landed();
  }

  #reply(reply: Reply): void {
    if (this.#end !== null) return;
    this.#heard += 1;
    // One by one, a second reply in the same piece is older than the question it seems to answer.
    if (this.#heard > 1 && reply.code !== CLOSING && !this.#mayBunch) {
      this.#outOfStep();
      return;
    }
    switch (this.state) {
      case 'banner':
      case 'ehlo':
      case 'helo':
      case 'starttls':
        this.#greeted(this.state, reply);
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
        // A goodbye needs no question.
        if (this.state === 'idle' && reply.code === CLOSING) this.#stop('refused', reply, null);
        else this.#outOfStep();
        return;
      default:
        this.state satisfies never;
    }
  }

  /** Only 221 is an answer to QUIT; anything else was meant for a command before it, or ends the line before its time. */
  #goodbye(reply: Reply): void {
    const isOdd = reply.code !== GOODBYE && reply.code !== CLOSING;
    // One by one, a host may say goodbye in its own words; if another reply follows them, they were not a goodbye.
    if (this.flights > 0 && (this.#oddGoodbye || (isOdd && this.pipelining))) this.#outOfStep();
    else if (isOdd) this.#oddGoodbye = true;
    else {
      if (this.#flight !== null) this.#landed();
      if (reply.code === GOODBYE) this.#stop('done', null, null);
      else this.#stop('no_goodbye', reply, null);
    }
  }

  #greeted(state: GreetingState, reply: Reply): void {
    this.#note('server', state === 'ehlo' ? ehloWords(reply) : replyWords(reply));
    if (state === 'banner') this.banner = reply.lines.join(' ');
    else this.greeted.push(reply);
    const step = nextInGreeting(state, reply, this.plan, this.tls);
    if (step.kind === 'refused') {
      this.#stop('refused', reply, null);
      return;
    }
    // A command it does not know or take is an error to most servers, and they count.
    if (reply.code >= 400) this.refusals += 1;
    if (step.kind === 'handshake') {
      this.state = 'handshake';
      this.#await(Math.min(this.plan.timeouts.replyMs, HANDSHAKE_MAX_MS));
      this.#reader.stop();
      this.#wire.startTls();
      return;
    }
    if (step.offer !== null) {
      this.smtpUtf8 = step.offer.smtpUtf8;
      this.pipelining = this.plan.mayPipeline && step.offer.pipelining;
      this.recipientsMax = step.offer.recipientsMax;
    }
    if (step.kind === 'say') this.#greet(step);
    else this.state = 'idle';
    // After our own line: its answer is what the next ones to come can build on.
    if (state === 'banner') this.#owner.welcomed(this);
  }

  #greet(step: GreetingStep & { kind: 'say' }): void {
    this.state = step.state;
    this.#note('us', step.line);
    this.#awaitReply(this.plan.timeouts.replyMs);
    this.#wire.write(`${step.line}\r\n`);
  }

  #secured(): void {
    if (this.state !== 'handshake' || this.#end !== null) return;
    this.tls = true;
    this.#nowMs = this.#clock.now();
    this.#note('note', 'TLS established');
    this.#reader.restart();
    this.#greet(hello(this.plan));
  }

  // ---- flights ----

  #ask(): void {
    const flight = this.#owner.next(this);
    if (this.#end !== null) return;
    // Findings may have been handed out since the last reply came.
    this.#nowMs = this.#clock.now();
    if (flight === 'quit') {
      this.#quit();
      return;
    }
    if (flight === 'linger') {
      this.#await(this.plan.timeouts.lingerMs);
      return;
    }
    this.#flight = flight;
    this.flights += 1;
    this.askedAtMs = this.#nowMs;
    flight.sentAtMs = this.askedAtMs - this.startedAtMs;
    if (this.flights === 1) this.readyAfterMs = flight.sentAtMs;
    this.state = 'flight';
    this.#awaitReply(this.#patienceMs);
    this.#wire.write(this.pipelining ? flight.text() : (flight.next?.line ?? ''));
  }

  /** A host that loses replies of a flight would be waited for in vain; asked one by one it gets its full time. */
  get #patienceMs(): number {
    const { replyMs } = this.plan.timeouts;
    return this.pipelining ? Math.min(replyMs, FLIGHT_SILENCE_MS) : replyMs;
  }

  #quit(): void {
    this.#awaitGoodbye();
    this.#wire.write('QUIT\r\n');
  }

  /** Answers count with the goodbye: a host that takes its time for each reply has it for this one. */
  #awaitGoodbye(): void {
    this.state = 'quitting';
    const { quitMs } = this.plan.timeouts;
    this.#await(Math.max(quitMs, Math.min(this.#patienceMs, GOODBYE_REPLIES * this.replyMs)));
  }

  #commandSaid(reply: Reply): void {
    const flight = this.#flight;
    const atMs = this.#nowMs - this.startedAtMs;
    const isFirst = flight !== null && flight.next === flight.commands[0];
    if (flight?.next?.kind === 'rcpt') this.#answerDueMs = null;
    if (!flight?.answer(reply, atMs)) {
      this.#outOfStep();
      return;
    }
    if (isFirst) this.replyMs = atMs - flight.sentAtMs;
    if (reply.code === CLOSING) {
      this.#stop('refused', reply, null);
      return;
    }
    this.#awaitReply(this.#patienceMs);
    if (!flight.isAnswered) {
      if (!this.pipelining) this.#wire.write(flight.next?.line ?? '');
      return;
    }
    if (this.pipelining && flight.quits) this.#awaitGoodbye();
    else this.state = 'idle';
  }

  /** idle: hands over the flight that has landed, if one was out, and asks on. */
  #landed(): void {
    const flight = this.#flight;
    this.#flight = null;
    // The owner may wake sessions while it looks at the flight; this one is not done with it yet.
    this.#handing = true;
    if (flight !== null) this.#owner.landed(this, flight, true);
    this.#handing = false;
    if (this.#end !== null || this.state !== 'idle') return;
    // One by one QUIT could not ride along, and the last transaction is still open.
    if (flight?.quits === true) this.#quit();
    else this.#ask();
  }

  /** Answers to commands that went out together may come together. */
  get #mayBunch(): boolean {
    return this.pipelining && (this.state === 'flight' || this.state === 'quitting' || this.state === 'idle');
  }

  /** More replies than commands, or another command's: whatever this flight seemed to say may belong to another command. */
  #outOfStep(): void {
    this.#stop('out_of_step', null, 'replies out of step');
  }

  // ---- ends ----

  #stop(how: SessionEnd['how'], reply: Reply | null, error: string | null): void {
    if (this.#end !== null || this.state === 'closed') return;
    this.#end = { how, stage: this.#stage(), reply, error };
    this.#reader.stop();
    this.#wire.destroy();
  }

  #closed(error: string | null): void {
    if (this.state === 'closed') return;
    const end = this.#end ?? unexpectedEnd(this.state, this.#stage(), error);
    const flight = this.#flight;
    this.#flight = null;
    this.state = 'closed';
    if (flight !== null) {
      // Not even the pace is learnt from what may be somebody else's.
      const isLost = end.how === 'timeout' && this.pipelining;
      if (end.how === 'out_of_step' || end.how === 'protocol' || isLost) flight.forgetReplies();
      this.#owner.landed(this, flight, flight.isAnswered && end.how !== 'out_of_step');
    }
    this.#owner.ended(this, end);
  }

  #stage(): Stage {
    const command = this.state === 'flight' ? this.#flight?.next : undefined;
    return command === undefined ? STAGES[this.state] : COMMAND_STAGES[command.kind];
  }

  #note(from: DialogueLine['from'], text: string): void {
    this.lines.add(this.#nowMs - this.startedAtMs, from, text);
  }

  #awaitReply(ms: number): void {
    this.deadlineMs = Math.min(this.#answerDueMs ?? this.#nowMs + ms, this.#overAtMs);
  }

  #await(ms: number): void {
    this.deadlineMs = Math.min(this.#nowMs + ms, this.#overAtMs);
  }
}
