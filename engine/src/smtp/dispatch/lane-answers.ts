// What becomes of a lane's recipients: those whose flight has landed, and those that no host can be asked about. Promise: each
// is asked again from the same source, or answered, and only one of these; no reply counts that is not known to be its
// recipient's own.

import { payerOf } from '@mxproof/common/fair-share';
import type { MailTarget } from '../../dns/domain-facts.ts';
import { isLargeProvider, providerOf } from '../../domain/provider.ts';
import { isRole } from '../../domain/role.ts';
import type { Command, Landing } from '../../state/answer.ts';
import type { Task } from '../../state/task.ts';
import type { ReplyReading } from '../../types.ts';
import { blocksUs } from '../../verdict/blocks-us.ts';
import { type MxHost, opensAtMs } from '../hosts/mx-host.ts';
import type { ShutPeriod } from '../hosts/parts/host-availability.ts';
import { senderBit, senderFor } from '../hosts/parts/senders.ts';
import type { Behalf } from '../hosts/refused-place.ts';
import { mayBeGivenTls, recipientBlocked, type Trouble } from '../hosts/shut-host.ts';
import {
  answerOf,
  budgetAnswer,
  dialogueOf,
  NO_REPLY,
  pausedAnswer,
  refusesAllAnswer,
  restingAnswer,
  shutAnswer,
} from '../knowledge/make-answer.ts';
import type { Flight } from '../session/flight.ts';
import { ownReplies, resetWordsIn } from '../session/seal.ts';
import type { Session } from '../session/session.ts';
import type { SessionEnd } from '../session/session-plan.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Lane } from './lane.ts';
import type { LaneSession } from './lane-session.ts';
import { commandsOf } from './seal-flight.ts';
import { reportLandings } from './wire-report.ts';

const MINUTE_MS = 60_000;
/** Then they come again, however many are ahead: the host may have accepted someone meanwhile. */
const TURN_MAX_MS = 10 * MINUTE_MS;

const NO_COMMANDS: ReadonlySet<Command> = new Set();

/** Hosts that refuse us still accept postmaster and abuse (Exim, Sendmail): an accepted role shows nothing. */
function isAnswered({ reading, command, task }: Landing): boolean {
  if (reading === null || blocksUs(reading) || command.kind !== 'rcpt') return false;
  return reading.meaning !== 'accepted' || !isRole(task.address);
}

/** Only from a sender that might be refused: there is nothing else to ask with instead of `<>`. */
function showsSenderAccepted({ reading, command, task }: Landing): boolean {
  return command.sender !== '' && reading?.meaning === 'accepted' && !isRole(task.address);
}

export class LaneAnswers {
  readonly #lane: Lane;
  readonly #dispatcher: Dispatcher;

  constructor(lane: Lane, dispatcher: Dispatcher) {
    this.#lane = lane;
    this.#dispatcher = dispatcher;
  }

  /** Everything is known to be its recipient's own. */
  tell(session: Session, at: LaneSession): void {
    this.#tellAll(session, at, null);
  }

