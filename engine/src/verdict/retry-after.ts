// The delay a reply names: "greylisted for 300 seconds", "please come back in 00:04:59", "retry in 15 min".
// Asking earlier would only start the wait again.

const SECOND_MS = 1_000;
const SHORTEST_MS = SECOND_MS;
/** No list waits longer; a reply that names a week means "no". */
const LONGEST_MS = 24 * 3_600 * SECOND_MS;

const UNIT_SECONDS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|msec|millis)/, 0.001],
  [/^(?:s$|sec|sek|seg|seco|秒|сек)/, 1],
  [/^(?:m$|min|分|мин)/, 60],
  [/^(?:h$|hr|hour|std|stunde|heure|hora|ora$|ore$|時間|小时|час)/, 3_600],
  [/^(?:d$|day|tag|jour|dia|giorn|日|天|дн|ден)/, 86_400],
];

const LEAD =
  '(?:again|retry|later|come back|wait|list(?:ed|ing)|defer(?:red)?|delay(?:ed)?|resend|reconnect|after|within|for|in|dans|en|em|tra|nach|spater|через)';
const UNIT =
  '(ms|msecs?|milliseconds?|secs?|seconds?|sekunden?|segundos?|secondi|secondes?|mins?|minutes?|minuten?|minutos?|minuti|hrs?|hours?|stunden?|heures?|horas?|or[ae]|days?|[smhd]|秒|分|時間|сек[а-я]*|мин[а-я]*|час[а-я]*)';
const CLOCK = new RegExp(`${LEAD}[^0-9]{0,24}(\\d{1,2}):(\\d{2}):(\\d{2})(?![0-9:])`);
const AMOUNT = new RegExp(`${LEAD}[^0-9]{0,24}(\\d{1,6}) ?${UNIT}(?![a-zа-я])`);
/** `5分後に再送`: Japanese puts the amount first. */
const AMOUNT_BEFORE = /(\d{1,6}) ?(秒|分|時間)(?:後|以上|ほど)/;

/** `words` as replyWords() writes them. */
export function retryAfterMs(words: string): number | null {
  const clock = CLOCK.exec(words);
  if (clock !== null) return bounded(Number(clock[1]) * 3_600 + Number(clock[2]) * 60 + Number(clock[3]));
  const amount = AMOUNT.exec(words) ?? AMOUNT_BEFORE.exec(words);
  if (amount === null) return null;
  const unit = UNIT_SECONDS.find(([name]) => name.test(amount[2] ?? ''));
  return unit === undefined ? null : bounded(Number(amount[1]) * unit[1]);
}

function bounded(seconds: number): number {
  return Math.round(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, seconds * SECOND_MS)));
}
