// How soon the balance is asked for again. A top-up by the operator, or what colleagues and programs spend, shows within
// seconds; a service that does not answer is asked less and less often.

/** A visible tab uses 12 of the 600 requests a minute. */
export const LIVE_MS = 5_000;
export const LIVE_MAX_MS = 60_000;

/** As long as it has not been known, within limits: each wait is about twice the one before. */
export function nextBalanceMs(knownAt: number, failedAt: number | null): number {
  return failedAt === null ? LIVE_MS : Math.min(LIVE_MAX_MS, Math.max(LIVE_MS, failedAt - knownAt));
}
