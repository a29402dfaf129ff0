// The words that sending services use for what became of a message → ours, and the times they write.
// Promise: a word that is not known is no outcome; `sent` is none, since it says only that the service took the message.

import type { OutcomeWord } from './outcome.ts';

const BY_OUTCOME: Readonly<Record<OutcomeWord, readonly string[]>> = {
  delivered: ['delivered', 'delivery', 'emaildelivered', 'messagedelivered'],
  bounced: [
    ...['bounced', 'bounce', 'hardbounce', 'softbounce', 'hardbounced', 'softbounced', 'emailbounced'],
    ...['failed', 'failure', 'permanentfailure', 'permfail', 'permanentfail', 'undelivered', 'outofband'],
    ...['blocked', 'rejected', 'invalidemail', 'bademailaddress', 'hardfail', 'blockedbounce'],
  ],
  complained: [
    ...['complained', 'complaint', 'spam', 'spamreport', 'spamcomplaint', 'abuse', 'markedasspam'],
    'emailcomplained',
  ],
};
const OUTCOME_OF: ReadonlyMap<string, OutcomeWord> = new Map(
  Object.entries(BY_OUTCOME).flatMap(([outcome, words]) =>
    words.map((word) => [word, outcome as OutcomeWord] as const),
  ),
);
const MAX_WORD_CHARS = 40;

/** Null: no outcome. */
export function outcomeOf(text: string): OutcomeWord | null {
  return text.length > MAX_WORD_CHARS ? null : (OUTCOME_OF.get(plainWord(text)) ?? null);
}

/** `Hard_Bounce`, `hard bounce` → `hardbounce` */
export function plainWord(text: string): string {
  return text
    .slice(0, MAX_WORD_CHARS)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** For a sentence about what was passed over: short, and without an address. */
export function shownWord(text: string): string {
  const word = text.trim().slice(0, MAX_WORD_CHARS).toLowerCase();
  return /^[a-z][a-z0-9_. -]*$/.test(word) ? word : 'other words';
}

const MAX_TIME_CHARS = 64;
const MIN_SECONDS = Date.UTC(2000, 0, 1) / 1_000;
const MAX_SECONDS = Date.UTC(2100, 0, 1) / 1_000;
/** Larger numbers are milliseconds. */
const MAX_NUMBER_SECONDS = 100_000_000_000;
const WITHOUT_ZONE = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)$/;

/** Unix seconds, from seconds or milliseconds, ISO 8601, or the date of a message; without a zone it is UTC. Null: no time. */
export function secondsOf(text: string): number | null {
  const given = text.trim();
  if (given === '' || given.length > MAX_TIME_CHARS) return null;
  const seconds = /^\d{9,13}(?:\.\d{1,9})?$/.test(given)
    ? Number(given) / (Number(given) > MAX_NUMBER_SECONDS ? 1_000 : 1)
    : Date.parse(given.replace(WITHOUT_ZONE, '$1T$2Z')) / 1_000;
  return seconds >= MIN_SECONDS && seconds < MAX_SECONDS ? Math.floor(seconds) : null;
}
