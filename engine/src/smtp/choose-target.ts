// Which address a new session goes to. Decides, touches nothing. Promise: the most preferred rank that has anybody to
// ask, and in it the least busy; a rank is left only when all of it is shut or takes too long to connect.
import type { MailTarget } from '../dns/domain-facts.ts';
import { mayOpen, minuteEndsMs, roomThisMinute } from '../pace/pace.ts';
import { type Exchanger, type Shut, shutFor } from './exchanger.ts';

export interface Reachable {
  readonly target: MailTarget;
  readonly exchanger: Exchanger;
}

export type Choice =
  | { readonly kind: 'open'; readonly to: Reachable }
  /** Busy or paused: `untilMs` is when a pause ends, 0 when a connection has to become free. */
  | { readonly kind: 'wait'; readonly on: readonly Exchanger[]; readonly untilMs: number }
  | { readonly kind: 'nowhere'; readonly shut: Shut | null };

export function chooseTarget(
  targets: readonly Reachable[],
  source: string | null,
  nowMs: number,
  isSlow: (exchanger: Exchanger) => boolean,
): Choice {
  let rank = -1;
  let best: Reachable | null = null;
  let shut: Shut | null = null;
  let slow = false;
  let untilMs = 0;
  const busy: Exchanger[] = [];
  for (const one of targets) {
    if (one.target.rank !== rank && (best !== null || busy.length > 0)) break;
    rank = one.target.rank;
    const { exchanger } = one;
    const why = shutFor(exchanger, source, nowMs);
    if (why !== null) {
      // What a server said is worth more than that another was silent.
      if (shut === null || (why.connected && !shut.connected)) shut = why;
    } else if (isSlow(exchanger)) {
      slow = true;
    } else if (isFree(exchanger, nowMs)) {
      if (best === null || exchanger.pace.open < best.exchanger.pace.open) best = one;
    } else {
      busy.push(exchanger);
      const pauseMs = pausedUntilMs(exchanger, nowMs);
      if (pauseMs > nowMs) untilMs = untilMs === 0 ? pauseMs : Math.min(untilMs, pauseMs);
    }
  }
  if (best !== null) return { kind: 'open', to: best };
  if (busy.length > 0 || slow) return { kind: 'wait', on: busy, untilMs };
  return { kind: 'nowhere', shut };
}

function isFree(exchanger: Exchanger, nowMs: number): boolean {
  const { pace, shared, limits } = exchanger;
  return (
    mayOpen(pace, nowMs) &&
    (shared === null || mayOpen(shared.pace, nowMs)) &&
    roomThisMinute(pace, limits, nowMs) > 0
  );
}

function pausedUntilMs({ pace, shared, limits }: Exchanger, nowMs: number): number {
  const minuteMs = roomThisMinute(pace, limits, nowMs) > 0 ? 0 : minuteEndsMs(pace);
  return Math.max(pace.pausedUntilMs, shared?.pace.pausedUntilMs ?? 0, minuteMs);
}
