// Why a session is asked nothing more. Decides, touches nothing. Promise: every cause is a row of its own; a session that
// no row fits goes on while there is something to ask.
import { mayBeGivenTls } from '../hosts/shut-host.ts';
import type { SourceBreaker } from '../hosts/source-breaker.ts';
import type { Session } from '../session/session.ts';
import type { LaneSession } from './lane-session.ts';

export interface SessionView {
  readonly session: Pick<Session, 'isLate' | 'flights' | 'pipelining' | 'plan' | 'tls'>;
  readonly at: Pick<LaneSession, 'mxHost' | 'alone'>;
  readonly breaker: Pick<SourceBreaker, 'isResting' | 'name'>;
  /** The checker closes. */
  readonly closing: boolean;
  readonly nowMs: number;
}

export const OVER = {
  closing: ({ closing }) => closing,
  /** It has had all the time that a session is given. */
  late: ({ session, nowMs }) => session.isLate(nowMs),
  /** The host asked for a pause, and not only of new connections. */
  paused: ({ at: { mxHost }, nowMs }) => {
    const { pausedUntilMs } = mxHost.pace;
    return pausedUntilMs > nowMs && !mxHost.availability.pausesOnlyNewcomers(pausedUntilMs);
  },
  shut: ({ at, breaker, nowMs }) => at.mxHost.availability.shutFor(breaker.name, nowMs) !== null,
  source_resting: ({ at, breaker, nowMs }) => breaker.isResting(at.mxHost, nowMs),
  /** The host wants TLS, which this session lacks and another one can have. */
  wants_tls: ({ session, at }) => at.mxHost.greeting.demandsTls && mayBeGivenTls(session),
  /** What has a session of its own has the whole of it: the next look finds no refusals drawn, and is not split. */
  had_its_flight: ({ session, at }) => at.alone && session.flights > 0,
  /** The host was found to mix up replies: a session that went on with flights would not be believed. */
  not_believed: ({ session, at, nowMs }) => session.pipelining && !at.mxHost.replies.mayPipeline(nowMs),
} as const satisfies Readonly<Record<string, (view: SessionView) => boolean>>;

export type OverReason = keyof typeof OVER;

const ALL = Object.keys(OVER) as OverReason[];

export function whyOver(view: SessionView): OverReason | null {
  return ALL.find((why) => OVER[why](view)) ?? null;
}
