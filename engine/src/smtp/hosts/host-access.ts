// Why is this host not asked? May it be asked from this source address now, and if not, why and until when. Decides,
// touches nothing. Promise: one kind for each cause there is. Which of a domain's hosts comes first is choose-host.ts.
//
//   shut-host.ts: what happened to sessions ─────▶ unreachable, unresponsive, broken, slow_to_read, refusing, busy
//   source-breaker.ts: our source was blocked ───▶ source_resting
//   proxy-health.ts: what our proxy did ──────────▶ proxy_down, proxy_refusing
//   pace/pace.ts: what it takes at once ─────────▶ paused, minute_used_up, too_often, full
//   parts/host-refusals.ts: it refuses everyone ─▶ minute_used_up, too_often
//   source-permits.ts: the hour or the day is used up ─▶ budget
import { type Holder, payerOf } from '@mxproof/common/fair-share';
import { doorOpensMs, hasSlot } from '../../pace/pace.ts';
import type { Detail } from '../../types.ts';
import { type MxHost, opensAtMs, recipientsLeft, recipientsLeftAtMs } from './mx-host.ts';
import type { ShutKind, ShutPeriod } from './parts/host-availability.ts';
import type { Behalf } from './refused-place.ts';
import type { SourceBreaker } from './source-breaker.ts';

/**
 * What its pace, or its provider's, does not allow. `paused`: it had trouble with us. `minute_used_up`: its limit of
 * recipients per minute. `too_often`: of connections per minute. `full`: of connections at once. `budget`: the limit of
 * recipients per hour or day, the policy's or of a warm-up. `trial`: our source has rested at its provider, and which process
 * tries is being asked.
 */
type PaceKind = 'paused' | 'minute_used_up' | 'too_often' | 'full' | 'budget' | 'trial';

export interface PaceHold {
  readonly kind: PaceKind;
  /** When the last of these that ends by itself does; not after now: none does. */
  readonly untilMs: number;
}

export type Access =
  | { readonly kind: 'free' }
  | { readonly kind: ShutKind; readonly shut: ShutPeriod }
  | PaceHold;

export interface AskingSource {
  /** The source address that would ask, with the hosts that refuse it. */
  readonly breaker: SourceBreaker;
  /** The host's name, as its domain has it. */
  readonly hostName: string;
  /** The account that asks. */
  readonly holder: Holder;
  /** And about which domain; null, unset: of anyone. */
  readonly behalf?: Behalf | null;
  /** Since when recipients wait without an answer: what was shut after that was tried for them already. */
  readonly sinceMs?: number;
}

export function accessOf(mxHost: MxHost, asker: AskingSource, nowMs: number): Access {
  const shut = whatShuts(mxHost, asker, nowMs);
  if (shut !== null) return { kind: shut.kind, shut };
  return whatHoldsBack(mxHost, asker.breaker, nowMs, asker.holder) ?? { kind: 'free' };
}

/** It is left alone, or our source rests there; null: neither. */
export function whatShuts(
  mxHost: MxHost,
  { breaker, hostName, behalf = null, sinceMs }: Omit<AskingSource, 'holder'>,
  nowMs: number,
): ShutPeriod | null {
  return (
    mxHost.availability.shutFor(breaker.name, nowMs, sinceMs) ??
    breaker.shutFor(mxHost, hostName, behalf, nowMs)
  );
}

/** Its pace or its provider's does not allow another connection at this moment; null: it does. */
export function whatHoldsBack(
  mxHost: MxHost,
  breaker: Pick<SourceBreaker, 'permits' | 'awaitsTrial'>,
  nowMs: number,
  holder: Holder,
): PaceHold | null {
  const hold = whatPaceHolds(mxHost, breaker, nowMs, holder);
  // Last: who is told to try must be able to at once.
  return hold === null && breaker.awaitsTrial(mxHost, nowMs) ? { kind: 'trial', untilMs: 0 } : hold;
}

function whatPaceHolds(
  mxHost: MxHost,
  { permits }: Pick<SourceBreaker, 'permits'>,
  nowMs: number,
  holder: Holder,
): PaceHold | null {
  const hold = paceHold(mxHost, nowMs, payerOf(holder));
  const budgets = permits.budgetsAt(mxHost);
  if (budgets.length === 0) return hold;
  const heldUntilMs = permits.heldUntilMs(budgets, holder, nowMs);
  if (heldUntilMs === null || (heldUntilMs === 0 && hold !== null)) return hold;
  return { kind: 'budget', untilMs: Math.max(heldUntilMs, hold?.untilMs ?? 0) };
}

function paceHold(mxHost: MxHost, nowMs: number, payer: string | null): PaceHold | null {
  const kind = paceKind(mxHost, nowMs, payer);
  if (kind === null) return null;
  const { pace, shared } = mxHost;
  const untilMs = Math.max(
    pace.pausedUntilMs,
    shared?.pace.pausedUntilMs ?? 0,
    recipientsLeftAtMs(mxHost, nowMs),
    opensAtMs(mxHost, nowMs, payer),
  );
  return { kind, untilMs };
}

function paceKind(mxHost: MxHost, nowMs: number, payer: string | null): PaceKind | null {
  const { pace, shared } = mxHost;
  const paces = shared === null ? [pace] : [pace, shared.pace];
  if (paces.some(({ pausedUntilMs }) => nowMs < pausedUntilMs)) return 'paused';
  if (recipientsLeft(mxHost, nowMs) === 0) return 'minute_used_up';
  if (opensAtMs(mxHost, nowMs, payer) > nowMs) return 'too_often';
  if (shared !== null && doorOpensMs(shared.pace, nowMs) > nowMs) return 'too_often';
  return paces.every(hasSlot) ? null : 'full';
}

/** For people: null where it is asked, or where only a connection has to become free. */
export function whyNotAsked(
  mxHost: MxHost,
  breaker: SourceBreaker,
  nowMs: number,
  holder: Holder,
): { readonly detail: Detail; readonly untilMs: number | null } | null {
  const access = accessOf(mxHost, { breaker, hostName: mxHost.ip, holder }, nowMs);
  switch (access.kind) {
    case 'free':
    case 'full':
    case 'trial':
      return null;
    case 'paused':
    case 'minute_used_up':
    case 'too_often':
      return { detail: 'rate_limited', untilMs: access.untilMs > nowMs ? access.untilMs : null };
    case 'budget':
      // Not used up yet: only the answer of the store has to come.
      return access.untilMs > nowMs ? { detail: 'budget', untilMs: access.untilMs } : null;
    case 'unreachable':
    case 'unresponsive':
    case 'broken':
    case 'slow_to_read':
    case 'refusing':
    case 'busy':
    case 'source_resting':
    case 'proxy_down':
    case 'proxy_refusing':
      return { detail: access.shut.detail, untilMs: untilOf(access.shut) };
    default:
      return access satisfies never;
  }
}

/** A rest by hand may have no end of its own. */
function untilOf({ untilMs }: ShutPeriod): number | null {
  return Number.isFinite(untilMs) ? untilMs : null;
}
