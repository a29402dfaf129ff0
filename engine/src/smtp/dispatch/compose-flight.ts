// Which recipients go out together. Promise: what is in flight can draw no more errors than the session has left, no
// more recipients than transaction, connection and minute have room for; a recipient that needs SMTPUTF8 never goes to
// a server without it; QUIT is sent along when another flight would be worth less than a new session; a host that may
// end without 221 is asked so that what it has said until then can be believed (seal.ts).
import { roomThisMinute } from '../../pace/pace.ts';
import type { Exchanger } from '../hosts/exchanger.ts';
import { senderFor } from '../hosts/parts/senders.ts';
import { Flight } from '../session/flight.ts';
import type { Session } from '../session/session.ts';
import type { Task } from '../session/task.ts';
import type { LaneQueue } from './lane-queue.ts';

/** Pipelined text should fit in a few packets; no receive buffer is stretched. */
const FLIGHT_MAX = 100;
/** One by one, answers are handed over at the end of a flight: a short one keeps no answer waiting. */
const ONE_BY_ONE_MAX = 8;
const FAIR_SHARE_MIN = 8;
/** Postfix counts RSET as junk from the 100th on. */
const RESETS_MAX = 95;
/** Exim's smtp_accept_max_nonmail: RSET counts, ten are tolerated. */
const EXIM_RESETS_MAX = 9;
/** Round trips a session costs before its first flight, until they are measured: connect, banner, EHLO. */
const OPENING_ROUND_TRIPS = 3;
const OPENING_ROUND_TRIPS_MAX = 10;

/** What a session has shown that decides what it asks. */
export type AskingSession = Pick<
  Session,
  | 'banner'
  | 'flights'
  | 'isLate'
  | 'pipelining'
  | 'readyAfterMs'
  | 'recipients'
  | 'recipientsMax'
  | 'refusals'
  | 'replyMs'
  | 'resets'
  | 'smtpUtf8'
  | 'urgent'
>;

export interface ComposeOptions {
  readonly mailFrom: string;
  readonly nowMs: number;
  /** Sessions that will come for more. */
  readonly sharers: number;
  /** The server cannot take this recipient at all. */
  readonly impossibleHere: (task: Task) => void;
}

export function composeFlight(
  session: AskingSession,
  exchanger: Exchanger,
  queue: LaneQueue,
  options: ComposeOptions,
): Flight | null {
  const budget = budgetFor(session, exchanger, queue.size, options);
  const { refusals } = budget;
  const flight = new Flight(!session.pipelining);
  while (budget.room > 0 && budget.refusals > 0 && budget.resets > 0 && queue.size > 0) {
    const tasks = queue.take(Math.min(budget.room, budget.refusals));
    for (const { sender, utf8, tasks: group } of groups(tasks, exchanger, options.mailFrom)) {
      if (utf8 && !session.smtpUtf8) {
        for (const task of group) options.impossibleHere(task);
        continue;
      }
      const mail = {
        perMail: sender === '' ? 1 : budget.perTransaction,
        // One by one, no RCPT follows a MAIL that was refused.
        mayBeRefused: session.pipelining && !exchanger.senders.hasTaken(sender),
        isFirst: flight.recipients === 0 && session.flights === 0,
      };
      const fits = howMany(group.length, budget, mail);
      for (const task of group.slice(fits)) queue.pushBack(task);
      if (fits === 0) {
        budget.refusals = 0;
        continue;
      }
      flight.add(sender, group.slice(0, fits), budget.perTransaction, budget.isMarked);
      spend(budget, fits, mail);
    }
  }
  if (flight.recipients === 0) return null;
  // One by one, the RSET stays: more may be asked after it, and its reply shows whether the two are still in step.
  const before = { refusals, hasRoom: budget.room > 0 };
  if (session.pipelining && !isWorthAnother(session, exchanger, flight.recipients, before, options.nowMs))
    flight.quit(wantsResetWords(session, exchanger));
  return flight;
}

/** What a flight may still take up. */
interface Budget {
  /** Recipients. */
  room: number;
  /** Errors that its replies may be. */
  refusals: number;
  /** RSETs. */
  resets: number;
  readonly perTransaction: number;
  /** HELP follows each recipient, so that its reply can be told from others. */
  readonly isMarked: boolean;
}

