// When an event is sent to an endpoint again, and when the endpoint is switched off.
// Promise: whatever the attempts take, no more are made three days after the schedule began.

const FIRST_DELAYS_SECONDS = [30, 5 * 60, 30 * 60, 2 * 3_600, 5 * 3_600, 10 * 3_600];
const LATER_DELAY_SECONDS = 12 * 3_600;

export const DAY_SECONDS = 86_400;
/** From when an event happened, or was resent: also how long those of a paused endpoint are kept. */
export const TRIED_DAYS = 3;
/** Without a success, and with failures since. */
export const FAILING_DAYS = 5;

const GONE = 410;

/** Seconds to wait after the failed attempt number `made` (1 the first) of a schedule that is so old; null: nothing more is sent. */
export function delayOfDelivery(made: number, ageSeconds: number): number | null {
  const delay = FIRST_DELAYS_SECONDS[made - 1] ?? LATER_DELAY_SECONDS;
  return ageSeconds + delay <= TRIED_DAYS * DAY_SECONDS ? delay : null;
}

/** Null: it stays on. */
export function whySwitchOff(status: number | null, failingSeconds: number): 'gone' | 'failing' | null {
  if (status === GONE) return 'gone';
  return failingSeconds >= FAILING_DAYS * DAY_SECONDS ? 'failing' : null;
}
