// Replies of today's providers (known-replies/by-provider.tsv): each has its exact meaning, since the pace, the next
// sender and whether a source rests hang on it. scripts/provider-replies.ts prints the same table.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { replyFromText } from './parse-reply-text.ts';
import { readReply } from './read-reply.ts';

const lines = readFileSync(new URL('known-replies/by-provider.tsv', import.meta.url), 'utf8').split('\n');
const rows = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split('\t'));

it.each(rows)('%s, %s: %s, %s: %s', (_row, provider, meaning, detail, text) => {
  expect(readReply('rcpt', replyFromText(text), provider)).toMatchObject({ meaning, detail });
});
