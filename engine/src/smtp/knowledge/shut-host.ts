// When a mail host is left alone for a while. Changes only the exchanger it is given, and who refuses our source.
// Promise: the host is shut for the source address it was asked from, for a time with an end, and nothing of that is
// held against a mailbox.

import type { Mute } from '../../check/state/answer.ts';
import type { Reply, ReplyReading } from '../../types.ts';
import { detailOfMeaning } from '../../verdict/detail-of.ts';
import type { Session } from '../session/session.ts';
import type { SessionEnd } from '../session/session-plan.ts';
import { isTemporary } from './answer.ts';
import { detailOfEnd } from './detail-of-end.ts';
import type { Egress, Source } from './egress.ts';
import type { Exchanger } from './exchanger.ts';
import { SILENCE_MS } from './host-silence.ts';
import type { ReadReply } from './read-flight.ts';
import type { SourceBreaker } from './source-breaker.ts';

/** Of a host whose replies keep the thread too long; as long as what else is known of a host. */
const SLOW_REST_MS = 3_600_000;
/** Once may be our own doing, such as a garbage collection while its reply was read. */
const SLOW_TIMES = 2;

/** A host's bad moment, with all that is needed to learn from it. */
export interface Trouble {
  readonly exchanger: Exchanger;
  readonly session: Session;
  readonly source: Source;
  readonly breaker: SourceBreaker;
  readonly egress: Egress;
  readonly nowMs: number;
  readonly downMs: number;
  readonly readReply: ReadReply;
  /** Another address may be asked instead of this one. */
  readonly hasOther: boolean;
}

/** It could not be reached, was silent, or spoke no SMTP. */
export function shutAsDown(trouble: Trouble, end: SessionEnd, mute: Mute): void {
  const { exchanger, session, source, nowMs, downMs } = trouble;
  const rule = `connection: ${end.error ?? end.how} at ${end.stage}`;
  exchanger.door.shut(source.ip, {
    atMs: nowMs,
    untilMs: nowMs + (mute === 'believed' ? SILENCE_MS : downMs),
    meaning: null,
    detail: detailOfEnd(end, (stage, reply) => trouble.readReply(stage, reply, exchanger.provider)),
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

/**
 * Reading its replies kept the thread too long, from whichever source address. The first time it is left alone like one
 * that is down; the second time for an hour, and its recipients need not find that out again.
 */
export function shutAsSlow({ exchanger, session, egress, nowMs, downMs }: Trouble): void {
  const isAgain = exchanger.door.wasSlow(session.startedAtMs, nowMs, SLOW_REST_MS) >= SLOW_TIMES;
  const rule = 'reading: this host’s replies took too much processor time';
  for (const { ip } of egress.sources)
    exchanger.door.shut(ip, {
      atMs: nowMs,
      untilMs: nowMs + (isAgain ? SLOW_REST_MS : downMs),
      meaning: isAgain ? 'protocol' : 'temporary',
      detail: detailOfMeaning(isAgain ? 'protocol' : 'temporary'),
      temporary: !isAgain,
      busy: false,
      rule: isAgain ? `${rule}, twice, last ${timeWords(nowMs)}: not asked again for an hour` : rule,
      dialled: true,
      connected: true,
      mute: 'no',
      retryAfterMs: null,
      host: session.plan.target.hostName,
      tls: session.tls,
      session: session.lines,
    });
}

/** It refused us, in words that say nothing about a mailbox. */
export function shutAsRefusing(
  trouble: Trouble,
  reading: ReplyReading,
  { temporary, busy = false }: { readonly temporary: boolean; readonly busy?: boolean },
): void {
  shutUntil(trouble, trouble.nowMs + trouble.downMs, reading, temporary, busy);
}

/** It refuses the source address at its door: those the session was opened for have their answer. */
export function shutAsBlocking(trouble: Trouble, reading: ReplyReading, reply: Reply): void {
  const { nowMs, downMs } = trouble;
  const isResting = sessionBlocked(trouble, reading, reply);
  // Where the source rests, that is what those who come later are told.
  shutUntil(trouble, isResting ? nowMs : nowMs + downMs, reading, false, false);
}

/** A whole session was refused as blocked. True: the source rests there. */
export function sessionBlocked(trouble: Trouble, reading: ReplyReading, reply: Reply): boolean {
  const isCertain = reply.code >= 500 && reading.by === 'wording' && reading.clarity !== 'vague';
  return refusedSource(trouble, isCertain);
}

function shutUntil(
  { exchanger, session, source, nowMs }: Trouble,
  untilMs: number,
  reading: ReplyReading,
  temporary: boolean,
  busy: boolean,
): void {
  exchanger.door.shut(source.ip, {
    atMs: nowMs,
    untilMs,
    meaning: reading.meaning,
    detail: reading.detail,
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

/** A recipient's reply says that we are blocked. */
export function recipientBlocked(trouble: Trouble): void {
  refusedSource(trouble, false);
}

function refusedSource({ exchanger, session, breaker, nowMs }: Trouble, isCertain: boolean): boolean {
  return breaker.refused(exchanger, session.plan.target.hostName, isCertain, nowMs);
}

/** No recipient gets past MAIL here: those in the queue need not find that out one by one. */
export function senderRefused(trouble: Trouble, reading: ReplyReading, reply: Reply, mailFrom: string): void {
  // A parameter that is not taken concerns those who need it; another sender may be taken.
  if (reading.meaning === 'protocol') return;
  if (reading.meaning === 'tls_required' && mayBeGivenTls(trouble.session)) return;
  const triedAll = mailFrom === '' || trouble.exchanger.senders.hasRefusedAll;
  if (reading.meaning === 'sender_refused' && !triedAll) return;
  const temporary = isTemporary(reading, reply);
  // Those on the line have their answer; where the source rests, the others are asked later.
  if (reading.meaning === 'blocked' && sessionBlocked(trouble, reading, reply)) return;
  shutAsRefusing(trouble, reading, { temporary });
}

/** It speaks in clear, and STARTTLS was said only if it was offered: another session can give what is wanted. */
export function mayBeGivenTls({ plan, tls }: Session): boolean {
  return !tls && plan.mayTls && !plan.demandsTls;
}
