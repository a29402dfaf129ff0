// What a host's bad moments teach. Changes only the exchanger it is given, and who blocks which source.
// Promise: a host that cannot be reached, turns us away or blocks us is left alone for a while, and nothing of that
// is held against a mailbox.
//
//   open ──cannot connect, silent, garbage──▶ shut for a moment (silent twice in a row: for an hour) ──▶ open
//     ├──4xx before RCPT──▶ slower, and shut for a moment unless others of us are inside
//     └──5xx before RCPT, three blocks in a row──▶ shut (blocked: for a quarter of an hour, from this source)
import {
  answeredWell,
  askedTooMany,
  cameTooOften,
  connectionFull,
  doorFull,
  transactionFull,
  troubled,
} from '../../pace/pace.ts';
import type { Reply, ReplyReading } from '../../types.ts';
import { CLOSING, type Flight } from '../session/flight.ts';
import type { Session } from '../session/session.ts';
import type { SessionEnd } from '../session/session-plan.ts';
import type { Mute } from '../session/task.ts';
import { isTemporary } from './answer.ts';
import type { Egress, Source } from './egress.ts';
import { type Exchanger, heardFrom, refusalsBorne } from './exchanger.ts';
import type { FlightLanding, Landing, ReadReply } from './read-flight.ts';
import { senderBit } from './senders.ts';
import { fellSilent, MUTE_TIMES, SILENCE_MS } from './silence.ts';

/** Sessions in a row that end in the middle without one answer, before the host is left alone. */
const BARREN_SESSIONS_MAX = 2;
const BLOCKS_UNTIL_SHUT = 3;
const EHLO_DROPS_TELLING = 2;
/** How fast the share of refusals follows what is seen. */
const REFUSAL_SHARE_STEP = 0.1;
const BLOCKED_MS = 15 * 60_000;
const NO_TLS_MS = 10 * 60_000;
/** How long a host that hung up on us is asked for less in a session. */
const FEWER_MS = 60 * 60_000;
const ONE_BY_ONE_MS = 60 * 60_000;
/** A line that ends at its first error has other reasons as often as that one: unless it says so, it must do so again. */
const FIRST_ERRORS_TELLING = 2;
const TOO_MANY_ERRORS = /\berrors?\b|\btoo many (?:bad|invalid|unknown|unrecogni[sz]ed)\b/i;
/** A door that counts connections by the minute (Postfix's anvil: "Connection rate limit exceeded"). */
const TOO_OFTEN = /\brate\b|\bper (?:second|minute|hour)\b|\btoo (?:often|fast|frequent|quickly)\b/i;
const PUT_OFF_TELLING = 3;
const EVERY_SENDER = senderBit('') | senderBit('configured');

export interface Trouble {
  readonly exchanger: Exchanger;
  readonly session: Session;
  readonly source: Source;
  readonly egress: Egress;
  readonly nowMs: number;
  readonly downMs: number;
  readonly readReply: ReadReply;
  /** Another address may be asked instead of this one. */
  readonly hasOther: boolean;
}

/** What a flight's replies show of its host. */
export function learnFromFlight(
  exchanger: Exchanger,
  session: Session,
  flight: Flight,
  landing: FlightLanding,
  nowMs: number,
): void {
  exchanger.answers += landing.answered;
  exchanger.lastUnanswered = flight.recipients - landing.answered;
  exchanger.lastRefused = isLastRefused(flight);
  exchanger.lastSilentAbout = landing.silentAbout;
  if (landing.wantsTls && !session.tls) exchanger.demandsTls = true;
  if (!exchanger.heloOnly) exchanger.ehloDrops = 0;
  // Without EHLO there is no STARTTLS: what it wants now it must have offered once.
  else if (landing.mailRefused?.meaning === 'tls_required') exchanger.heloOnly = false;
  if (landing.answered > 0) {
    exchanger.dropsInARow = 0;
    heardFrom(exchanger, session.plan.target.source, nowMs);
    const putOff = landing.trouble ? landing.landings.filter(isPutOff).length : 0;
    answeredWell(exchanger.pace, Math.max(0, landing.answered - putOff), nowMs);
    // One or two may be about a mailbox that gets too much mail.
    if (putOff >= PUT_OFF_TELLING && putOff >= landing.answered / 2) askedTooMany(exchanger.pace, nowMs);
    const share = landing.refusedRecipients / landing.answered;
    exchanger.refusalShare += (share - exchanger.refusalShare) * REFUSAL_SHARE_STEP;
  }
  if (landing.outOfStep) askOneByOne(exchanger, nowMs);
  if (landing.transactionTook !== null && !landing.landings.some(isPutOff))
    transactionFull(exchanger.pace, landing.transactionTook, nowMs);
  exchanger.sendersTaken |= landing.sendersTaken;
  exchanger.sendersRefused |= landing.sendersRefused & ~landing.sendersTaken;
}

