// The inside of a body thread: blocks of bytes in, the parsed submission out, without copying anything large; of a bounce,
// what its replies mean.
// Promise: a thread that waits for the next body keeps little of the last one.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Piscina, transferableSymbol, valueSymbol } from 'piscina';
import { free } from '../free-buffers.ts';
import type { BodyJob, BouncedReading, BouncedReply } from './body-pool.ts';
import { isTooManyValues, MAX_ADDRESSES_SENT } from './json-shape.ts';
import type { Bodies, parsers, Understood } from './parse-bodies.ts';
import { readByHand } from './read-by-hand.ts';

/** Bodies from this size are followed by a collection: otherwise the idle thread would keep their garbage (ADR 0023). */
const MUCH_BYTES = 1024 * 1024;

// The only way to call the garbage collector without a flag on Node's command line.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as NodeJS.GCFunction;

export async function parseBody({ route, blocks, known }: BodyJob): Promise<unknown> {
  const read: Partial<typeof parsers> =
    route in readByHand ? readByHand : (await import('./parse-bodies.ts')).parsers;
  const bytes = Buffer.concat(blocks);
  const leavesMuch = bytes.length >= MUCH_BYTES;
  free(blocks);
  const isTooMuch =
    route !== 'outcome_table' && isTooManyValues(bytes, route === 'lists' ? MAX_ADDRESSES_SENT : undefined);
  const parsed: Bodies[keyof Bodies] = isTooMuch
    ? { kind: 'refused', why: 'too_large' }
    : read[route]!(bytes, known);
  free([bytes]);
  // After the result is posted, so that the request does not wait for it.
  if (leavesMuch) setImmediate(collect, { type: 'major', execution: 'sync', flavor: 'last-resort' });
  const pieces = 'duplicatesRemoved' in parsed ? parsed.emails.pieces : [];
  // A small text lies in Node's shared slab, which stays here: that one is copied.
  const whole = pieces.flatMap(({ text }) =>
    text.length === text.buffer.byteLength ? [text.buffer as ArrayBuffer] : [],
  );
  const understood: Understood[keyof Understood] =
    'text' in parsed ? { ...parsed, replies: await repliesIn(parsed.text) } : parsed;
  return Piscina.move({ [transferableSymbol]: whole, [valueSymbol]: understood } as never);
}

/** The tables of replies are loaded by the first bounce: threads that read lists have no use for them. */
async function repliesIn(text: string) {
  const { readBounce } = await import('@mxproof/engine/read-bounce');
  return [...readBounce(text)];
}

/** What the replies to mail that was sent say of its recipients. */
export async function readReplies(replies: readonly BouncedReply[]): Promise<BouncedReading[]> {
  const { readBounced } = await import('@mxproof/engine/read-bounce');
  return replies.map(({ text, provider, recipient }) => {
    const { meaning, reason } = readBounced(text, provider, recipient);
    return { meaning, reason };
  });
}
