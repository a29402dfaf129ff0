// How many refusals for good that give no verdict alone may be compared with the replies to others of the domain: over
// the known replies, and over files of `code <tab> status <tab> reply` given as arguments.
//   node scripts/with-node.mjs node scripts/comparable-replies.ts [replies.tsv …]
import { readFileSync } from 'node:fs';
import { meaningOutcome, readReply, replyFromText } from '../engine/src/index.ts';

const KNOWN = [
  'not-about-the-mailbox',
  'composed-not-about-the-mailbox',
  'gone',
  'full',
  'composed-gone',
  'composed-full',
];

function linesOf(path: string | URL): string[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

const sources: [string, string[]][] = KNOWN.map((name) => {
  const url = new URL(`../engine/src/verdict/known-replies/${name}.txt`, import.meta.url);
  return [name, linesOf(url)];
});
for (const path of process.argv.slice(2))
  sources.push([path, linesOf(path).map((line) => line.split('\t')[2] ?? '')]);

for (const [source, replies] of sources) {
  const classes: Record<string, { 'no verdict alone': number; 'decided where others are taken': number }> =
    {};
  const sum = { 'no verdict alone': 0, 'decided where others are taken': 0 };
  for (const text of replies) {
    const reply = replyFromText(text);
    const { meaning, clarity } = readReply('rcpt', reply, '');
    if (reply.code < 500 || meaningOutcome(meaning).state !== 'unknown') continue;
    classes[meaning] ??= { 'no verdict alone': 0, 'decided where others are taken': 0 };
    for (const count of [classes[meaning], sum]) {
      count['no verdict alone'] += 1;
      if (clarity === 'vague') count['decided where others are taken'] += 1;
    }
  }
  console.log(`${source}: ${replies.length} replies`);
  console.table({ ...classes, all: sum });
}
