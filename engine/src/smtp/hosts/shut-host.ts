// How a mail host comes to be left alone for a while. Changes only the MX host it is given, and the hosts that refuse our
// source. Promise: the host is shut for the source address it was asked from, for a time with an end, and nothing of that
// is held against a mailbox.
import { MEANINGS } from '@mxproof/common/vocabulary/meanings';
import type { Unresponsiveness } from '../../state/answer.ts';
import { timeWords } from '../../state/transcript.ts';
import type { Detail, Reply, ReplyReading } from '../../types.ts';
import { isTemporary } from '../../verdict/is-temporary.ts';
import type { ReadReply } from '../../verdict/read-reply.ts';
import type { Session } from '../session/session.ts';
import type { SessionEnd } from '../session/session-plan.ts';
import type { Egress } from './egress.ts';
import type { MxHost } from './mx-host.ts';
import type { ShutPeriod } from './parts/host-availability.ts';
import { SILENCE_MS } from './parts/host-silence.ts';
import { proxyTrouble } from './proxy-health.ts';
import type { Behalf } from './refused-place.ts';
import type { SourceBreaker } from './source-breaker.ts';

/** Of a host whose replies keep the thread too long; as long as what else is known of a host. */
const SLOW_REST_MS = 3_600_000;
/** Once may be our own doing, such as a garbage collection while its reply was read. */
const SLOW_TIMES = 2;

/** A failed session or reply, with what is needed to learn from it. */
export interface Trouble {
  readonly mxHost: MxHost;
  readonly session: Session;
  readonly breaker: SourceBreaker;
  readonly egress: Egress;
  readonly nowMs: number;
  readonly downMs: number;
  readonly readReply: ReadReply;
  /** The payer and the domain that the session was opened for. */
  readonly behalf: Behalf;
  /** Another address may be asked instead of this one. */
  readonly hasOther: boolean;
}

/** It could not be reached, was silent, or spoke no SMTP. */
export function shutAsDown(trouble: Trouble, end: SessionEnd, unresponsive: Unresponsiveness): void {
  const { session, breaker, nowMs, downMs } = trouble;
  const rule = `connection: ${end.error ?? end.how} at ${end.stage}`;
  const isBelieved = unresponsive === 'believed';
  shut(trouble, breaker.name, {
    kind: end.how === 'unconnected' ? 'unreachable' : unresponsive === 'no' ? 'broken' : 'unresponsive',
    untilMs: nowMs + (isBelieved ? SILENCE_MS : downMs),
    meaning: null,
    detail: detailOfEnd(trouble, end),
    temporary: true,
    rule: isBelieved
      ? `${rule}, twice in a row, last ${timeWords(nowMs)}: not asked again for an hour`
      : rule,
    connected: session.spoke,
    unresponsive,
  });
}

/** What a proxy says of a mail host that does not answer: the host's own doing. */
const SAID_BY_PROXY: ReadonlySet<string | null> = new Set(['ECONNREFUSED', 'EHOSTUNREACH']);

/** The session was not connected, and our proxy is why: nothing is learnt about the host. */
export function foundInProxy(trouble: Trouble, { how, error }: SessionEnd): boolean {
  const { proxy, name } = trouble.breaker;
  if (proxy === null || how !== 'unconnected') return false;
  const why = proxyTrouble(error);
  if (why === null) {
    if (SAID_BY_PROXY.has(error)) proxy.answered();
    return false;
  }
  const { nowMs, downMs } = trouble;
  const { detail, rule, isWhole } = why;
  proxy.failed(why, nowMs);
  if (isWhole) return true;
  const period = { untilMs: nowMs + downMs, meaning: null, detail, temporary: true, rule, connected: false };
  shut(trouble, name, { kind: 'proxy_refusing', ...period });
  return true;
}

/** What connect() reports where the host itself has not refused: it gave no answer, or our own network is down. */
const CONNECT_ERRORS: Readonly<Record<string, Detail>> = {
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'timeout',
  EHOSTDOWN: 'timeout',
  ENETUNREACH: 'network_down',
  ENETDOWN: 'network_down',
  EADDRNOTAVAIL: 'network_down',
};

/** The word for a session that ended before its host could be asked; its error is an errno code, never a sentence. */
function detailOfEnd({ readReply, mxHost }: Trouble, { how, stage, reply, error }: SessionEnd): Detail {
  switch (how) {
    case 'unconnected':
      return CONNECT_ERRORS[error ?? ''] ?? 'connection_refused';
    case 'timeout':
      return 'timeout';
    case 'dropped':
    case 'no_goodbye':
    case 'done':
      return 'connection_lost';
    case 'tls_failed':
      return 'tls_failed';
    case 'refused':
      // Less than 400 is no refusal that could be read.
      return reply === null || reply.code < 400 ? 'unclear' : readReply(stage, reply, mxHost.provider).detail;
    case 'out_of_step':
    case 'protocol':
    case 'too_slow':
      return 'unclear';
    default:
      return how satisfies never;
  }
}

