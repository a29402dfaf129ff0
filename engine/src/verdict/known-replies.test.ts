// Wordings met in the wild and what each must lead to, beside the rows' own (known-replies/, one reply a line):
// a change of one row shows here what it takes from another. Three tables are composed: `composed-not-about-the-mailbox` has a
// mailbox's words said of a sender, a client, a host or the moment, where a row that is too sure of itself does most
// harm; `composed-gone` and `composed-full` say the same thing in the many ways of some twenty languages.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { State } from '../types.ts';
import { replyFromText } from './parse-reply-text.ts';
import { readReply } from './read-reply.ts';
import { meaningOutcome } from './verdict.ts';

const TABLES: readonly (readonly [string, State])[] = [
  ['gone', 'undeliverable'],
  ['full', 'risky'],
  ['composed-gone', 'undeliverable'],
  ['composed-full', 'risky'],
  ['busy', 'deliverable'],
  ['not-about-the-mailbox', 'unknown'],
  ['composed-not-about-the-mailbox', 'unknown'],
];

describe.each(TABLES)('%s: %s', (name, state) => {
  const text = readFileSync(new URL(`known-replies/${name}.txt`, import.meta.url), 'utf8');
  const replies = text.split('\n').filter((line) => line !== '');
  it.each(replies)('%s', (reply) => {
    expect(meaningOutcome(readReply('rcpt', replyFromText(reply), '').meaning).state).toBe(state);
  });
});
