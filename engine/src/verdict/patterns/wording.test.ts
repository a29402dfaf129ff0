// Each wording by itself: its example is matched, its counter-example by none.
import { expect, test } from 'vitest';
import { replyFromText } from '../parse-reply-text.ts';
import { readReply } from '../read-reply.ts';
import { replyWords } from '../reply-words.ts';
import { withoutUnrelatedWords } from '../unrelated-words.ts';
import { COUNTED_RECIPIENTS, COUNTS_RECIPIENTS } from './counted-recipients.ts';
import { MAILBOX_WORDINGS } from './mailbox-wordings.ts';
import { anyOf, words } from './wording.ts';

/** As rows about the mailbox see it. */
const seenByRows = (reply: string) => withoutUnrelatedWords(replyWords([reply]).words);

test('a list stands for any one of its words', () => {
  expect(words`no ${['mails?', 'letters']} ${['is ', 'are ']}?read\b`).toBe(
    String.raw`no (?:mails?|letters) (?:is |are )?read\b`,
  );
});

test.each(MAILBOX_WORDINGS.map((one) => [one.example, one] as const))('%s', (example, wording) => {
  expect(seenByRows(example)).toMatch(anyOf([wording]));
  expect(readReply('rcpt', replyFromText(`550 ${example}`), '').meaning).toBe('no_mailbox');
});

test.each(MAILBOX_WORDINGS.map((one) => [one.counterExample]))('not: %s', (counterExample) => {
  expect(seenByRows(counterExample)).not.toMatch(anyOf(MAILBOX_WORDINGS));
  expect(readReply('rcpt', replyFromText(`550 ${counterExample}`), '').meaning).not.toBe('no_mailbox');
});

test.each(
  COUNTED_RECIPIENTS.map((one) => [one.example, one] as const),
)('not a mailbox: %s', (example, wording) => {
  expect(replyWords([example]).words).toMatch(anyOf([wording]));
  expect(COUNTS_RECIPIENTS.test(replyWords([example]).words)).toBe(true);
  expect(['rate_limited', 'blocked']).toContain(readReply('rcpt', replyFromText(example), '').meaning);
});

/** V8 compiles an expression where it is first used: a few milliseconds each, which add up when they are joined. */
const COMPILED_AT_ONCE_MAX_CHARS = 1_500;

test('no wording is so long that its first use holds up the event loop', () => {
  for (const { match } of COUNTED_RECIPIENTS) expect(match.length).toBeLessThan(COMPILED_AT_ONCE_MAX_CHARS);
});

test.each(COUNTED_RECIPIENTS.map((one) => [one.counterExample]))('a mailbox: %s', (counterExample) => {
  expect(replyWords([counterExample]).words).not.toMatch(anyOf(COUNTED_RECIPIENTS));
  expect(['rate_limited', 'blocked']).not.toContain(
    readReply('rcpt', replyFromText(counterExample), '').meaning,
  );
});
