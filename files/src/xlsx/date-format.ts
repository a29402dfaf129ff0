// Numbers that a workbook shows as dates and times: which formats do, and what is shown. Promise: the same for everybody,
// whatever the language (2024-02-29 18:30); a number that is no day of the calendar stays a number; a format is looked at
// once, and a long one not at all.

/** What of a moment a format shows. */
export interface DateFormat {
  readonly hasDate: boolean;
  readonly hasTime: boolean;
  readonly hasSeconds: boolean;
  /** `[h]:mm`: hours go on beyond a day. */
  readonly isDuration: boolean;
}

/** Spreadsheets take no longer ones. */
const MAX_FORMAT_CHARACTERS = 255;
const MAX_NUMBER_CHARACTERS = 40;
/** The last day of 9999. */
const LAST_DAY = 2_958_465;
const DAYS_FROM_1900_TO_1904 = 1_462;
/** Lotus took 1900 for a leap year, and everybody after it. */
const DAY_THAT_NEVER_WAS = 60;
const DAY_SECONDS = 86_400;
/** Days between the beginning of the count and of the clock's, for the days behind the one that never was. */
const DAYS_BEFORE_1970 = 25_569;
const DAY_MS = DAY_SECONDS * 1_000;

const DATE: DateFormat = { hasDate: true, hasTime: false, hasSeconds: false, isDuration: false };
const TIME: DateFormat = { hasDate: false, hasTime: true, hasSeconds: false, isDuration: false };
const TIME_SECONDS: DateFormat = { ...TIME, hasSeconds: true };

/** Formats that have a number and no text; those of East Asia from 27 on. */
export function builtInFormat(id: number): DateFormat | null {
  if ([18, 20, 32].includes(id)) return TIME;
  if ([19, 21, 33, 45, 47].includes(id)) return TIME_SECONDS;
  if (id === 46) return { ...TIME_SECONDS, isDuration: true };
  if (id === 22) return { ...DATE, hasTime: true };
  // 34, 35, 55 and 56 are dates in Japanese and times in Chinese: a number below 1 is shown as a time.
  const isDate = (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  return isDate ? DATE : null;
}

/** What is shown as it is: quoted or escaped signs, blanks and fillings, and what brackets say of colour and language. */
const AS_IT_IS = /"[^"]*"?|\\.|[_*].|\[[^\]]*\]?/g;
/** Hours, minutes or seconds in all. */
const IN_ALL = /^\[(?:h+|m+|s+)\]$/;

/** Null: it shows no date. */
export function readFormat(code: string): DateFormat | null {
  if (code.length > MAX_FORMAT_CHARACTERS) return null;
  // Behind the first are those for negative numbers, zero and texts.
  const [shown = ''] = code
    .toLowerCase()
    .replace(AS_IT_IS, (sign) => (IN_ALL.test(sign) ? sign : ''))
    .replace(/am\/pm|a\/p|general|standard/g, '')
    .split(';');
  const isDuration = shown.includes('[');
  const hasHours = shown.includes('h');
  const hasSeconds = shown.includes('s');
  // An m is a minute beside hours or seconds, else a month; the e of a year is not that of 0.00E+00.
  const hasDate =
    /[dy]|(?:^|[^0#?])e/.test(shown) || (/m/.test(shown) && !hasHours && !hasSeconds && !isDuration);
  const hasTime = hasHours || hasSeconds || isDuration;
  return hasDate || hasTime ? { hasDate, hasTime, hasSeconds, isDuration: isDuration && !hasDate } : null;
}

export function showDate(text: string, format: DateFormat, isFrom1904: boolean): string {
  const number = text.length > MAX_NUMBER_CHARACTERS ? Number.NaN : Number(text);
  const seconds = Math.round(
    (number + (isFrom1904 && format.hasDate ? DAYS_FROM_1900_TO_1904 : 0)) * DAY_SECONDS,
  );
  const day = Math.floor(seconds / DAY_SECONDS);
  if (!(number >= 0 && day <= LAST_DAY)) return text;
  // There is no day before the first.
  const hasDate = format.hasDate && (day > 0 || number === 0);
  const time = timeText(seconds - (format.isDuration ? 0 : day * DAY_SECONDS), format);
  if (!hasDate) return time;
  return format.hasTime ? `${dayText(day)} ${time}` : dayText(day);
}

function dayText(day: number): string {
  if (day === 0) return '1900-01-00';
  if (day === DAY_THAT_NEVER_WAS) return '1900-02-29';
  const shift = day < DAY_THAT_NEVER_WAS ? 1 : 0;
  return new Date((day + shift - DAYS_BEFORE_1970) * DAY_MS).toISOString().slice(0, 10);
}

function timeText(seconds: number, { hasSeconds }: DateFormat): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const clock = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return hasSeconds ? `${clock}:${two(seconds % 60)}` : clock;
}
