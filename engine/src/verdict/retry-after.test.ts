import { describe, expect, it } from 'vitest';
import { replyWords } from './reply-words.ts';
import { retryAfterMs } from './retry-after.ts';

const MINUTE_MS = 60_000;
const delayOf = (text: string) => retryAfterMs(replyWords([text]).words);

describe('the delay a reply names, however it is written', () => {
  it.each([
    ['4.3.2 Too many mails (mail bomb), try again in 1 hour(s) 25 minute(s) and see', 85 * MINUTE_MS],
    ['greylisted, retry in 2 minutes 30 seconds', 150_000],
    ['greylisted, try again in 1 minute and 5 seconds', 65_000],
    ['greylisted, please try again in 04:59', 299_000],
    ['4.7.1 Greylisting in action, please come back in 00:04:59', 299_000],
    ['greylisted; try again in one hour', 60 * MINUTE_MS],
    ['please wait a minute', MINUTE_MS],
    ['greylisted, try again in 1h30m', 90 * MINUTE_MS],
    ['deferred, please retry in 0.5 hours', 30 * MINUTE_MS],
    ['bitte in 4,5 Minuten erneut versuchen (retry in 4,5 Minuten)', 4.5 * MINUTE_MS],
    ['too fast, wait for 3,600 seconds', 60 * MINUTE_MS],
    ['greylisted, come back in about five minutes', 5 * MINUTE_MS],
    ['please try again after half an hour', 30 * MINUTE_MS],
    ['come back later (retry-after: 180)', 180_000],
    ['4.7.1 IP Reputation Greylisted - Riprova tra 5 minuti', 5 * MINUTE_MS],
    ['4.7.1 <a@x.example>: Recipient address rejected: Greylisted for 20 minutes', 20 * MINUTE_MS],
  ])('%s: %s ms', (text, ms) => expect(delayOf(text)).toBe(ms));

  it.each([
    'try again in a few minutes',
    'try again later',
    'try again at 2026-11-15 06:00',
    'too many messages (5.1.1)',
    'error 421 in queue 12345',
  ])('%s: none', (text) => expect(delayOf(text)).toBeNull());
});
