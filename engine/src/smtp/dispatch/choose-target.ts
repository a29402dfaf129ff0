// Which address a new session goes to. Decides, touches nothing. Promise: the most preferred rank that has anybody to
// ask, and in it the least busy; beside a connect that is not answered at once the next address of its rank is tried,
// and one that has swallowed connects before is the last of its rank; a rank is left only when all of it is shut or
// has not answered for a good while.
import type { MailTarget } from '../../dns/domain-facts.ts';
import { doorOpensMs, mayOpen, minuteEndsMs, roomThisMinute } from '../../pace/pace.ts';
import type { Exchanger } from '../knowledge/exchanger.ts';
import type { Shut } from '../knowledge/host-door.ts';

export interface Reachable {
  readonly target: MailTarget;
  readonly exchanger: Exchanger;
}

export type Choice =
  | { readonly kind: 'open'; readonly to: Reachable }
  /** Busy, paused or dialled by others: `untilMs` is when a pause ends, 0 when a connection has to end or be answered. */
  | { readonly kind: 'wait'; readonly on: readonly Exchanger[]; readonly untilMs: number }
  | { readonly kind: 'nowhere'; readonly shut: Shut | null };

/**
 * RFC 8305 (5) asks for 100 ms to 2 s between attempts. Half a second is longer than any round trip on earth, and
 * shorter than the first second, after which a lost SYN is sent again.
 */
export const NEXT_ADDRESS_MS = 500;
/** A less preferred exchanger is another server, perhaps with other knowledge: only when a lost SYN had its second try. */
const NEXT_RANK_MS = 4_000;

/** `sinceMs`: since when those who wait have been without an answer. Each address is tried once for them. */
export function chooseTarget(
  targets: readonly Reachable[],
  source: string | null,
  nowMs: number,
  sinceMs: number,
): Choice {
  let rank = -1;
  let best: Reachable | null = null;
  let lastChoice: Reachable | null = null;
  let shut: Shut | null = null;
  let isHopeful = false;
  let untilMs = 0;
  let busyUntilMs = Number.POSITIVE_INFINITY;
  const busy: Exchanger[] = [];
  const slow: Exchanger[] = [];
  const sooner = (atMs: number) => {
    if (atMs > nowMs) untilMs = untilMs === 0 ? atMs : Math.min(untilMs, atMs);
  };
  for (const one of targets) {
    if (one.target.rank !== rank && (best !== null || lastChoice !== null || busy.length > 0 || isHopeful))
      break;
    rank = one.target.rank;
    const { exchanger } = one;
    const why = exchanger.door.shutFor(source, nowMs, sinceMs);
    const waitedMs = exchanger.dial.waitedMs(nowMs);
    if (why !== null) {
      if (why.busy) busyUntilMs = Math.min(busyUntilMs, why.untilMs);
      // What a server said is worth more than that another was silent.
      if (shut === null || (why.connected && !shut.connected)) shut = why;
    } else if (waitedMs >= NEXT_ADDRESS_MS && targets.length > 1) {
      slow.push(exchanger);
      if (waitedMs >= NEXT_RANK_MS) continue;
      isHopeful = true;
      sooner(nowMs - waitedMs + NEXT_RANK_MS);
    } else if (!isFree(exchanger, nowMs)) {
      busy.push(exchanger);
      sooner(pausedUntilMs(exchanger, nowMs));
    } else if (exchanger.dial.isLastChoice(nowMs)) {
      lastChoice ??= one;
    } else if (best === null || exchanger.pace.open < best.exchanger.pace.open) {
      best = one;
    }
  }
  const to = best ?? (busy.length > 0 || isHopeful ? null : lastChoice);
  if (to !== null) return { kind: 'open', to };
  // The connect may be another lane's: its end or answer has to be told here as well.
  if (busy.length > 0 || slow.length > 0) return { kind: 'wait', on: [...busy, ...slow], untilMs };
  // One that only had enough of us is waited for where nobody else can be asked.
  if (busyUntilMs < Number.POSITIVE_INFINITY) return { kind: 'wait', on: [], untilMs: busyUntilMs };
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
  return Math.max(pace.pausedUntilMs, shared?.pace.pausedUntilMs ?? 0, minuteMs, doorOpensMs(pace, nowMs));
}
