// Learns what the way a session ended teaches about its host (host-lessons.ts has the table). Changes only the MX host it
// is given, and the record of hosts that refuse our source. Promise: a host that cannot be reached, turns us away or
// blocks us is left alone for a while (shut-host.ts).
import { connectionFull, connectRateExceeded, connectRefused } from '../../pace/pace.ts';
import type { Reply, ReplyReading } from '../../types.ts';
import { blocksUs } from '../../verdict/blocks-us.ts';
import { isTemporary } from '../../verdict/is-temporary.ts';
import type { SessionEnd } from '../session/session-plan.ts';
import { type EndFacts, type Lesson, lessonsOf, placeOf } from './host-lessons.ts';
import { endsAsKnown, slower } from './mx-host.ts';
import { SILENCE_MS, UNRESPONSIVE_TIMES } from './parts/host-silence.ts';
import {
  foundInProxy,
  sessionBlocked,
  shutAsBlocking,
  shutAsDown,
  shutAsRefusing,
  shutAsSlow,
  type Trouble,
} from './shut-host.ts';

/** A host that ends a session for its errors, in its own words. */
const TOO_MANY_ERRORS = /\berrors?\b|\btoo many (?:bad|invalid|unknown|unrecogni[sz]ed)\b/i;
/** A host that counts connections by the minute (Postfix's anvil: "Connection rate limit exceeded"). */
const TOO_OFTEN = /\brate\b|\bper (?:second|minute|hour)\b|\btoo (?:often|fast|frequent|quickly)\b/i;

/** The refusal that ended a session. */
interface EndingRefusal {
  readonly reply: Reply;
  readonly reading: ReplyReading;
}

export function learnFromEnd(trouble: Trouble, end: SessionEnd): void {
  if (foundInProxy(trouble, end)) return;
  const refusal = refusalOf(trouble, end);
  const ended = endFactsOf(trouble, end, refusal);
  for (const lesson of lessonsOf(ended)) learn(lesson, trouble, end, ended, refusal);
}

/** What it was refused with before MAIL; from MAIL on, only if that is surely about us. */
function refusalOf({ readReply, mxHost }: Trouble, { how, stage, reply }: SessionEnd): EndingRefusal | null {
  if (how !== 'refused' || stage === 'starttls' || reply === null || reply.code < 400) return null;
  const reading = readReply(stage, reply, mxHost.provider);
  const isSure = blocksUs(reading) && reading.by === 'wording' && reading.clarity !== 'vague';
  return placeOf(stage) === 'asking' && !isSure ? null : { reply, reading };
}

function endFactsOf(trouble: Trouble, end: SessionEnd, refusal: EndingRefusal | null): EndFacts {
  const { mxHost, session, nowMs } = trouble;
  const { how, stage, reply } = end;
  const at = placeOf(stage);
  const early = at === 'asking' ? null : refusal;
  // 421 is counted among the errors of a session that it ends while it asks.
  const own = at === 'asking' && how !== 'no_goodbye' && reply !== null ? 1 : 0;
  return {
    how,
    at,
    reply: replyKind(reply, early),
    isBlock: refusal?.reading.meaning === 'blocked',
    isRate: early !== null && TOO_OFTEN.test(early.reply.lines.join(' ')),
    namesWait: early !== null && early.reading.retryAfterMs !== null,
    hasInside: mxHost.availability.inside > 0,
    pipelining: session.pipelining,
    tls: session.tls,
    heloOnly: session.plan.heloOnly,
    flights: session.flights,
    errors: session.refusals - own,
    endedRefused: mxHost.answers.endedRefused,
    isKnown: endsAsKnown(mxHost, nowMs),
    saysGoodbye: mxHost.replies.goodbye === 'said',
  };
}

function replyKind(reply: Reply | null, refusal: EndingRefusal | null): EndFacts['reply'] {
  if (reply === null) return 'none';
  if (refusal === null) return 'other';
  return isTemporary(refusal.reading, reply) ? 'for_now' : 'for_good';
}