function budgetFor(
  session: AskingSession,
  exchanger: Exchanger,
  queued: number,
  { nowMs, sharers }: ComposeOptions,
): Budget {
  const { limits, pace, replies, errors } = exchanger;
  // Whatever the greeting has drawn (EHLO, STARTTLS), a session is there to ask: without a first flight the next one
  // would be opened for nothing too, and so on.
  const least = session.flights === 0 ? 1 : 0;
  // Its goodbye is not to be counted on: a transaction for each recipient, and HELP where its words tell nothing apart.
  const isCareful = !session.pipelining && replies.goodbye === 'missed';
  const isMarked = isCareful && replies.areAlike;
  const left = Math.max(least, errors.perSession(nowMs) - session.refusals);
  // HELP is an error to many.
  const refusals = isMarked ? Math.max(least, Math.floor(left / 2)) : left;
  const room = Math.min(
    refusals,
    pace.perConnection - session.recipients,
    roomThisMinute(pace, limits, nowMs),
    session.pipelining ? FLIGHT_MAX : ONE_BY_ONE_MAX,
    Math.max(FAIR_SHARE_MIN, Math.ceil(queued / Math.max(1, sharers))),
  );
  const perTransaction = isCareful
    ? 1
    : Math.min(pace.perTransaction, session.recipientsMax ?? Number.MAX_SAFE_INTEGER);
  return { room, refusals, resets: resetsLeft(session), perTransaction, isMarked };
}

/** They let a session stay for the next single check; a list's own RSETs show them in time. */
export function wantsResetWords({ urgent }: AskingSession, { replies }: Exchanger): boolean {
  return urgent && replies.resetWords === null;
}

export function resetsLeft({ banner, resets }: AskingSession): number {
  return (/\bexim\b/i.test(banner) ? EXIM_RESETS_MAX : RESETS_MAX) - resets;
}

/** The MAIL in front of a group of recipients. */
interface Mail {
  /** Recipients per MAIL. */
  readonly perMail: number;
  /** The host has not taken this sender yet. */
  readonly mayBeRefused: boolean;
  /** Nothing went before it in the session. */
  readonly isFirst: boolean;
}

/** A MAIL that is refused takes its RCPTs with it, each an error of its own. */
function howMany(wanted: number, { refusals, resets }: Budget, mail: Mail): number {
  let fits = Math.min(wanted, refusals, resets * mail.perMail);
  if (!mail.mayBeRefused) return fits;
  while (fits > 0 && fits + Math.ceil(fits / mail.perMail) > refusals) fits -= 1;
  // One recipient has to be the first, even where the policy allows a single error.
  return mail.isFirst ? Math.max(fits, 1) : fits;
}

function spend(budget: Budget, recipients: number, { perMail, mayBeRefused }: Mail): void {
  const transactions = Math.ceil(recipients / perMail);
  budget.room -= recipients;
  budget.resets -= transactions;
  budget.refusals -= recipients + (mayBeRefused ? transactions : 0);
}

/**
 * Marginal against average recipients per round trip: below it, a fresh session asks more in the same time. `before`: the
 * errors left when this flight was composed, and whether it has room left for want of recipients.
 */
function isWorthAnother(
  session: AskingSession,
  exchanger: Exchanger,
  inFlight: number,
  before: { readonly refusals: number; readonly hasRoom: boolean },
  nowMs: number,
): boolean {
  if (session.isLate(nowMs)) return false;
  const asked = session.recipients + inFlight;
  const connectionLeft = exchanger.pace.perConnection - asked;
  const next = Math.min(before.refusals - inFlight * exchanger.errors.refusalShare, connectionLeft);
  // Where a session ends at its first error, it is worth as long as it draws none.
  if (connectionLeft < 1 || next <= 0) return false;
  // A flight that was short for want of recipients says nothing about what the session is still good for.
  if (before.hasRoom) return true;
  const measured = session.replyMs > 0 ? session.readyAfterMs / session.replyMs : OPENING_ROUND_TRIPS;
  const opening = Math.min(OPENING_ROUND_TRIPS_MAX, Math.max(1, measured));
  return next >= asked / (opening + session.flights + 1);
}

/** What can go into one transaction. */
interface Group {
  readonly sender: string;
  readonly utf8: boolean;
  readonly tasks: Task[];
}

function groups(tasks: readonly Task[], exchanger: Exchanger, mailFrom: string): Group[] {
  const found: Group[] = [];
  for (const task of tasks) {
    const sender = senderFor(task, exchanger, mailFrom);
    const utf8 = task.address.needsSmtpUtf8;
    let group: Group | undefined;
    for (const one of found) if (one.sender === sender && one.utf8 === utf8) group = one;
    if (group === undefined) found.push({ sender, utf8, tasks: [task] });
    else group.tasks.push(task);
  }
  return found;
}
