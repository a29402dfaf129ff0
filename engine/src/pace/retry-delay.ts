// When to ask again. Pure. Promise: a delay named by the reply is respected (within bounds), otherwise the schedule
// decides; when the schedule is exhausted, there is no next attempt.

/** A minute, then five, a quarter and half an hour: greylisting rarely asks for more than five minutes. */
export const DEFAULT_RETRY_SECONDS: readonly number[] = [60, 300, 900, 1800];

const NAMED_MIN_MS = 1_000;
const NAMED_MAX_MS = 2 * 3_600_000;
/** Clocks differ: coming back a moment early starts some greylists anew. */
const NAMED_MARGIN_MS = 1_000;

/** Milliseconds until the attempt after the `attempts` made so far; null: that was the last. */
export function retryDelayMs(
  attempts: number,
  scheduleSeconds: readonly number[],
  namedMs: number | null,
): number | null {
  const scheduled = scheduleSeconds[attempts - 1];
  if (scheduled === undefined) return null;
  if (namedMs === null) return scheduled * 1000;
  return Math.min(NAMED_MAX_MS, Math.max(NAMED_MIN_MS, namedMs)) + NAMED_MARGIN_MS;
}