/**
 * Reading its replies kept the thread too long, from whichever source address. The first time it is left alone like one
 * that is down; the second time for an hour, and its recipients need not find that out again.
 */
export function shutAsSlow(trouble: Trouble): void {
  const { mxHost, session, egress, nowMs, downMs } = trouble;
  const isAgain = mxHost.availability.wasSlow(session.startedAtMs, nowMs, SLOW_REST_MS) >= SLOW_TIMES;
  const rule = 'reading: this host’s replies took too much processor time';
  const meaning = isAgain ? 'protocol' : 'temporary';
  for (const name of egress.names)
    shut(trouble, name, {
      kind: 'slow_to_read',
      untilMs: nowMs + (isAgain ? SLOW_REST_MS : downMs),
      meaning,
      detail: MEANINGS[meaning].detail,
      temporary: !isAgain,
      rule: isAgain ? `${rule}, twice, last ${timeWords(nowMs)}: not asked again for an hour` : rule,
    });
}

/** It refused us, in words that say nothing about a mailbox. */
export function shutAsRefusing(
  trouble: Trouble,
  reading: ReplyReading,
  { temporary, busy = false }: { readonly temporary: boolean; readonly busy?: boolean },
): void {
  shutByReply(trouble, trouble.nowMs + trouble.downMs, reading, {
    kind: busy ? 'busy' : 'refusing',
    temporary,
  });
}

/** It refuses the source address before MAIL: that is the answer for the recipients the session was opened for. */
export function shutAsBlocking(trouble: Trouble, reading: ReplyReading, reply: Reply): void {
  const { nowMs, downMs } = trouble;
  const isResting = sessionBlocked(trouble, reading, reply, true);
  // Where the source rests, later recipients get that as their answer.
  shutByReply(trouble, isResting ? nowMs : nowMs + downMs, reading, { kind: 'refusing', temporary: false });
}

/** A whole session was refused as blocked; `isToAll`: before a recipient was named. True: the source rests there. */
export function sessionBlocked(
  { mxHost, session, breaker, behalf, nowMs }: Trouble,
  reading: ReplyReading,
  reply: Reply,
  isToAll: boolean,
): boolean {
  const isCertain = reply.code >= 500 && reading.by === 'wording' && reading.clarity !== 'vague';
  return breaker.refused(mxHost, session.plan.target.hostName, { ...behalf, isToAll, isCertain }, nowMs);
}

function shutByReply(
  trouble: Trouble,
  untilMs: number,
  { meaning, detail, rule, retryAfterMs }: ReplyReading,
  how: Pick<ShutPeriod, 'kind' | 'temporary'>,
): void {
  shut(trouble, trouble.breaker.name, { ...how, untilMs, meaning, detail, rule, retryAfterMs });
}

type ShutReason = Pick<ShutPeriod, 'kind' | 'untilMs' | 'meaning' | 'detail' | 'temporary' | 'rule'> &
  Partial<ShutPeriod>;

function shut({ mxHost, session, nowMs }: Trouble, source: string | null, why: ShutReason): void {
  mxHost.availability.shut(source, {
    atMs: nowMs,
    connected: true,
    unresponsive: 'no',
    retryAfterMs: null,
    host: session.plan.target.hostName,
    tls: session.tls,
    session: session.lines,
    ...why,
  });
}

/** A recipient's reply says that we are blocked. */
export function recipientBlocked({ mxHost, session, breaker, nowMs }: Trouble, behalf: Behalf): void {
  const refused = { ...behalf, isToAll: false, isCertain: false };
  breaker.refused(mxHost, session.plan.target.hostName, refused, nowMs);
}

/** No recipient gets past MAIL here: all queued ones get the same answer. */
export function senderRefused(trouble: Trouble, reading: ReplyReading, reply: Reply, mailFrom: string): void {
  // An unsupported parameter concerns only recipients that need it; another sender may be accepted.
  if (reading.meaning === 'protocol') return;
  if (reading.meaning === 'tls_required' && mayBeGivenTls(trouble.session)) return;
  const triedAll = mailFrom === '' || trouble.mxHost.senders.hasRefusedAll(trouble.nowMs);
  if (reading.meaning === 'sender_refused' && !triedAll) return;
  const temporary = isTemporary(reading, reply);
  // Recipients in flight have their answer; where the source rests, the others are asked later.
  if (reading.meaning === 'blocked' && sessionBlocked(trouble, reading, reply, true)) return;
  shutAsRefusing(trouble, reading, { temporary });
}

/** It speaks in clear, and STARTTLS was said only if it was offered: another session can give what is wanted. */
export function mayBeGivenTls({ plan, tls }: Pick<Session, 'plan' | 'tls'>): boolean {
  return !tls && plan.mayTls && !plan.demandsTls;
}
