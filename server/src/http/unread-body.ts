// What to do with a body that will not be read: the client still sends it while the refusal is on its way.
// Promise: the client gets the whole refusal, and an endless body costs neither memory nor more than a moment.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** A body up to this size is thrown away as it comes, and the connection goes on. */
const WORTH_READING_BYTES = 64 * 1024;
const DRAIN_LIMIT_MS = 2_000;
const DRAIN_LIMIT_BYTES = 256 * 1024 * 1024;

export function hasUnreadBody(raw: IncomingMessage): boolean {
  if (raw.complete || raw.destroyed) return false;
  if (raw.headers['transfer-encoding'] !== undefined) return true;
  return Number(raw.headers['content-length'] ?? 0) > WORTH_READING_BYTES;
}

/** The refusal at once; then the connection stays for a moment, since closing it now could lose the refusal. */
export function thenDrain(text: string, raw: IncomingMessage): Readable {
  return Readable.from(
    (async function* () {
      yield text;
      await drain(raw);
    })(),
  );
}

function drain(raw: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(done, DRAIN_LIMIT_MS);
    function done() {
      clearTimeout(timer);
      raw.off('data', onData).off('end', done).off('close', done).off('error', done);
      resolve();
    }
    function onData(chunk: Buffer) {
      bytes += chunk.length;
      if (bytes > DRAIN_LIMIT_BYTES) done();
    }
    raw.on('data', onData).on('end', done).on('close', done).on('error', done);
    raw.resume();
  });
}