/** Whoever loses or mixes up the replies of a flight may have been mended within the hour. */
function askOneByOne(exchanger: Exchanger, nowMs: number): void {
  exchanger.oneByOneUntilMs = nowMs + ONE_BY_ONE_MS;
}

/** It speaks in clear, and STARTTLS was said only if it was offered: another session can give what is wanted. */
export function mayBeGivenTls({ plan, tls }: Session): boolean {
  return !tls && plan.mayTls && !plan.demandsTls;
}

/** "Too many recipients", said to the first of a transaction or as a policy (4.7.1), is not about the transaction. */
function isPutOff({ act, command, reading }: Landing): boolean {
  if (reading?.meaning === 'rate_limited') return true;
  if (reading?.meaning !== 'too_many_recipients') return false;
  return act === 'answer' || command.reply?.enhanced?.startsWith('4.7.') === true;
}

/** What the way a session ended shows of its host. */
export function learnFromEnd(trouble: Trouble, end: SessionEnd): void {
  const { exchanger, session } = trouble;
  const inside = end.stage === 'mail' || end.stage === 'rcpt' || end.stage === 'rset';
  switch (end.how) {
    case 'done':
      notSilent(trouble);
      return;
    case 'no_goodbye':
      leftWithoutGoodbye(trouble, end);
      return;
    case 'tls_failed':
      tlsFailed(trouble);
      return;
    case 'out_of_step':
      askOneByOne(exchanger, trouble.nowMs);
      if (!session.pipelining) hostFailed(trouble, end);
      return;
    case 'unconnected':
      // It may be our line that is down, and was before.
      exchanger.silences.delete(trouble.source.ip);
      hostFailed(trouble, end);
      return;
    case 'refused':
      notSilent(trouble);
      if (inside) brokeOff(trouble, end);
      else if (end.reply === null || end.reply.code < 400 || end.stage === 'starttls') noAnswer(trouble, end);
      else turnedAway(trouble, trouble.readReply(end.stage, end.reply, exchanger.provider), end.reply);
      return;
    case 'dropped':
    case 'timeout':
    case 'protocol':
      if (inside) brokeOff(trouble, end);
      else noAnswer(trouble, end);
      return;
    default:
      end.how satisfies never;
  }
}

/** It has ended the session in its own words or ours: whatever it said, it was not silent. */
function notSilent({ exchanger, session, source, nowMs }: Trouble): void {
  exchanger.silences.delete(source.ip);
  // A first try would not have waited for it.
  if (session.readyAfterMs > session.plan.timeouts.replyMs) exchanger.lateUntilMs = nowMs + SILENCE_MS;
}

/** Greeted, it hung up, was silent or spoke out of turn. */
function noAnswer(trouble: Trouble, end: SessionEnd): void {
  const { session } = trouble;
  // What goes wrong at STARTTLS or right behind the handshake went wrong with it.
  if (end.stage === 'starttls' || (end.stage === 'ehlo' && session.tls)) tlsFailed(trouble);
  else if (end.stage === 'ehlo' && end.how === 'dropped' && !session.plan.heloOnly) hungUpOnEhlo(trouble);
  else hostFailed(trouble, end);
}

/** Some very old servers do, always; any server may once, and greeted with HELO it could not be given its TLS. */
function hungUpOnEhlo({ exchanger }: Trouble): void {
  exchanger.ehloDrops += 1;
  if (exchanger.ehloDrops >= EHLO_DROPS_TELLING) exchanger.heloOnly = true;
}

/** Cannot be reached, said nothing in time, or spoke no SMTP. */
function hostFailed(trouble: Trouble, end: SessionEnd): void {
  if (end.how === 'timeout') wentMute(trouble, end);
  else down(trouble, end, 'no');
}

