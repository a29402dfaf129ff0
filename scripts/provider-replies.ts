// How the replies of today's providers are read, as a table of tab-separated columns; with another checkout of the
// repository, how its reader reads them too. Exit status: 0 all as the table in the repository says, 1 not.
//   node scripts/with-node.mjs node scripts/provider-replies.ts [--before <checkout>] [--changed]
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ReplyReading, readReply, replyFromText } from '../engine/src/index.ts';

type Reading = Pick<ReplyReading, 'meaning' | 'detail' | 'rule'>;

const { values } = parseArgs({ options: { before: { type: 'string' }, changed: { type: 'boolean' } } });
const table = new URL('../engine/src/verdict/known-replies/by-provider.tsv', import.meta.url);
const lines = readFileSync(table, 'utf8').split('\n');
const rows = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split('\t'));

/** A process of its own; the reader's two files import no package, so that the checkout needs no install. */
const READER = `
  import { readFileSync } from 'node:fs';
  import { readReply } from './read-reply.ts';
  import { replyFromText } from './parse-reply-text.ts';
  const replies = JSON.parse(readFileSync(0, 'utf8'));
  console.log(JSON.stringify(replies.map(([provider, text]) => readReply('rcpt', replyFromText(text), provider))));
`;

function readingsOf(checkout: string): readonly Reading[] {
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', READER], {
    cwd: resolve(checkout, 'engine/src/verdict'),
    input: JSON.stringify(rows.map(([, provider = '', , , text = '']) => [provider, text])),
    encoding: 'utf8',
  });
  return JSON.parse(said) as readonly Reading[];
}

const wordsOf = ({ meaning, detail }: Reading) => (meaning === detail ? meaning : `${meaning}, ${detail}`);

const before = values.before === undefined ? null : readingsOf(values.before);
let changed = 0;
let wrong = 0;
console.log(['row', 'provider', ...(before ? ['before'] : []), 'meaning', 'reply', 'rule'].join('\t'));
for (const [at, [row, provider = '', meaning, detail, text = '']] of rows.entries()) {
  const now = readReply('rcpt', replyFromText(text), provider);
  const was = before?.[at];
  const isChanged = was !== undefined && wordsOf(was) !== wordsOf(now);
  if (isChanged) changed += 1;
  if (now.meaning !== meaning || now.detail !== detail) {
    wrong += 1;
    console.error(`not ${meaning}, ${detail}: ${text}`);
  }
  if (values.changed === true && !isChanged) continue;
  console.log([row, provider, ...(was ? [wordsOf(was)] : []), wordsOf(now), text, now.rule].join('\t'));
}
if (before !== null) console.log(`${changed} of ${rows.length} read otherwise than before`);
process.exitCode = wrong === 0 ? 0 : 1;
