// What we are refused for, where a reply refuses us. Pure. Promise: a reply about a mailbox, a message or the moment has
// no kind.
import type { RefusalKind } from '../ports.ts';
import type { Reply, ReplyReading } from '../types.ts';
import { blocksUs } from './blocks-us.ts';
import { BLOCK_ROWS } from './patterns/about-us.ts';
import { replyWords } from './reply-words.ts';

/** Null: it is not about us. */
export function refusalKind(reading: ReplyReading, reply: Reply): RefusalKind | null {
  if (reading.meaning === 'rate_limited') return 'rate';
  return blocksUs(reading) ? kindOfBlock(reading, reply) : null;
}

function kindOfBlock({ by }: ReplyReading, { lines }: Reply): RefusalKind {
  const { words, links } = replyWords(lines);
  const fitting = BLOCK_ROWS.filter((row) => row.match.test(row.in === 'links' ? links : words));
  // "Client host rejected: cannot find your reverse hostname": the missing name is what can be mended.
  if (fitting.some(({ kind }) => kind === 'ptr')) return 'ptr';
  const [first] = fitting;
  if (first !== undefined) return first.kind ?? 'block';
  // Numbers alone (5.7.1) are the rules of the server; a provider's own words are a block.
  return by === 'code' ? 'policy' : 'block';
}
