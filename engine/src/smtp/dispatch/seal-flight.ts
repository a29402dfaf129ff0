// How the replies to a flight will be sealed (seal.ts): with the session's 221, or, where nothing is left to ask and
// recipients should not wait for it, by RSET. Promise: no reply counts unsealed, and an honest host costs no round trip more.

import type { Command } from '../../state/answer.ts';
import type { MxHost } from '../hosts/mx-host.ts';
import type { Flight } from '../session/flight.ts';
import { canTell, isSealedByReset } from '../session/seal.ts';
import type { Session } from '../session/session.ts';
import { wantsResetWords } from './compose-flight.ts';
import { resetsLeft } from './flight-budget.ts';
import type { LaneQueue } from './lane-queue.ts';

/** A longer run of RSETs would annoy the host: the session ends with QUIT instead. */
const RESET_RUN_MAX = 8;

export interface SealedSession {
  readonly mxHost: MxHost;
  readonly queue: LaneQueue;
  /** Landed flights, kept after their recipients have answers: later replies may be copies of theirs. */
  readonly flights: Flight[];
  /** The most RSETs in a row so far. */
  resetRun: number;
}

/** `sharers`: sessions that come for the rest, this one included. `mayStay`: it may be kept for what is still to come. */
export function sealFlight(
  flight: Flight,
  session: Session,
  sealed: SealedSession,
  { sharers, mayStay }: { readonly sharers: number; readonly mayStay: boolean },
): void {
  const { mxHost, queue } = sealed;
  // One more in a row than ever before in the session: copies of earlier replies cannot fill their places.
  const run = session.pipelining ? Math.max(sealed.resetRun, flight.transactions > 1 ? 1 : 0) + 1 : 1;
  const fits = run <= RESET_RUN_MAX && flight.transactions + run - 1 <= resetsLeft(session);
  const canSeal = fits && canTell(mxHost.replies.resetWords);
  const isLast = queue.size <= flight.recipients * (sharers - 1);
  if (queue.size === 0 && !(canSeal && mayStay)) flight.quit(wantsResetWords(session, mxHost));
  else if (isLast && canSeal) flight.sealBy(run);
  sealed.resetRun = Math.max(sealed.resetRun, flight.isSealed ? run : 1);
}

/** Called only where recipients would wait for it; those of a session that goes on wait for its 221. */
export function isSealed(
  flight: Flight,
  session: Session,
  { mxHost, queue, flights }: SealedSession,
): boolean {
  const maySeal = flight.isSealed || !session.pipelining;
  if (!maySeal || flight.quits || queue.size > 0) return false;
  return isSealedByReset(commandsOf(flights), session.greeted, mxHost.replies.resetWords);
}

export function isAllTold({ flights }: SealedSession): boolean {
  return flights.every(({ isTold }) => isTold);
}

export function commandsOf(flights: readonly Flight[]): readonly Command[] {
  const [only] = flights;
  return only !== undefined && flights.length === 1
    ? only.commands
    : flights.flatMap(({ commands }) => commands);
}
