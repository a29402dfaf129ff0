// A reply is read once for all it is said of: the same words with another name in them must read the same.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replyFromText } from './parse-reply-text.ts';
import { readReply } from './read-reply.ts';

const replies = ['gone', 'full', 'not-about-the-mailbox', 'composed-not-about-the-mailbox']
  .flatMap((name) => readFileSync(new URL(`known-replies/${name}.txt`, import.meta.url), 'utf8').split('\n'))
  .filter((reply) => /<[^<>\s]+@[^<>\s]+>/.test(reply));

const local = fc.stringMatching(/^[a-zA-Z0-9.+_'-]{1,64}$/);
const domain = fc.constantFrom('a.example', 'www.example.com', 'mail.xn--bcher-kva.example', 'full.example');

test('a known reply reads the same with and without the mailbox it is about', () => {
  expect(replies.length).toBeGreaterThan(50);
  fc.assert(
    fc.property(fc.constantFrom(...replies), local, local, domain, (known, one, other, at) => {
      for (const mailbox of [`${one}@${at}`, `${other}@${at}`]) {
        const reply = replyFromText(known.replace(/<[^<>\s]+@[^<>\s]+>/, () => `<${mailbox}>`));
        expect(readReply('rcpt', reply, '', mailbox)).toEqual(readReply('rcpt', reply, ''));
      }
    }),
    { numRuns: 2_000 },
  );
});