/** It had its time: what is silent twice in a row need not be found out by everybody anew. */
function wentMute(trouble: Trouble, end: SessionEnd): void {
  const { exchanger, session, source, nowMs } = trouble;
  const about = end.stage === 'rcpt' ? exchanger.lastSilentAbout : null;
  const answersOthers = about !== null && nowMs - exchanger.answeredAtMs < SILENCE_MS;
  const fell = { startedAtMs: session.startedAtMs, nowMs, about, answersOthers };
  const { times, isAgain } = fellSilent(exchanger.silences, source.ip, fell);
  // It may be this recipient alone: the host is left to the others, unless there is another one to ask.
  if (about !== null && !isAgain && !trouble.hasOther) return;
  if (times === MUTE_TIMES) down(trouble, end, 'believed');
  // Twice: whoever is next need only see that our own line stands.
  else if (times === 1) down(trouble, end, 'once');
}

function down(trouble: Trouble, end: SessionEnd, mute: Mute): void {
  const { exchanger, session, source, nowMs, downMs } = trouble;
  const rule = `connection: ${end.error ?? end.how} at ${end.stage}`;
  exchanger.shut.set(source.ip, {
    atMs: nowMs,
    untilMs: nowMs + (mute === 'believed' ? SILENCE_MS : downMs),
    meaning: null,
    temporary: true,
    busy: false,
    rule:
      mute === 'believed'
        ? `${rule}, twice in a row, last ${timeWords(nowMs)}: not asked again for an hour`
        : rule,
    dialled: end.how !== 'unconnected',
    connected: session.spoke,
    mute,
    retryAfterMs: null,
    host: session.plan.target.hostName,
    tls: session.tls,
    session: session.lines,
  });
}

