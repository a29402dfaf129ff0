// Where the log goes: standard output, which may be full, closed or a pipe that is not read.
// Promise: writing never throws, and on a pipe or socket never waits; what standard output does not take is kept up to
// MAX_BUFFERED_BYTES and written when it takes lines again; an exit writes what it can within EXIT_LIMIT_MS.

import { constants, fstatSync, openSync, writeSync } from 'node:fs';

const MAX_BUFFERED_BYTES = 1024 * 1024;
const RETRY_MS = 1_000;
const EXIT_LIMIT_MS = 500;
const EXIT_POLL_MS = 10;
const STDOUT = 1;

export interface LogOutput {
  write(line: string): void;
}

/** `onLost`: standard output takes lines again, and so many found no room meanwhile. */
export function createLogOutput(onLost: (lines: number) => void): LogOutput {
  const fd = openWithoutWaiting();
  const buffered: Buffer[] = [];
  let bufferedBytes = 0;
  let lost = 0;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  /** Returns why it stopped; null: everything is written. */
  function writeBuffered(): string | null {
    for (let first = buffered[0]; first; first = buffered[0]) {
      let written: number;
      try {
        written = writeSync(fd, first);
      } catch (error) {
        return (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
      }
      bufferedBytes -= written;
      if (written < first.length) buffered[0] = first.subarray(written);
      else buffered.shift();
    }
    return null;
  }

  function tryAgain(): void {
    const why = writeBuffered();
    if (why === 'EPIPE') {
      // The reader is gone for good.
      isClosed = true;
      buffered.length = 0;
    } else if (why !== null) retry ??= setTimeout(onRetry, RETRY_MS).unref();
    else if (lost > 0) {
      const lines = lost;
      lost = 0;
      onLost(lines);
    }
  }

  function onRetry(): void {
    retry = undefined;
    tryAgain();
  }

  process.on('exit', () => {
    const deadline = performance.now() + EXIT_LIMIT_MS;
    const pause = new Int32Array(new SharedArrayBuffer(4));
    // A full pipe empties while its reader reads; a full disk does not.
    while (!isClosed && writeBuffered() === 'EAGAIN' && performance.now() < deadline)
      Atomics.wait(pause, 0, 0, EXIT_POLL_MS);
  });

  return {
    write(line) {
      if (isClosed) return;
      const bytes = Buffer.from(line);
      if (bufferedBytes + bytes.length > MAX_BUFFERED_BYTES) lost++;
      else {
        buffered.push(bytes);
        bufferedBytes += bytes.length;
      }
      // While it waits for its retry a disk that is full is not asked with every line.
      if (!retry) tryAgain();
    },
  };
}

/**
 * A blocking write to a pipe or socket whose reader has stopped would stop the whole service. A pipe is opened once more in
 * non-blocking mode, which does not change it for other processes that have it. A socket cannot be opened again: Node makes
 * it non-blocking when it opens `process.stdout`. Files and terminals are used as they are.
 */
function openWithoutWaiting(): number {
  try {
    const stat = fstatSync(STDOUT);
    if (stat.isFIFO()) return openSync(`/proc/self/fd/${STDOUT}`, constants.O_WRONLY | constants.O_NONBLOCK);
    if (stat.isSocket()) process.stdout.unref();
  } catch {
    // No /proc, or the pipe is another user's.
  }
  return STDOUT;
}
