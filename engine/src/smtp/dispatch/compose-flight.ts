// Which recipients go out together. Promise: no more than fit (flight-budget.ts), the others stay queued; a recipient that
// needs SMTPUTF8 never goes to a server without it; QUIT is sent along when another flight would be worth less than a new
// session; a host that may end without 221 is asked so that its replies until then can still be sealed (seal.ts).
import type { Task } from '../../state/task.ts';
import type { MxHost } from '../hosts/mx-host.ts';
import { senderFor } from '../hosts/parts/senders.ts';
import { Flight } from '../session/flight.ts';
import type { Session } from '../session/session.ts';
import { type BudgetedSession, FlightBudget, limitsOfFlight, transactionsLeft } from './flight-budget.ts';
import type { LaneQueue } from './lane-queue.ts';

/** Round trips a session costs before its first flight, until they are measured: connect, banner, EHLO. */
const OPENING_ROUND_TRIPS = 3;
const OPENING_ROUND_TRIPS_MAX = 10;

/** What a session has shown that decides what it asks. */
export type ComposedSession = BudgetedSession &
  Pick<Session, 'isLate' | 'readyAfterMs' | 'replyMs' | 'smtpUtf8' | 'urgent'>;

export interface ComposeOptions {
  readonly mailFrom: string;
  readonly nowMs: number;
  /** Sessions that will come for more. */
  readonly sharers: number;
  /** Recipients that the limits per hour and day leave. */
  readonly permitted: number;
  /** The server cannot take this recipient at all. */
  readonly unsupported: (task: Task) => void;
  /** This recipient may not be asked about here now, while others may; it stays queued. Null: that holds for none. */
  readonly isHeldBack: ((task: Task) => boolean) | null;
}

export function composeFlight(
  session: ComposedSession,
  mxHost: MxHost,
  queue: LaneQueue,
  options: ComposeOptions,
): Flight | null {
  const { mailFrom, nowMs, isHeldBack } = options;
  const heldBack: Task[] = [];
  const budget = new FlightBudget(limitsOfFlight(session, mxHost, queue.size, options));
  const flight = new Flight(!session.pipelining);
  while (budget.room > 0 && queue.size > 0) {
    const taken = queue.take(budget.room);
    const tasks = isHeldBack === null ? taken : taken.filter((task) => !isHeldBack(task));
    if (tasks.length < taken.length) heldBack.push(...taken.filter((task) => !tasks.includes(task)));
    for (const group of groups(tasks, mxHost, mailFrom, nowMs)) {
      if (group.utf8 && !session.smtpUtf8) for (const task of group.tasks) options.unsupported(task);
      else for (const task of addWhatFits(group, flight, budget, session, mxHost)) queue.pushBack(task);
    }
  }
  for (const task of heldBack) queue.pushBack(task);
  if (flight.recipients === 0) return null;
  // One by one, the RSET stays: more may be asked after it, and its reply shows whether the two are still in step.
  if (session.pipelining && !isWorthAnother(session, mxHost, flight, budget, nowMs))
    flight.quit(wantsResetWords(session, mxHost));
  return flight;
}

/** Returns the others. */
function addWhatFits(
  { sender, tasks }: Group,
  flight: Flight,
  budget: FlightBudget,
  session: ComposedSession,
  mxHost: MxHost,
): readonly Task[] {
  const { perTransaction, isMarked } = budget.limits;
  const mail = {
    perMail: sender === '' ? 1 : perTransaction,
    // One by one, no RCPT follows a MAIL that was refused.
    mayBeRefused: session.pipelining && !mxHost.senders.hasAccepted(sender),
    isFirst: flight.recipients === 0 && session.flights === 0,
  };
  const fits = budget.fits(tasks.length, mail);
  if (fits === 0) {
    budget.close();
    return tasks;
  }
  flight.add(sender, tasks.slice(0, fits), perTransaction, isMarked);
  budget.spend(fits, mail);
  return tasks.slice(fits);
}

/** They let a session stay for the next single check; a list's own RSETs show them in time. */
export function wantsResetWords({ urgent }: ComposedSession, { replies }: MxHost): boolean {
  return urgent && replies.resetWords === null;
}

/** Marginal against average recipients per round trip: below it, a fresh session asks more in the same time. */
function isWorthAnother(
  session: ComposedSession,
  mxHost: MxHost,
  { recipients: inFlight, transactions }: Flight,
  budget: FlightBudget,
  nowMs: number,
): boolean {
  if (session.isLate(nowMs)) return false;
  const asked = session.recipients + inFlight;
  const connectionLeft = mxHost.pace.perConnection - asked;
  const next = Math.min(budget.limits.errors - inFlight * mxHost.errors.refusalShare, connectionLeft);
  // A host that ends the session at its first error is asked on as long as it has refused nothing.
  if (connectionLeft < 1 || next <= 0 || transactionsLeft(session, mxHost) <= transactions) return false;
  // The flight was short for lack of recipients, not because the session is used up.
  if (budget.hasRecipientsLeft) return true;
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

function groups(tasks: readonly Task[], mxHost: MxHost, mailFrom: string, nowMs: number): Group[] {
  const found: Group[] = [];
  for (const task of tasks) {
    const sender = senderFor(task, mxHost, mailFrom, nowMs);
    const utf8 = task.address.needsSmtpUtf8;
    let group: Group | undefined;
    for (const one of found) if (one.sender === sender && one.utf8 === utf8) group = one;
    if (group === undefined) found.push({ sender, utf8, tasks: [task] });
    else group.tasks.push(task);
  }
  return found;
}