/** `at 2030-01-01 00:03:05 UTC`. */
function timeWords(atMs: number): string {
  return `at ${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A reply before RCPT: says nothing about a mailbox, and the next exchanger may be kinder. */
function turnedAway(trouble: Trouble, reading: ReplyReading, reply: Reply): void {
  const { exchanger, nowMs, downMs } = trouble;
  if (!isTemporary(reading, reply)) {
    if (reading.meaning === 'blocked') blocked(trouble, reading);
    else shut(trouble, nowMs + downMs, reading, false);
    return;
  }
  const { pace, inside } = exchanger;
  const before = pace.pausedUntilMs;
  const isRate = TOO_OFTEN.test(reply.lines.join(' '));
  if (isRate) cameTooOften(pace, inside, nowMs);
  // A door shut for one connection while others are inside is about their number: those go on, nobody new comes for now.
  if (inside > 0 && !isRate) doorFull(pace, inside, nowMs, reading.retryAfterMs);
  else if (!isRate || reading.retryAfterMs !== null) slower(exchanger, nowMs, reading.retryAfterMs);
  if (pace.pausedUntilMs !== before) exchanger.doorPausedUntilMs = pace.pausedUntilMs;
  if (inside > 0) return;
  shut(trouble, nowMs + downMs, reading, true, exchanger.answers > 0);
}

/** Nobody gets past MAIL here: what waits in the queue need not find that out one by one. */
export function senderRefused(trouble: Trouble, reading: ReplyReading, reply: Reply, mailFrom: string): void {
  // A parameter that is not taken concerns those who need it; another sender may be taken.
  if (reading.meaning === 'protocol') return;
  if (reading.meaning === 'tls_required' && mayBeGivenTls(trouble.session)) return;
  const triedAll = mailFrom === '' || trouble.exchanger.sendersRefused === EVERY_SENDER;
  if (reading.meaning === 'sender_refused' && !triedAll) return;
  const temporary = isTemporary(reading, reply);
  if (reading.meaning === 'blocked' && !temporary) blocked(trouble, reading);
  else shut(trouble, trouble.nowMs + trouble.downMs, reading, temporary);
}

/** One refusal may be about one recipient; several in a row are about us. */
export function blockedOnce(trouble: Trouble, reading: ReplyReading): void {
  trouble.exchanger.blocksInARow += 1;
  if (trouble.exchanger.blocksInARow >= BLOCKS_UNTIL_SHUT) blocked(trouble, reading);
}

/** Everything was answered, and nothing of it is sealed: once may be chance, where 221 was heard the last time. */
function leftWithoutGoodbye(trouble: Trouble, end: SessionEnd): void {
  const { exchanger, session } = trouble;
  if (session.flights === 0 || endsAsKnown(exchanger, trouble.nowMs)) return;
  if (end.reply !== null) hungUpAfterErrors(trouble, end, session.refusals);
  if (session.pipelining && exchanger.goodbye !== 'said') askOneByOne(exchanger, trouble.nowMs);
}

/** The line broke while recipients were on it: the host is asked more gently, or not at all. */
function brokeOff(trouble: Trouble, end: SessionEnd): void {
  const { exchanger, session } = trouble;
  if (endsAsKnown(exchanger, trouble.nowMs)) return;
  if (session.pipelining && (end.how === 'timeout' || (end.how === 'dropped' && session.flights === 1)))
    askOneByOne(exchanger, trouble.nowMs);
  if (end.how === 'refused' && !exchanger.lastRefused) saidGoodbye(trouble);
  else if (session.flights > 1)
    connectionFull(exchanger.pace, Math.floor(session.recipients / 2), trouble.nowMs);
  hungUpAfterErrors(trouble, end, session.refusals - (end.reply === null ? 0 : 1));
  // Asked one by one it had all the time a server is given: another session would be silent too.
  if (end.how === 'timeout' && !session.pipelining) {
    wentMute(trouble, end);
    return;
  }
  exchanger.dropsInARow += 1;
  // In a flight a reply may have been lost: that is not silence.
  if (exchanger.dropsInARow > BARREN_SESSIONS_MAX) down(trouble, end, 'no');
}

/** 421 after some answers: so many a connection is what it gives (Exim's smtp_accept_max_per_connection). */
function saidGoodbye({ exchanger, session, nowMs }: Trouble): void {
  const answered = session.recipients - exchanger.lastUnanswered;
  if (answered === 0) return;
  connectionFull(exchanger.pace, answered, nowMs);
}

/** Some bear fewer errors than Postfix does as it comes: sessions end before the one that was too many. */
function hungUpAfterErrors({ exchanger, nowMs }: Trouble, end: SessionEnd, drawn: number): void {
  if (end.how === 'timeout' || drawn < 1) return;
  if (drawn === 1) {
    if (!exchanger.lastRefused) return;
    exchanger.firstErrorEnds += 1;
    const says = end.reply !== null && TOO_MANY_ERRORS.test(end.reply.lines.join(' '));
    if (!says && exchanger.firstErrorEnds < FIRST_ERRORS_TELLING) return;
    exchanger.endsAtFirstError = true;
    // It says no 221 behind an error: only one by one is it known whose replies it gave before.
    askOneByOne(exchanger, nowMs);
  }
  exchanger.refusalsBorne = Math.max(1, Math.min(refusalsBorne(exchanger, nowMs), drawn - 1));
  exchanger.fewerUntilMs = nowMs + FEWER_MS;
}

/** It ends every session at the first error, and has just done so: nothing new, and no reason to ask more slowly. */
export function endsAsKnown(exchanger: Exchanger, nowMs: number): boolean {
  return exchanger.endsAtFirstError && exchanger.fewerUntilMs > nowMs && exchanger.lastRefused;
}

function isLastRefused({ commands }: Flight): boolean {
  const last = commands.findLast(
    ({ kind, reply }) => kind === 'rcpt' && reply !== null && reply.code !== CLOSING,
  );
  return (last?.reply?.code ?? 0) >= 400;
}

function tlsFailed({ exchanger, nowMs }: Trouble): void {
  exchanger.noTlsUntilMs = nowMs + NO_TLS_MS;
}

export function slower(exchanger: Exchanger, nowMs: number, namedMs: number | null): void {
  troubled(exchanger.pace, nowMs, namedMs);
  if (exchanger.shared !== null) troubled(exchanger.shared.pace, nowMs, namedMs);
}

function blocked(trouble: Trouble, reading: ReplyReading): void {
  trouble.egress.block(trouble.source, trouble.exchanger.whom, trouble.nowMs);
  shut(trouble, trouble.nowMs + BLOCKED_MS, reading, false);
}

function shut(
  trouble: Trouble,
  untilMs: number,
  reading: ReplyReading,
  temporary: boolean,
  busy = false,
): void {
  const { exchanger, session, source } = trouble;
  exchanger.shut.set(source.ip, {
    atMs: trouble.nowMs,
    untilMs,
    meaning: reading.meaning,
    temporary,
    busy,
    rule: reading.rule,
    dialled: true,
    connected: true,
    mute: 'no',
    retryAfterMs: reading.retryAfterMs,
    host: session.plan.target.hostName,
    tls: session.tls,
    session: session.lines,
  });
}
