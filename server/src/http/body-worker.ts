// The inside of a body thread: blocks of bytes in, what they say out, nothing large copied on either way.
import { parentPort } from 'node:worker_threads';
import type { BodyJob } from './body-pool.ts';
import { free } from './free.ts';
import { isTooManyValues } from './json-shape.ts';
import { readBodies } from './read-bodies.ts';

parentPort?.on('message', ({ route, blocks }: BodyJob) => {
  const bytes = Buffer.concat(blocks);
  free(blocks);
  const understood = isTooManyValues(bytes)
    ? ({ kind: 'refused', why: 'body_too_large' } as const)
    : readBodies[route](bytes);
  free([bytes]);
  const pieces = understood.kind === 'list' ? understood.emails.pieces : [];
  parentPort?.postMessage(
    understood,
    // A small text lies in Node's shared slab, which stays here: that one is copied.
    pieces.flatMap(({ text }) =>
      text.length === text.buffer.byteLength ? [text.buffer as ArrayBuffer] : [],
    ),
  );
});
