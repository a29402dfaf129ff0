// Whether another session should be opened. Decides, touches nothing. Promise: one at a time for what must be asked
// alone, at once for a single check, and for lists as many as find a full flight each.

import type { Session } from '../session/session.ts';
import type { LaneQueue } from './lane-queue.ts';

/** Recipients beyond the refusals of one session that must be queued before a second session is opened. */
const SESSION_WORTH = 18;

type SessionProgress = Pick<Session, 'state' | 'startedAtMs'>;

export interface LaneView {
  readonly sessions: ReadonlyMap<SessionProgress, { readonly alone: boolean }>;
  readonly queue: Pick<LaneQueue, 'size' | 'singles'>;
  readonly alone: Pick<LaneQueue, 'size'>;
  /** What a session may draw. */
  readonly refusals: number;
  /** A connect that began before is not counted on: another address may be quicker. */
  readonly stuckSinceMs: number;
}

export function wantsSession({ sessions, queue, alone, refusals, stuckSinceMs }: LaneView): boolean {
  let asking = 0;
  let opening = 0;
  let askingAlone = 0;
  for (const [session, at] of sessions) {
    if (isStuck(session, stuckSinceMs)) continue;
    const { state } = session;
    if (at.alone) askingAlone += 1;
    else if (state !== 'quitting' && state !== 'closed') asking += 1;
    if (state !== 'flight' && state !== 'quitting' && state !== 'idle') opening += 1;
  }
  if (alone.size > 0 && askingAlone === 0) return true;
  if (queue.size === 0) return false;
  if (queue.singles > 0 && opening === 0) return true;
  // A few recipients do not justify a second session; of many, each session should get a full flight, or the last are slow.
  const wanted = queue.size <= refusals + SESSION_WORTH ? 1 : Math.ceil(queue.size / refusals);
  return asking < wanted;
}

export function isStuck(session: SessionProgress, sinceMs: number): boolean {
  return session.state === 'connecting' && session.startedAtMs <= sinceMs;
}
