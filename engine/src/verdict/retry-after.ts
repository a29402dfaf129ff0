// The delay a reply names: "greylisted for 300 seconds", "please come back in 00:04:59", "retry in 1 hour 25 minutes",
// "try again in 1h30m", "in five minutes". Asking earlier would only restart the wait. Promise: linear in the reply.

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
/** `04:59` is minutes and seconds; `00:04:59` has hours. A time of day has no such lead in front. */
const CLOCK = new RegExp(`${LEAD}[^0-9]{0,24}(?:(\\d{1,2}):)?(\\d{1,2}):(\\d{2})(?![0-9:])`);
/** `300`, `4.5`, `4,5` and `3,600`. */
const NUMBER = '(\\d{1,3},\\d{3}|\\d{1,6}(?:[.,]\\d{1,2})?)';
/** The second, smaller part of `1 hour(s) 25 minute(s)` or `1h25m` belongs to the first. */
const AMOUNT = new RegExp(
  `${LEAD}[^0-9]{0,24}${NUMBER} ?${UNIT}(?:\\(s\\))?(?![a-zа-я])(?:,? ?(?:(?:and|und|et|y|e|и) )?(\\d{1,2}) ?${UNIT}(?![a-zа-я]))?`,
);
/** `5分後に再送`: Japanese puts the amount first. */
const AMOUNT_BEFORE = /(\d{1,6}) ?(秒|分|時間)(?:後|以上|ほど)/;
/** `retry-after: 180`, as HTTP has it: seconds. */
const NAMED = /retry[- ]after[:=] ?(\d{1,6})(?![0-9:]| ?[a-z])/;
const IN_WORDS =
  /(?:again|retry|wait|come back|in|after|for) (?:at least |about )?(an?|one|two|three|four|five|six|ten|fifteen|twenty|thirty|sixty|half an) (second|minute|hour|day)s?\b/;
const WORD_AMOUNTS: Readonly<Record<string, string>> = {
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  ten: '10',
  fifteen: '15',
  twenty: '20',
  thirty: '30',
  sixty: '60',
  'half an': '0.5',
};

/** `words` as replyWords() writes them. */
export function retryAfterMs(words: string): number | null {
  const clock = CLOCK.exec(words);
  if (clock !== null)
    return bounded(Number(clock[1] ?? 0) * 3_600 + Number(clock[2]) * 60 + Number(clock[3]));
  const amount = AMOUNT.exec(words) ?? AMOUNT_BEFORE.exec(words);
  if (amount !== null) {
    const first = inSeconds(amount[1], amount[2]);
    return first === null ? null : bounded(first + (inSeconds(amount[3], amount[4]) ?? 0));
  }
  const named = NAMED.exec(words);
  if (named !== null) return bounded(Number(named[1]));
  const [, word = '', unit] = IN_WORDS.exec(words) ?? [];
  const inWords = inSeconds(WORD_AMOUNTS[word] ?? '1', unit);
  return inWords === null ? null : bounded(inWords);
}

function inSeconds(amount: string | undefined, unit: string | undefined): number | null {
  if (amount === undefined || unit === undefined) return null;
  const known = UNIT_SECONDS.find(([name]) => name.test(unit));
  return known === undefined ? null : numberOf(amount) * known[1];
}

/** A comma before three digits parts thousands, any other the whole from its parts. */
function numberOf(amount: string): number {
  return Number(/,\d{3}$/.test(amount) ? amount.replace(',', '') : amount.replace(',', '.'));
}

function bounded(seconds: number): number {
  return Math.round(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, seconds * SECOND_MS)));
}
