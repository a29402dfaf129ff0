// The inside of a body thread: blocks of bytes in, the parsed submission out, without copying anything large.
import { Piscina, transferableSymbol, valueSymbol } from 'piscina';
import { free } from '../free.ts';
import type { BodyJob } from './body-pool.ts';
import { isTooManyValues } from './json-shape.ts';
import { type Bodies, parseBodies } from './parse-bodies.ts';

export function parseBody({ route, blocks }: BodyJob): unknown {
  const bytes = Buffer.concat(blocks);
  free(blocks);
  const parsed: Bodies[keyof Bodies] = isTooManyValues(bytes)
    ? { kind: 'refused', why: 'body_too_large' }
    : parseBodies[route](bytes);
  free([bytes]);
  const pieces = parsed.kind === 'list' ? parsed.emails.pieces : [];
  // A small text lies in Node's shared slab, which stays here: that one is copied.
  const whole = pieces.flatMap(({ text }) =>
    text.length === text.buffer.byteLength ? [text.buffer as ArrayBuffer] : [],
  );
  return Piscina.move({ [transferableSymbol]: whole, [valueSymbol]: parsed } as never);
}
