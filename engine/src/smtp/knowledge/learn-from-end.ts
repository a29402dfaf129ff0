// What the way a session ended teaches about its host. Changes only the exchanger it is given, and who refuses our
// source. Promise: a host that cannot be reached, turns us away or blocks us is left alone for a while (shut-host.ts).
//
//   open ──cannot connect, silent, garbage──▶ shut for a moment (silent twice in a row: for an hour) ──▶ open
//     ├──4xx before RCPT──▶ slower, and shut for a moment unless others of us are inside
//     ├──too slow to read──▶ shut for a moment (twice within an hour: for an hour) from every source
//     └──5xx before RCPT──▶ shut for a moment (blocked: the source rests, source-breaker.ts)
import { cameTooOften, connectionFull, doorFull } from '../../pace/pace.ts';
import type { Reply, ReplyReading } from '../../types.ts';
import type { SessionEnd } from '../session/session-plan.ts';
import { isTemporary } from './answer.ts';
import { endsAsKnown, slower } from './exchanger.ts';
import { MUTE_TIMES, SILENCE_MS } from './host-silence.ts';
import {
  sessionBlocked,
  shutAsBlocking,
  shutAsDown,
  shutAsRefusing,
  shutAsSlow,
  type Trouble,
} from './shut-host.ts';

/** A host that ends a session for its errors, in its own words. */
const TOO_MANY_ERRORS = /\berrors?\b|\btoo many (?:bad|invalid|unknown|unrecogni[sz]ed)\b/i;
/** A door that counts connections by the minute (Postfix's anvil: "Connection rate limit exceeded"). */
const TOO_OFTEN = /\brate\b|\bper (?:second|minute|hour)\b|\btoo (?:often|fast|frequent|quickly)\b/i;

export function learnFromEnd(trouble: Trouble, end: SessionEnd): void {
  const { exchanger, session } = trouble;
  const isAsking = end.stage === 'mail' || end.stage === 'rcpt' || end.stage === 'rset';
  switch (end.how) {
    case 'done':
      notSilent(trouble);
      return;
    case 'no_goodbye':
      leftWithoutGoodbye(trouble, end);
      return;
    case 'tls_failed':
      exchanger.greeting.handshakeFailed(trouble.nowMs);
      return;
    case 'out_of_step':
      exchanger.replies.mixedUp(trouble.nowMs);
      if (!session.pipelining) hostFailed(trouble, end);
      return;
    case 'too_slow':
      shutAsSlow(trouble);
      return;
    case 'unconnected':
      // Our own line may be down, and may have been before.
      exchanger.silence.ended(trouble.source.ip);
      hostFailed(trouble, end);
      return;
    case 'refused':
      notSilent(trouble);
      if (isAsking) brokeOff(trouble, end);
      else if (end.reply === null || end.reply.code < 400 || end.stage === 'starttls') noAnswer(trouble, end);
      else turnedAway(trouble, trouble.readReply(end.stage, end.reply, exchanger.provider), end.reply);
      return;
    case 'dropped':
    case 'timeout':
    case 'protocol':
      if (isAsking) brokeOff(trouble, end);
      else noAnswer(trouble, end);
      return;
    default:
      end.how satisfies never;
  }
}

/** It has ended the session in its own words or ours: whatever it said, it was not silent. */
function notSilent({ exchanger, session, source, nowMs }: Trouble): void {
  exchanger.silence.ended(source.ip);
  // A first try would not have waited for it.
  if (session.readyAfterMs > session.plan.timeouts.replyMs) exchanger.silence.answeredLate(nowMs);
}

/** Greeted, it hung up, was silent or spoke out of turn. */
function noAnswer(trouble: Trouble, end: SessionEnd): void {
  const { session, exchanger, nowMs } = trouble;
  // What goes wrong at STARTTLS or right after the handshake went wrong with it.
  if (end.stage === 'starttls' || (end.stage === 'ehlo' && session.tls))
    exchanger.greeting.handshakeFailed(nowMs);
  else if (end.stage === 'ehlo' && end.how === 'dropped' && !session.plan.heloOnly)
    exchanger.greeting.hungUpOnEhlo();
  else hostFailed(trouble, end);
}

/** Cannot be reached, said nothing in time, or spoke no SMTP. */
function hostFailed(trouble: Trouble, end: SessionEnd): void {
  if (end.how === 'timeout') wentMute(trouble, end);
  else shutAsDown(trouble, end, 'no');
}

