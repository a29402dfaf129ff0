// One session of a lane, with what it is there for. Promise: what the host, its provider and the account that pays for it
// are told of a session is told once, here.
import type { Holder } from '@mxproof/common/fair-share';
import { flewWell, tookConnection } from '../../pace/pace.ts';
import { type Exchanger, endsAsKnown, slower } from '../hosts/exchanger.ts';
import type { FlightLanding } from '../knowledge/read-flight.ts';
import type { Flight } from '../session/flight.ts';
import type { Session } from '../session/session.ts';
import type { SealedSession } from './seal-flight.ts';

export interface LaneSession extends SealedSession {
  /** It asks what must have a session of its own. */
  readonly alone: boolean;
  /** The account that is charged for it. */
  readonly payer: Holder;
  /** It has been welcomed. */
  isInside: boolean;
}

/** The host has let it in: it takes one connection more, perhaps. */
export function entered(at: LaneSession): void {
  const { door, pace, shared, limits } = at.exchanger;
  at.isInside = true;
  door.entered();
  tookConnection(pace, limits.connections);
  if (shared !== null) tookConnection(shared.pace, limits.connectionsPerProvider);
}

/** How the host bore a flight: asked more slowly after trouble, a little more after none. */
export function adjustPace(
  exchanger: Exchanger,
  flight: Flight,
  landing: FlightLanding,
  isComplete: boolean,
  nowMs: number,
): void {
  const isSilence = flight.silentAt !== null;
  // Silence is not a pacing problem.
  const isTrouble = landing.trouble || (!isComplete && !isSilence);
  if (isTrouble && !endsAsKnown(exchanger, nowMs)) {
    slower(exchanger, nowMs, landing.retryAfterMs);
    return;
  }
  if (isSilence) return;
  const { pace, shared, limits } = exchanger;
  flewWell(pace, limits.connections);
  if (shared !== null) flewWell(shared.pace, limits.connectionsPerProvider);
}

/** Sessions that will come for more before those that have just left with their share are back. */
export function sharersOf(sessions: Iterable<Session>, nowMs: number): number {
  let count = 0;
  for (const { state, askedAtMs, replyMs } of sessions)
    if (state !== 'quitting' && (state !== 'flight' || nowMs - askedAtMs > replyMs / 2)) count += 1;
  return count;
}
