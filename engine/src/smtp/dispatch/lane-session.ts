// One session of a lane, with what it is there for. Promise: a session is counted once, here, for its host, its provider and the
// account that pays for it.
import type { Holder } from '@mxproof/common/fair-share';
import { acceptedConnection, flightSucceeded } from '../../pace/pace.ts';
import type { Budget } from '../../ports.ts';
import { endsAsKnown, slower } from '../hosts/mx-host.ts';
import type { Behalf } from '../hosts/refused-place.ts';
import type { FlightLanding } from '../knowledge/read-flight.ts';
import type { Flight } from '../session/flight.ts';
import type { Session } from '../session/session.ts';
import type { SealedSession } from './seal-flight.ts';

export interface LaneSession extends SealedSession {
  /** It asks what must have a session of its own. */
  readonly alone: boolean;
  /** The account that is charged for it. */
  readonly payer: Holder;
  /** The payer and the domain that it was opened for. */
  readonly behalf: Behalf;
  /** The host has greeted it. */
  isInside: boolean;
  /** Of these a permit is kept for it until it asks; null: it has asked, or its host has none. */
  promised: readonly Budget[] | null;
}

/** The host accepted the connection: it may take one more. */
export function entered(at: LaneSession): void {
  const { availability, pace, shared, limits } = at.mxHost;
  at.isInside = true;
  availability.entered();
  acceptedConnection(pace, limits.connections);
  if (shared !== null) acceptedConnection(shared.pace, limits.connectionsPerProvider);
}

/** Adjusts the host's pace after a flight: slower after trouble, a little faster after none. */
export function adjustPace(
  { mxHost, behalf }: LaneSession,
  flight: Flight,
  landing: FlightLanding,
  isComplete: boolean,
  nowMs: number,
): void {
  const isSilence = flight.silentAt !== null;
  // Silence is not a pacing problem.
  const isTrouble = landing.trouble || (!isComplete && !isSilence);
  if (isTrouble && !endsAsKnown(mxHost, nowMs)) {
    slower(mxHost, behalf.payer, nowMs, landing.retryAfterMs);
    return;
  }
  if (isSilence) return;
  const { pace, shared, limits } = mxHost;
  flightSucceeded(pace, limits.connections);
  if (shared !== null) flightSucceeded(shared.pace, limits.connectionsPerProvider);
}

/** Sessions that will fetch recipients before those that have just sent a flight are done. */
export function sharersOf(sessions: Iterable<Session>, nowMs: number): number {
  let count = 0;
  for (const { state, askedAtMs, replyMs } of sessions)
    if (state !== 'quitting' && (state !== 'flight' || nowMs - askedAtMs > replyMs / 2)) count += 1;
  return count;
}