/** It had its time: silence twice in a row need not be found out by every recipient anew. */
function wentMute(trouble: Trouble, end: SessionEnd): void {
  const { exchanger, session, source, nowMs } = trouble;
  const { answers, silence } = exchanger;
  const about = end.stage === 'rcpt' ? answers.silentAbout : null;
  const answersOthers = about !== null && nowMs - answers.lastAtMs < SILENCE_MS;
  const { startedAtMs } = session;
  const { times, isAgain } = silence.fell(source.ip, { startedAtMs, nowMs, about, answersOthers });
  // It may be this recipient alone: the host is left to the others, unless there is another host to ask.
  if (about !== null && !isAgain && !trouble.hasOther) return;
  if (times === MUTE_TIMES) shutAsDown(trouble, end, 'believed');
  // Twice: the next session need only see that our own line stands.
  else if (times === 1) shutAsDown(trouble, end, 'once');
}

/** A reply before RCPT: says nothing about a mailbox, and the next exchanger may be kinder. */
function turnedAway(trouble: Trouble, reading: ReplyReading, reply: Reply): void {
  const { exchanger, nowMs } = trouble;
  if (!isTemporary(reading, reply)) {
    if (reading.meaning === 'blocked') shutAsBlocking(trouble, reading, reply);
    else shutAsRefusing(trouble, reading, { temporary: false });
    return;
  }
  if (reading.meaning === 'blocked') sessionBlocked(trouble, reading, reply);
  const { pace, door } = exchanger;
  const { inside } = door;
  const before = pace.pausedUntilMs;
  const isRate = TOO_OFTEN.test(reply.lines.join(' '));
  if (isRate) cameTooOften(pace, inside, nowMs);
  // A door shut for one connection while others are inside is about their number: those go on, no new one comes for now.
  if (inside > 0 && !isRate) doorFull(pace, inside, nowMs, reading.retryAfterMs);
  else if (!isRate || reading.retryAfterMs !== null) slower(exchanger, nowMs, reading.retryAfterMs);
  if (pace.pausedUntilMs !== before) door.pausedNewcomers(pace.pausedUntilMs);
  if (inside > 0) return;
  shutAsRefusing(trouble, reading, { temporary: true, busy: exchanger.answers.count > 0 });
}

/** Everything was answered, and nothing of it is sealed: once may be chance, where 221 was heard the last time. */
function leftWithoutGoodbye(trouble: Trouble, end: SessionEnd): void {
  const { exchanger, session, nowMs } = trouble;
  if (session.flights === 0 || endsAsKnown(exchanger, nowMs)) return;
  if (end.reply !== null) hungUpAfterErrors(trouble, end, session.refusals);
  if (session.pipelining && exchanger.replies.goodbye !== 'said') exchanger.replies.mixedUp(nowMs);
}

/** The line broke while recipients were on it: the host is asked more gently, or not at all. */
function brokeOff(trouble: Trouble, end: SessionEnd): void {
  const { exchanger, session, nowMs } = trouble;
  if (endsAsKnown(exchanger, nowMs)) return;
  if (session.pipelining && (end.how === 'timeout' || (end.how === 'dropped' && session.flights === 1)))
    exchanger.replies.mixedUp(nowMs);
  if (end.how === 'refused' && !exchanger.answers.endedRefused) connectionUsedUp(trouble);
  else if (session.flights > 1) connectionFull(exchanger.pace, Math.floor(session.recipients / 2), nowMs);
  hungUpAfterErrors(trouble, end, session.refusals - (end.reply === null ? 0 : 1));
  // Asked one by one it had all the time a server is given: another session would be silent too.
  if (end.how === 'timeout' && !session.pipelining) {
    wentMute(trouble, end);
    return;
  }
  // In a flight a reply may have been lost: that is not silence.
  if (exchanger.door.brokeOff()) shutAsDown(trouble, end, 'no');
}

/** 421 after some answers: so many per connection is what it gives (Exim's smtp_accept_max_per_connection). */
function connectionUsedUp({ exchanger, session, nowMs }: Trouble): void {
  const answered = session.recipients - exchanger.answers.unansweredLast;
  if (answered !== 0) connectionFull(exchanger.pace, answered, nowMs);
}

/** Some hosts tolerate fewer errors than Postfix does by default. `drawn`: errors before the end. */
function hungUpAfterErrors({ exchanger, nowMs }: Trouble, end: SessionEnd, drawn: number): void {
  const { errors, answers, replies } = exchanger;
  if (end.how === 'timeout' || drawn < 1) return;
  if (drawn > 1) {
    errors.hungUpAfter(drawn, nowMs);
    return;
  }
  const saysSo = end.reply !== null && TOO_MANY_ERRORS.test(end.reply.lines.join(' '));
  // It says no 221 after an error: only one by one is it known whose replies it gave before.
  if (answers.endedRefused && errors.hungUpAfterFirst(saysSo, nowMs)) replies.mixedUp(nowMs);
}
