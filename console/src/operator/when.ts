// Short forms of times and numbers, for cells and ages.
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const tiny = new Intl.NumberFormat(undefined, { notation: 'compact', maximumSignificantDigits: 2 });
const wholePercent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const age = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const month = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const hoursLeft = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'hour', unitDisplay: 'narrow' });

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const UNITS = [
  ['day', DAY_SECONDS],
  ['hour', HOUR_SECONDS],
  ['minute', 60],
  ['second', 1],
] as const;

/** 1.2K. */
export const shortCount = (value: number): string => compact.format(value);

/** 12K, in four characters at most. */
export const tinyCount = (value: number): string => tiny.format(value);

/** What is there is never shown as none. */
export const wholeShare = (share: number): string =>
  wholePercent.format(share > 0 ? Math.max(0.01, share) : 0);

/** The time, or the day if it is not within the next one. */
export const shortMoment = (unixSeconds: number, now: number): string =>
  (Math.abs(unixSeconds - now) < DAY_SECONDS ? time : day).format(unixSeconds * 1_000);

export const clockTime = (unixSeconds: number): string => clock.format(unixSeconds * 1_000);

/** Of its first day in UTC, such as `2026-12-01`. */
export const monthName = (day: string): string => month.format(Date.parse(`${day}T00:00Z`));

/** Rounded up: at least an hour. */
export const shortHours = (seconds: number): string =>
  hoursLeft.format(Math.max(1, Math.ceil(seconds / HOUR_SECONDS)));

/** "3 hours ago". */
export function ageOf(unixSeconds: number, now: number): string {
  const seconds = Math.max(0, now - unixSeconds);
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? UNITS[3];
  return age.format(-Math.floor(seconds / size), unit);
}