function learn(
  lesson: Lesson,
  trouble: Trouble,
  end: SessionEnd,
  ended: EndFacts,
  refusal: EndingRefusal | null,
): void {
  const { mxHost, session, breaker, nowMs } = trouble;
  const { pace, availability, greeting, replies, silence } = mxHost;
  switch (lesson) {
    case 'heard':
      silence.ended(breaker.name);
      // A first try would not have waited for it.
      if (session.readyAfterMs > session.plan.timeouts.replyMs) silence.answeredLate(nowMs);
      return;
    case 'maybe_our_network':
      silence.ended(breaker.name);
      return;
    case 'unresponsive':
      foundUnresponsive(trouble, end);
      return;
    case 'no_tls':
      greeting.handshakeFailed(nowMs);
      return;
    case 'helo':
      greeting.hungUpOnEhlo();
      return;
    case 'one_by_one':
      replies.mixedUp(nowMs);
      return;
    case 'fewer_errors':
      hungUpAfterErrors(trouble, end, ended.errors);
      return;
    case 'connection_used_up':
      connectionUsedUp(trouble);
      return;
    case 'half_a_connection':
      connectionFull(pace, Math.floor(session.recipients / 2), nowMs);
      return;
    case 'comes_too_often':
      connectRateExceeded(pace, availability.inside, nowMs);
      return;
    case 'door_full':
      pausingNewcomers(trouble, () =>
        connectRefused(pace, availability.inside, nowMs, refusal?.reading.retryAfterMs ?? null),
      );
      return;
    case 'slower':
      pausingNewcomers(trouble, () =>
        slower(mxHost, trouble.behalf.payer, nowMs, refusal?.reading.retryAfterMs ?? null),
      );
      return;
    case 'down':
      shutAsDown(trouble, end, 'no');
      return;
    case 'broke_off':
      if (availability.brokeOff()) shutAsDown(trouble, end, 'no');
      return;
    case 'too_slow':
      shutAsSlow(trouble);
      return;
    case 'refuses':
    case 'refuses_for_now':
    case 'blocks':
    case 'blocks_for_now':
      if (refusal !== null) turnAway(lesson, trouble, refusal, ended.at !== 'asking');
      return;
    default:
      lesson satisfies never;
  }
}

function turnAway(
  lesson: Extract<Lesson, 'refuses' | 'refuses_for_now' | 'blocks' | 'blocks_for_now'>,
  trouble: Trouble,
  { reading, reply }: EndingRefusal,
  isToAll: boolean,
): void {
  switch (lesson) {
    case 'refuses':
      shutAsRefusing(trouble, reading, { temporary: false });
      return;
    case 'refuses_for_now':
      shutAsRefusing(trouble, reading, { temporary: true, busy: trouble.mxHost.answers.count > 0 });
      return;
    case 'blocks':
      shutAsBlocking(trouble, reading, reply);
      return;
    case 'blocks_for_now':
      sessionBlocked(trouble, reading, reply, isToAll);
      return;
    default:
      lesson satisfies never;
  }
}

/** The pause that this begins is for new connections: sessions inside go on. */
function pausingNewcomers({ mxHost: { pace, availability } }: Trouble, pause: () => void): void {
  const before = pace.pausedUntilMs;
  pause();
  if (pace.pausedUntilMs !== before) availability.pausedNewcomers(pace.pausedUntilMs);
}

/** Silent twice in a row: not every recipient has to wait for its own time-out. */
function foundUnresponsive(trouble: Trouble, end: SessionEnd): void {
  const { mxHost, session, breaker, nowMs } = trouble;
  const { answers, silence } = mxHost;
  const about = end.stage === 'rcpt' ? answers.silentAbout : null;
  const answersOthers = about !== null && nowMs - answers.lastAtMs < SILENCE_MS;
  const { startedAtMs } = session;
  const { times, isAgain } = silence.fell(breaker.name, { startedAtMs, nowMs, about, answersOthers });
  // It may be this recipient alone: the host is left to the others, unless there is another host to ask.
  if (about !== null && !isAgain && !trouble.hasOther) return;
  if (times === UNRESPONSIVE_TIMES) shutAsDown(trouble, end, 'believed');
  // Twice: the next session only has to show that our own network works.
  else if (times === 1) shutAsDown(trouble, end, 'once');
}

/** 421 after some answers: a limit of recipients per connection (Exim's smtp_accept_max_per_connection). */
function connectionUsedUp({ mxHost, session, nowMs }: Trouble): void {
  const answered = session.recipients - mxHost.answers.unansweredLast;
  if (answered !== 0) connectionFull(mxHost.pace, answered, nowMs);
}

/** Some hosts tolerate fewer errors than Postfix does by default. `drawn`: errors before the end. */
function hungUpAfterErrors({ mxHost, nowMs }: Trouble, end: SessionEnd, drawn: number): void {
  const { errors, answers, replies } = mxHost;
  if (drawn > 1) {
    errors.hungUpAfter(drawn, nowMs);
    return;
  }
  const saysSo = end.reply !== null && TOO_MANY_ERRORS.test(end.reply.lines.join(' '));
  // It says no 221 after an error: only one by one can its earlier replies be matched to their commands.
  if (answers.endedRefused && errors.hungUpAfterFirst(saysSo, nowMs)) replies.mixedUp(nowMs);
}
