// Which address a new session goes to. Decides, touches nothing. Promise: the most preferred rank that can be asked,
// and in it the least busy; beside a connect that is not answered at once the next address of its rank is tried, and
// one that has swallowed connects before is the last of its rank; a rank is left only when all of it is shut or has not
// answered for a good while.
import type { Holder } from '@mxproof/common/fair-share';
import type { MailTarget } from '../../dns/domain-facts.ts';
import { renewMinute } from '../../pace/pace.ts';
import { type AskingSource, whatHoldsBack, whatShuts } from './host-access.ts';
import type { MxHost } from './mx-host.ts';
import type { ShutPeriod } from './parts/host-availability.ts';
import type { Behalf } from './refused-place.ts';
import type { SourceBreaker } from './source-breaker.ts';

export interface ReachableHost {
  readonly target: MailTarget;
  readonly mxHost: MxHost;
}

export type Choice =
  | { readonly kind: 'open'; readonly to: ReachableHost }
  /** Busy, paused or dialled by others: `untilMs` is when a pause ends, 0 when a connection has to end or be answered. */
  | { readonly kind: 'wait'; readonly on: readonly MxHost[]; readonly untilMs: number }
  | { readonly kind: 'nowhere'; readonly shut: ShutPeriod | null };

/**
 * RFC 8305 (5) asks for 100 ms to 2 s between attempts. Half a second is longer than any round trip on earth, and
 * shorter than the first second, after which a lost SYN is sent again.
 */
export const NEXT_ADDRESS_MS = 500;
/** A less preferred MX host is another server, perhaps with other knowledge: only when a lost SYN had its second try. */
const NEXT_RANK_MS = 4_000;

/**
 * A target, and whether a new session may go there. `dialling`: a connect has waited long enough to try the next address
 * beside it; `unanswered`: long enough for the next rank.
 */
type Candidate =
  | { readonly kind: 'free' | 'last_choice' | 'unanswered'; readonly one: ReachableHost }
  | { readonly kind: 'busy' | 'dialling'; readonly one: ReachableHost; readonly untilMs: number }
  | { readonly kind: 'shut'; readonly one: ReachableHost; readonly shut: ShutPeriod };

/** `sinceMs`: since when the waiting recipients have been without an answer. Each address is tried once for them. */
export function chooseHost(
  targets: readonly ReachableHost[],
  breaker: SourceBreaker,
  nowMs: number,
  sinceMs: number,
  holder: Holder,
  behalf: Behalf | null = null,
): Choice {
  const candidates: Candidate[] = [];
  for (const [at, one] of targets.entries()) {
    const isNextRank = at > 0 && targets[at - 1]?.target.rank !== one.target.rank;
    if (isNextRank && candidates.some(isWorthStaying)) break;
    candidates.push(candidateOf(one, targets.length > 1, { breaker, holder, behalf, sinceMs }, nowMs));
  }
  const to = openable(candidates);
  if (to !== null) return { kind: 'open', to };
  // The connect may be another lane's: its end or answer has to wake this lane as well.
  const on = candidates.filter(isWaitedFor).map(({ one }) => one.mxHost);
  if (on.length > 0) return { kind: 'wait', on, untilMs: soonest(candidates, nowMs) };
  const shuts = candidates.flatMap((candidate) => (candidate.kind === 'shut' ? [candidate.shut] : []));
  // A busy host is waited for where no other can be asked.
  const busy = shuts.filter(({ kind }) => kind === 'busy').map(({ untilMs }) => untilMs);
  if (busy.length > 0) return { kind: 'wait', on: [], untilMs: Math.min(...busy) };
  // Prefer the reason of a server that replied to that of one that was silent.
  return { kind: 'nowhere', shut: shuts.find(({ connected }) => connected) ?? shuts[0] ?? null };
}

function candidateOf(
  one: ReachableHost,
  hasOthers: boolean,
  asker: Pick<AskingSource, 'breaker' | 'holder' | 'behalf' | 'sinceMs'>,
  nowMs: number,
): Candidate {
  const { breaker } = asker;
  const { pace } = one.mxHost;
  const connects = one.mxHost.connects.through(breaker.source.proxy?.name ?? null);
  const shut = whatShuts(one.mxHost, { ...asker, hostName: one.target.host }, nowMs);
  if (shut !== null) return { kind: 'shut', one, shut };
  const waitedMs = connects.waitedMs(nowMs);
  if (hasOthers && waitedMs >= NEXT_RANK_MS) return { kind: 'unanswered', one };
  if (hasOthers && waitedMs >= NEXT_ADDRESS_MS)
    return { kind: 'dialling', one, untilMs: nowMs - waitedMs + NEXT_RANK_MS };
  renewMinute(pace, nowMs);
  const heldBack = whatHoldsBack(one.mxHost, breaker, nowMs, asker.holder);
  if (heldBack !== null) return { kind: 'busy', one, untilMs: heldBack.untilMs };
  return { kind: connects.isLastChoice(nowMs) ? 'last_choice' : 'free', one };
}

/** Whether its rank is asked, now or soon, and not the next one. */
function isWorthStaying({ kind }: Candidate): boolean {
  return kind !== 'shut' && kind !== 'unanswered';
}

function isWaitedFor({ kind }: Candidate): boolean {
  return kind === 'busy' || kind === 'dialling' || kind === 'unanswered';
}

/** The free one with the fewest connections; a last choice only where nothing better becomes free. */
function openable(candidates: readonly Candidate[]): ReachableHost | null {
  let best: ReachableHost | null = null;
  for (const { kind, one } of candidates)
    if (kind === 'free' && (best === null || one.mxHost.pace.open < best.mxHost.pace.open)) best = one;
  if (best !== null || candidates.some(({ kind }) => kind === 'busy' || kind === 'dialling')) return best;
  return candidates.find(({ kind }) => kind === 'last_choice')?.one ?? null;
}

/** When the first pause or patience ends; 0: none does by itself. */
function soonest(candidates: readonly Candidate[], nowMs: number): number {
  let soonestMs = 0;
  for (const candidate of candidates) {
    if (candidate.kind !== 'busy' && candidate.kind !== 'dialling') continue;
    const { untilMs } = candidate;
    if (untilMs > nowMs && (soonestMs === 0 || untilMs < soonestMs)) soonestMs = untilMs;
  }
  return soonestMs;
}
