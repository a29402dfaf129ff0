// Replies of today's providers (known-replies/by-provider.tsv): each has its exact meaning, since the pace, the next
// sender and whether a source rests hang on it. scripts/provider-replies.ts prints the same table. Beside it published
// replies that are easily misread (known-replies/exam.tsv), each with why it means what it means.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { replyFromText } from './parse-reply-text.ts';
import { readReply } from './read-reply.ts';

function rowsOf(name: string): string[][] {
  const lines = readFileSync(new URL(`known-replies/${name}.tsv`, import.meta.url), 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split('\t'));
}

it.each(rowsOf('by-provider'))('%s, %s: %s, %s: %s', (_row, provider, meaning, detail, text) => {
  expect(readReply('rcpt', replyFromText(text), provider)).toMatchObject({ meaning, detail });
});

it.each(rowsOf('exam'))('%s: %s, %s: %s (%s)', (provider, meaning, detail, text) => {
  expect(readReply('rcpt', replyFromText(text), provider)).toMatchObject({ meaning, detail });
});
