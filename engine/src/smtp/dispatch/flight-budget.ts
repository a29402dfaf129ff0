// What one flight may take up. Promise: what was spent and what `fits` says next never exceed any limit, whatever the
// replies will be; the one exception is a session's first recipient, without which the session would have been opened in vain.
//
//   recipients   connection, minute, hour, day, length of a flight, share of what is queued
//   errors       every RCPT may be refused, and every MAIL of a sender that the host has not accepted yet; refused, it takes
//                its RCPTs with it, each an error of its own
//   transactions what the policy allows on a connection; a RSET follows each, and hosts count those
import { renewMinute } from '../../pace/pace.ts';
import { type MxHost, recipientsLeft } from '../hosts/mx-host.ts';
import type { Session } from '../session/session.ts';
import type { ComposeOptions } from './compose-flight.ts';

/** Pipelined commands should fit in a few packets and any receive buffer. */
const FLIGHT_MAX = 100;
/** One by one, answers are handed over at the end of a flight: a short one keeps no answer waiting. */
const ONE_BY_ONE_MAX = 8;
const FAIR_SHARE_MIN = 8;
/** Postfix counts RSET as junk from the 100th on. */
const RESETS_MAX = 95;
/** Exim's smtp_accept_max_nonmail: RSET counts, ten are tolerated. */
const EXIM_RESETS_MAX = 9;

export type BudgetedSession = Pick<
  Session,
  | 'banner'
  | 'flights'
  | 'pipelining'
  | 'recipients'
  | 'recipientsMax'
  | 'refusals'
  | 'resets'
  | 'transactions'
>;

/** The MAIL in front of recipients, of which a transaction each takes as many as `perMail`. */
export interface MailInFront {
  readonly perMail: number;
  /** The host has not accepted this sender yet, and the RCPTs go out before its reply is known. */
  readonly mayBeRefused: boolean;
  /** Nothing went before it in the session. */
  readonly isFirst: boolean;
}

interface FlightLimits {
  readonly recipients: number;
  readonly errors: number;
  readonly transactions: number;
  readonly perTransaction: number;
  /** HELP follows each recipient, so that its reply can be told from others. */
  readonly isMarked: boolean;
}

export class FlightBudget {
  readonly limits: FlightLimits;
  #recipients: number;
  #errors: number;
  #transactions: number;

  constructor(limits: FlightLimits) {
    this.limits = limits;
    this.#recipients = limits.recipients;
    this.#errors = limits.errors;
    this.#transactions = limits.transactions;
  }

  /** The most recipients that could still go along; 0 where anything is used up. */
  get room(): number {
    return this.#transactions > 0 ? Math.max(0, Math.min(this.#recipients, this.#errors)) : 0;
  }

  /** More recipients could have gone along, had there been any. */
  get hasRecipientsLeft(): boolean {
    return this.#recipients > 0;
  }

  /** How many of these recipients still fit behind such MAILs. */
  fits(wanted: number, { perMail, mayBeRefused, isFirst }: MailInFront): number {
    // Of the errors that are left, one in `perMail` + 1 is kept for a MAIL.
    const keptForMails = mayBeRefused ? Math.ceil(this.#errors / (perMail + 1)) : 0;
    const fits = Math.min(wanted, this.#errors - keptForMails, this.#transactions * perMail);
    // One recipient has to be the first, even where the policy allows a single error.
    return isFirst && mayBeRefused ? Math.max(fits, 1) : fits;
  }

  spend(recipients: number, { perMail, mayBeRefused }: MailInFront): void {
    const transactions = Math.ceil(recipients / perMail);
    this.#recipients -= recipients;
    this.#transactions -= transactions;
    this.#errors -= recipients + (mayBeRefused ? transactions : 0);
  }

  /** What came next did not fit: nothing goes in its place. */
  close(): void {
    this.#errors = 0;
  }
}

/** `queued`: recipients that wait. */
export function limitsOfFlight(
  session: BudgetedSession,
  mxHost: MxHost,
  queued: number,
  { sharers, permitted, nowMs }: Pick<ComposeOptions, 'sharers' | 'permitted' | 'nowMs'>,
): FlightLimits {
  const { pace, replies, errors: hostErrors } = mxHost;
  renewMinute(pace, nowMs);
  // Whatever the greeting has drawn (EHLO, STARTTLS), a session is there to ask: without a first flight the next one
  // would be opened for nothing too, and so on.
  const least = session.flights === 0 ? 1 : 0;
  // It may end without 221: one transaction per recipient, and HELP where its replies to different commands look alike.
  const isCareful = !session.pipelining && replies.goodbye === 'missed';
  const isMarked = isCareful && replies.areAlike;
  const errorsLeft = Math.max(least, hostErrors.perSession(nowMs) - session.refusals);
  // Many hosts count HELP as an error.
  const errors = isMarked ? Math.max(least, Math.floor(errorsLeft / 2)) : errorsLeft;
  const connectionLeft = pace.perConnection - session.recipients;
  const longest = session.pipelining ? FLIGHT_MAX : ONE_BY_ONE_MAX;
  const fairShare = Math.max(FAIR_SHARE_MIN, Math.ceil(queued / Math.max(1, sharers)));
  return {
    recipients: Math.min(
      errors,
      connectionLeft,
      recipientsLeft(mxHost, nowMs),
      permitted,
      longest,
      fairShare,
    ),
    errors,
    transactions: Math.min(resetsLeft(session), transactionsLeft(session, mxHost)),
    perTransaction: isCareful
      ? 1
      : Math.min(pace.perTransaction, session.recipientsMax ?? Number.MAX_SAFE_INTEGER),
    isMarked,
  };
}

/** The policy's; no limit: more than any session has. */
export function transactionsLeft(
  { transactions }: Pick<Session, 'transactions'>,
  { limits }: Pick<MxHost, 'limits'>,
): number {
  const { transactionsPerConnection } = limits;
  return transactionsPerConnection === null
    ? Number.MAX_SAFE_INTEGER
    : transactionsPerConnection - transactions;
}

export function resetsLeft({ banner, resets }: Pick<Session, 'banner' | 'resets'>): number {
  return (/\bexim\b/i.test(banner) ? EXIM_RESETS_MAX : RESETS_MAX) - resets;
}
