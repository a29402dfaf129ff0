// Which recipients go out together. Promise: what is in flight can draw no more errors than the session has left,
// no more recipients than transaction, connection and minute have room for; a recipient that needs SMTPUTF8 never
// goes to a server without it; QUIT rides along when another flight would be worth less than a new session; a host that
// may end without 221 is asked so that what it has said until then can be believed (seal.ts).
import { roomThisMinute } from '../../pace/pace.ts';
import type { Exchanger } from '../knowledge/exchanger.ts';
import { senderFor } from '../knowledge/senders.ts';
import { Flight } from '../session/flight.ts';
import type { Session } from '../session/session.ts';
import type { Task } from '../session/task.ts';
import type { LaneQueue } from './lane-queue.ts';

/** Pipelined text should fit in a few packets; nobody's receive buffer is stretched. */
const FLIGHT_MAX = 100;
/** One by one, answers are handed over at the end of a flight: a short one keeps nobody waiting. */
const ONE_BY_ONE_MAX = 8;
const FAIR_SHARE_MIN = 8;
/** Postfix counts RSET as junk from the 100th on. */
const RESETS_MAX = 95;
/** Exim's smtp_accept_max_nonmail: RSET counts, ten are borne. */
const EXIM_RESETS_MAX = 9;
/** Round trips a session costs before its first flight, until they are measured: connect, banner, EHLO. */
const OPENING_ROUND_TRIPS = 3;
const OPENING_ROUND_TRIPS_MAX = 10;

export interface ComposeOptions {
  readonly mailFrom: string;
  readonly nowMs: number;
  /** Sessions that will come for more. */
  readonly sharers: number;
  /** The server cannot take this recipient at all. */
  readonly impossibleHere: (task: Task) => void;
}

export function composeFlight(
  session: Session,
  exchanger: Exchanger,
  queue: LaneQueue,
  options: ComposeOptions,
): Flight | null {
  const { limits, pace } = exchanger;
  // Whatever the greeting has drawn (EHLO, STARTTLS), a session is there to ask: without a first flight the next one
  // would be opened for nothing too, and so on for ever.
  const least = session.flights === 0 ? 1 : 0;
  // Its goodbye is not to be counted on: a transaction for each recipient, and HELP where its words tell nothing apart.
  const isCareful = !session.pipelining && exchanger.replies.goodbye === 'missed';
  const isMarked = isCareful && exchanger.replies.areAlike;
  const errorsLeft = Math.max(least, exchanger.errors.perSession(options.nowMs) - session.refusals);
  // HELP is an error to many.
  const refusalsLeft = isMarked ? Math.max(least, Math.floor(errorsLeft / 2)) : errorsLeft;
  let room = Math.min(
    refusalsLeft,
    pace.perConnection - session.recipients,
    roomThisMinute(pace, limits, options.nowMs),
    session.pipelining ? FLIGHT_MAX : ONE_BY_ONE_MAX,
    Math.max(FAIR_SHARE_MIN, Math.ceil(queue.size / Math.max(1, options.sharers))),
  );
  if (room < 1) return null;
  let errors = refusalsLeft;
  let resets = resetsLeft(session);
  const perTransaction = isCareful
    ? 1
    : Math.min(pace.perTransaction, session.recipientsMax ?? Number.MAX_SAFE_INTEGER);
  const flight = new Flight(!session.pipelining);
  while (room > 0 && errors > 0 && resets > 0 && queue.size > 0) {
    const tasks = queue.take(Math.min(room, errors));
    if (tasks.length === 0) continue;
    for (const { sender, utf8, tasks: group } of groups(tasks, exchanger, options.mailFrom)) {
      if (utf8 && !session.smtpUtf8) {
        for (const task of group) options.impossibleHere(task);
        continue;
      }
      const known = exchanger.senders.hasTaken(sender);
      const fits = howMany(
        group.length,
        sender,
        known || !session.pipelining,
        errors,
        resets,
        perTransaction,
        flight.recipients === 0 && session.flights === 0,
      );
      for (const task of group.slice(fits)) queue.pushBack(task);
      if (fits === 0) {
        errors = 0;
        continue;
      }
      const going = group.slice(0, fits);
      flight.add(sender, going, perTransaction, isMarked);
      const transactions = sender === '' ? fits : Math.ceil(fits / perTransaction);
      resets -= transactions;
      errors -= fits + (known || !session.pipelining ? 0 : transactions);
      room -= fits;
    }
  }
  if (flight.recipients === 0) return null;
  // One by one, the RSET stays: more may be asked after it, and its reply shows whether the two are still in step.
  if (
    session.pipelining &&
    !worthAnother(session, exchanger, flight.recipients, refusalsLeft, room, options.nowMs)
  )
    flight.quit(wantsResetWords(session, exchanger));
  return flight;
}

/** They let a session stay for the next single check; a list's own RSETs show them in time. */
export function wantsResetWords({ urgent }: Session, { replies }: Exchanger): boolean {
  return urgent && replies.resetWords === null;
}

export function resetsLeft({ banner, resets }: Session): number {
  return (/\bexim\b/i.test(banner) ? EXIM_RESETS_MAX : RESETS_MAX) - resets;
}

/** A MAIL that is refused takes its RCPTs with it, each an error of its own, until the host has taken the sender once. */
function howMany(
  wanted: number,
  sender: string,
  safeSender: boolean,
  errors: number,
  resets: number,
  perTransaction: number,
  first: boolean,
): number {
  const perMail = sender === '' ? 1 : perTransaction;
  let fits = Math.min(wanted, errors, resets * perMail);
  if (safeSender) return fits;
  while (fits > 0 && fits + Math.ceil(fits / perMail) > errors) fits -= 1;
  // Somebody has to be the first, even where the policy bears a single error.
  return first ? Math.max(fits, 1) : fits;
}

/** Marginal against average recipients a round trip: below it, a fresh session asks more in the same time. */
function worthAnother(
  session: Session,
  exchanger: Exchanger,
  inFlight: number,
  refusalsLeft: number,
  roomLeft: number,
  nowMs: number,
): boolean {
  if (session.isLate(nowMs)) return false;
  const asked = session.recipients + inFlight;
  const connectionLeft = exchanger.pace.perConnection - asked;
  const next = Math.min(refusalsLeft - inFlight * exchanger.errors.refusalShare, connectionLeft);
  // Where a session ends at its first error, it is worth as long as it draws none.
  if (connectionLeft < 1 || next <= 0) return false;
  // A flight that was short for want of recipients says nothing about what the session is still good for.
  if (roomLeft > 0) return true;
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
