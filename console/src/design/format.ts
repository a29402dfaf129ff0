// Numbers, dates and durations as the reader's own locale writes them.
const count = new Intl.NumberFormat();
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const smallRate = new Intl.NumberFormat(undefined, { style: 'percent', maximumSignificantDigits: 2 });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const utcDay = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const utcDate = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const signed = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

export const formatCount = (value: number): string => count.format(value);

export const formatShare = (part: number, whole: number): string =>
  percent.format(whole === 0 ? 0 : part / whole);

/** Of what is seldom: 0.25%, and 12.3%. */
export const formatRate = (rate: number): string => (rate < 0.1 ? smallRate : percent).format(rate);

export const formatMoment = (unixSeconds: number): string => moment.format(unixSeconds * 1000);

/** Of today the time alone. */
export function formatTime(unixSeconds: number): string {
  return formatDay(unixSeconds) === formatDay(Date.now() / 1000)
    ? time.format(unixSeconds * 1000)
    : formatMoment(unixSeconds);
}

export const formatDay = (unixSeconds: number): string => day.format(unixSeconds * 1000);

/** Of a day in UTC, such as `2026-11-15`. */
export const formatUtcDay = (date: string): string => utcDay.format(Date.parse(`${date}T00:00Z`));

/** With its year. */
export const formatUtcDate = (date: string): string => utcDate.format(Date.parse(`${date}T00:00Z`));

export const formatChange = (value: number): string => signed.format(value);

const SIZES = [
  ['megabyte', 1_000_000],
  ['kilobyte', 1_000],
  ['byte', 1],
] as const;

export function formatSize(bytes: number): string {
  const [unit, size] = SIZES.find(([, size]) => bytes >= size) ?? SIZES[2];
  // The short form of "byte" has no plural.
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  const form = { style: 'unit', unit, unitDisplay, maximumSignificantDigits: 3 } as const;
  return new Intl.NumberFormat(undefined, form).format(bytes / size);
}

const UNITS = [
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** In its largest unit, rounded up, so that the time left is not underestimated. */
export function formatDuration(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? UNITS[2];
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.max(1, Math.ceil(seconds / size)),
  );
}