  /** `counts`: what counts of a landing; null: all of it. */
  #tellAll(session: Session, at: LaneSession, counts: ((landing: Landing) => Landing) | null): void {
    for (const flight of at.flights) {
      if (flight.isTold) continue;
      flight.isTold = true;
      const landings = unsealedOf(flight);
      this.#landAll(counts === null ? landings : landings.map(counts), session, at, flight.sentAtMs);
    }
  }

  /** `sentAtMs`: when their flight had left. */
  #landAll(landings: readonly Landing[], session: Session, at: LaneSession, sentAtMs: number): void {
    const { mxHost } = at;
    // A host that answers about others of the flight has not refused us, in any words.
    const answered = landings.find(isAnswered);
    const isOpen = answered !== undefined;
    if (isOpen) {
      const { hostName } = session.plan.target;
      this.#lane.breaker.answered(mxHost, hostName, behalfOf(answered.task), this.#dispatcher.clock.now());
    }
    const { observer, payers } = this.#dispatcher.options;
    if (observer !== null) reportLandings(observer, this.#lane.placeOf(mxHost), landings, isOpen, payers);
    for (const landing of landings) {
      const { reading, command } = landing;
      const isBlock = reading !== null && blocksUs(reading) && command.kind === 'rcpt';
      if (isBlock && !isOpen) recipientBlocked(this.trouble(session, at), behalfOf(landing.task));
      this.#land(landing, session, at, sentAtMs);
    }
  }

  #land(landing: Landing, session: Session, { mxHost, queue }: LaneSession, sentAtMs: number): void {
    const { task, command, reading, act } = landing;
    if (act === 'dropped' || act === 'silent') task.drops += 1;
    if (showsSenderAccepted(landing))
      mxHost.senders.acceptedFor(task.domain.name, command.sender, this.#dispatcher.clock.now());
    const state = task.move({
      kind: 'sealed',
      landing,
      queue: this.#lane,
      drops: task.drops,
      hasOtherHost: act === 'silent' && this.#lane.hasOther(mxHost),
      hasOtherSender: act === 'other_sender' && this.#hasOtherSender(task, command, mxHost),
      canHaveTls: mayBeGivenTls(session),
    });
    if (state.at === 'queued') {
      if (state.place === 'front') queue.pushBack(task);
      else queue.push(task);
      return;
    }
    if (state.at !== 'answered') return;
    switch (state.by) {
      case 'reply':
        if (reading !== null) this.#say(task, session, 'reply', reading, command, sentAtMs);
        return;
      case 'dropped': {
        const unanswered = act === 'dropped' ? { ...command, reply: null } : command;
        this.#say(task, session, 'dropped', NO_REPLY.dropped, unanswered, sentAtMs);
        return;
      }
      case 'silent':
        this.#say(task, session, 'silent', NO_REPLY.silent, command, sentAtMs);
        return;
      default:
        state.by satisfies never;
    }
  }

  /** Its sender was refused: there may be one that was not. */
  #hasOtherSender(task: Task, { kind, sender }: Command, { senders }: MxHost): boolean {
    const nowMs = this.#dispatcher.clock.now();
    task.sendersRefused |= senderBit(sender);
    if (kind === 'rcpt') senders.refusedFor(task.domain.name, sender, nowMs);
    const other = senderFor(task, { senders }, this.#lane.mailFrom, nowMs);
    return (task.sendersRefused & senderBit(other)) === 0;
  }

  /** A session is over: its replies count as far as each is known to belong to its command; the rest is asked again. */
  settle(session: Session, at: LaneSession, end: SessionEnd): void {
    const { mxHost, flights } = at;
    if (flights.length === 0) return;
    if (end.how === 'done') {
      mxHost.replies.saidGoodbye();
      if (mxHost.replies.resetWords === null) mxHost.replies.sawResetWords(resetWordsIn(commandsOf(flights)));
      this.tell(session, at);
      return;
    }
    mxHost.replies.missedGoodbye();
    const own = this.#ownOf(commandsOf(flights), session, mxHost, end);
    this.#tellAll(session, at, (landing) => {
      // Neither asking again nor silence says anything about a mailbox.
      const isNoVerdict = landing.act === 'ask_again' || landing.act === 'silent';
      return isNoVerdict || own.has(landing.command)
        ? landing
        : { ...landing, act: 'dropped', reading: null };
    });
  }

  #ownOf(
    commands: readonly Command[],
    session: Session,
    mxHost: MxHost,
    { how }: SessionEnd,
  ): ReadonlySet<Command> {
    if (how === 'out_of_step' || how === 'protocol') return NO_COMMANDS;
    const { own, alike } = ownReplies(commands, session.greeted, mxHost.replies.resetWords);
    if (alike) mxHost.replies.sawAlike();
    // A pipelined flight may lack a reply, so that nothing of it counts; that its replies look alike was still learnt.
    if (session.pipelining) return NO_COMMANDS;
    if (mxHost.replies.resetWords === null) mxHost.replies.sawResetWords(resetWordsIn([...own]));
    return own;
  }

  /** The server cannot take this recipient at all. */
  unsupported(task: Task, session: Session): void {
    task.told(answerOf(task, session, 'no_smtputf8', NO_REPLY.no_smtputf8, null, this.#senderOf(task), []));
  }

  /** No address has answered yet: those whose domain was asked for IPv4 addresses only may have others. */
  toMoreAddresses(): void {
    const { breaker, queue } = this.#lane;
    for (const task of queue.takeAll()) {
      if (task.isDone) continue;
      const mayHaveMore = task.kind === 'real' && !task.domain.facts.isWhole;
      if (mayHaveMore) task.told(shutAnswer(null, null, breaker.name, this.#senderOf(task)));
      else queue.pushBack(task);
    }
  }

  /** Every address of every MX host is down or turns us away. */
  giveUp(target: MailTarget | undefined, shut: ShutPeriod | null): void {
    const { key, breaker, queue, alone, sinceMs } = this.#lane;
    const ip = target?.ip ?? null;
    const nowMs = this.#dispatcher.clock.now();
    const metByOthers = shut !== null && shut.unresponsive !== 'no' && shut.atMs < sinceMs ? shut : null;
    const isLarge = target !== undefined && isLargeProvider(providerOf(target.host));
    if (shut === null || shut.kind === 'unreachable')
      this.#dispatcher.unreached([...queue.holders, ...alone.holders], ip ?? key, isLarge);
    for (const waiting of [queue, alone]) {
      for (const task of waiting.takeAll()) {
        if (task.isDone) continue;
        const answer = shutAnswer(shut, ip, breaker.name, this.#senderOf(task));
        task.told(metByOthers === null ? answer : restingAnswer(answer, metByOthers, nowMs));
      }
    }
  }

  /** Those that may not ask here what others may: they are asked later, and the others need not wait for them. */
  giveUpHeldBack(nowMs: number): void {
    const { breaker, queue, alone, targets } = this.#lane;
    const [first] = targets;
    if (first === undefined || !targets.some(({ mxHost }) => this.#lane.mayHoldBack(mxHost))) return;
    let ahead = 0;
    for (const waiting of [queue, alone])
      for (const task of waiting.takeAll()) {
        if (task.isDone) continue;
        const shut = this.#restingFor(task, nowMs);
        if (shut !== null) task.told(shutAnswer(shut, first.target.ip, breaker.name, this.#senderOf(task)));
        else if (task.kind === 'real' && this.#isRefusedTooOften(task, nowMs)) {
          const { refusals, limits } = first.mxHost;
          const turnMs = Math.floor(ahead / refusals.recipientsPerMinute(limits)) * MINUTE_MS;
          ahead += 1;
          const inMs = MINUTE_MS + Math.min(TURN_MAX_MS, turnMs);
          task.told(refusesAllAnswer(first.target, breaker.name, this.#senderOf(task), inMs));
        } else waiting.push(task);
      }
  }

  /** Our source rests for this payer or domain at every host; while a session tries, it is waited for. */
  #restingFor(task: Task, nowMs: number): ShutPeriod | null {
    const { breaker, targets } = this.#lane;
    const behalf = behalfOf(task);
    let shut: ShutPeriod | null = null;
    for (const { mxHost, target } of targets) {
      if (!breaker.isRestingFor(mxHost, behalf, nowMs)) return null;
      shut ??= breaker.shutFor(mxHost, target.host, behalf, nowMs);
    }
    return shut;
  }

  #isRefusedTooOften({ holder }: Task, nowMs: number): boolean {
    const payer = payerOf(holder);
    const { targets, sessions } = this.#lane;
    return targets.every(({ mxHost }) => {
      const { refusals, limits } = mxHost;
      if (!refusals.isLimited(payer, limits)) return false;
      if (refusals.roomLeft(limits, nowMs, payer) === 0) return true;
      // What is open may still ask for it.
      return sessions.size === 0 && opensAtMs(mxHost, nowMs, payer) > nowMs;
    });
  }

  /** The host wants a longer pause than recipients are kept waiting for. */
  handBack(target: MailTarget | undefined, waitMs: number): void {
    const { answerCount, breaker, queue, alone } = this.#lane;
    for (const waiting of [queue, alone]) {
      for (const task of waiting.takeAll()) {
        if (task.isDone) continue;
        // A recipient that waited while others were answered used no attempt; if none was answered, it did.
        const counts = answerCount === task.hostAnswersBefore;
        task.told(pausedAnswer(target, breaker.name, this.#senderOf(task), waitMs, counts));
      }
    }
  }

  /** Those whose payer has had its share of the hour or day: the others need not wait for them. */
  sweepHeld(leastMs: number): void {
    const { breaker, queue, alone, targets } = this.#lane;
    const { permits } = breaker;
    if (!permits.areShared) return;
    const nowMs = this.#dispatcher.clock.now();
    for (const waiting of [queue, alone])
      for (const holder of waiting.holders) {
        const held = targets.map(({ mxHost }) =>
          permits.heldUntilMs(permits.budgetsAt(mxHost), holder, nowMs),
        );
        const waitMs = Math.min(...held.map((untilMs) => untilMs ?? 0)) - nowMs;
        if (waitMs <= leastMs) continue;
        for (const task of waiting.takeOf(holder))
          if (!task.isDone)
            task.told(budgetAnswer(targets[0]?.target, breaker.name, this.#senderOf(task), waitMs));
      }
  }

  /** The policy's limit per hour or day is used up. */
  awaitBudget(target: MailTarget | undefined, waitMs: number): void {
    const { breaker, queue, alone } = this.#lane;
    for (const waiting of [queue, alone])
      for (const task of waiting.takeAll())
        if (!task.isDone) task.told(budgetAnswer(target, breaker.name, this.#senderOf(task), waitMs));
  }

  /**
   * The host refuses everyone, and its minute is used up: each recipient comes back when its turn may be, which is not the
   * next minute for all of them. What is asked for a domain's sake stays, since answers that were given wait for it.
   */
  comeBackInTurn(target: MailTarget | undefined, waitMs: number, perMinute: number): void {
    const { breaker, queue, alone } = this.#lane;
    let ahead = 0;
    for (const waiting of [queue, alone]) {
      for (const task of waiting.takeAll()) {
        if (task.isDone) continue;
        const turnMs = Math.floor(ahead / perMinute) * MINUTE_MS;
        ahead += 1;
        if (task.kind !== 'real' && turnMs < TURN_MAX_MS) waiting.push(task);
        else {
          const inMs = waitMs + Math.min(TURN_MAX_MS, turnMs);
          task.told(refusesAllAnswer(target, breaker.name, this.#senderOf(task), inMs));
        }
      }
    }
  }

  trouble(session: Session, { mxHost, behalf }: LaneSession): Trouble {
    const { clock, egress, options } = this.#dispatcher;
    const { downMs, readReply } = options;
    const { breaker } = this.#lane;
    const hasOther = this.#lane.hasOther(mxHost);
    return { mxHost, session, breaker, egress, nowMs: clock.now(), downMs, readReply, hasOther, behalf };
  }

  #senderOf(task: Task): string {
    return task.boundSender ?? this.#lane.mailFrom;
  }

  #say(
    task: Task,
    session: Session,
    kind: 'reply' | 'dropped' | 'silent',
    reading: ReplyReading,
    command: Command,
    sentAtMs: number,
  ): void {
    const dialogue = this.#dispatcher.options.evidence ? dialogueOf(task, command, sentAtMs) : [];
    const { reply, sender } = command;
    task.told(answerOf(task, session, kind, reading, reply, sender, dialogue));
  }
}

function behalfOf({ holder, domain }: Task): Behalf {
  return { payer: payerOf(holder), domain: domain.name };
}

/** What a flight's replies seem to say, as its recipients keep it. */
function unsealedOf(flight: Flight): Landing[] {
  const landings: Landing[] = [];
  for (const { task } of flight.commands)
    if (task?.state.at === 'unsealed' && task.state.flight === flight) landings.push(task.state.landing);
  return landings;
}
