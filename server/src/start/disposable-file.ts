// The operator's file of disposable domains (MXPROOF_DISPOSABLE_FILE), read again whenever it changes.
// Promise: a file that is faulty, gone or too large leaves the last good one in effect, and one line says why; a file that is
// not plain is not opened; reading takes the thread a few milliseconds at a time.
import { open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DisposableOverrides, OverridesFault, OverridesReader } from '@mxproof/engine';
import type { Logger } from 'pino';
import { OperatorError } from '../rules/operator-error.ts';

const NAME = 'MXPROOF_DISPOSABLE_FILE';
const LOOK_MS = 2_000;
const PIECE_BYTES = 64 * 1024;
const MAX_MEGABYTES = 32;
const MAX_BYTES = MAX_MEGABYTES * 1024 * 1024;

export interface EntryCounts {
  readonly disposable: number;
  readonly never: number;
}

/** @throws OperatorError; what was in effect stays so */
export async function loadDisposableFile(file: string, overrides: DisposableOverrides): Promise<EntryCounts> {
  const reader = new OverridesReader();
  try {
    for await (const text of piecesOf(file)) reader.push(text);
    const entries = reader.end();
    overrides.replace(entries);
    return { disposable: entries.denied.size, never: entries.allowed.size };
  } catch (error) {
    throw error instanceof OperatorError ? error : new OperatorError(`${NAME} ${whyNot(error)}: ${file}.`);
  }
}

function whyNot(error: unknown): string {
  if (error instanceof OverridesFault) return `names a file with a fault in ${error.message}`;
  if (error instanceof TypeError) return 'names a file that is not UTF-8';
  const { code = 'failed' } = error as NodeJS.ErrnoException;
  return `names a file that cannot be read (${code})`;
}

async function* piecesOf(file: string): AsyncGenerator<string> {
  // Before it is opened: opening a pipe would wait for its writer.
  if (!(await stat(file)).isFile())
    throw new OperatorError(`${NAME} names something that is no file: ${file}.`);
  const handle = await open(file);
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const piece = Buffer.alloc(PIECE_BYTES);
    for (let bytes = 0; ; ) {
      const { bytesRead } = await handle.read(piece, 0, PIECE_BYTES);
      if (bytesRead === 0) return yield decoder.decode();
      bytes += bytesRead;
      if (bytes > MAX_BYTES)
        throw new OperatorError(`${NAME} names a file of more than ${MAX_MEGABYTES} MB: ${file}.`);
      yield decoder.decode(piece.subarray(0, bytesRead), { stream: true });
    }
  } finally {
    await handle.close();
  }
}

/** @throws OperatorError at the start, when there is nothing to go on with */
export async function watchDisposableFile(options: {
  readonly file: string;
  readonly overrides: DisposableOverrides;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly everyMs?: number;
}): Promise<{ look(): Promise<void>; stop(): Promise<void> }> {
  const { file, overrides, log, everyMs = LOOK_MS } = options;
  const stopping = new AbortController();
  let seen = await versionOf(file);
  log.info(await loadDisposableFile(file, overrides), 'disposable domains read from the operator’s file');

  async function look(): Promise<void> {
    const now = await versionOf(file);
    if (now === seen) return;
    seen = now;
    try {
      log.info(await loadDisposableFile(file, overrides), 'disposable domains read from the operator’s file');
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      log.warn(`${error.message} The entries read before stay in effect.`);
    }
  }

  const watching = (async () => {
    for (;;) {
      await sleep(everyMs, undefined, { signal: stopping.signal, ref: false });
      await look();
    }
  })().catch((error: Error) => {
    if (!stopping.signal.aborted) log.warn({ err: error }, `${NAME} is no longer watched`);
  });
  return {
    look,
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}

/** Changes with the file: also where another is moved into its place. */
async function versionOf(file: string): Promise<string> {
  try {
    const { mtimeNs, ctimeNs, size, ino } = await stat(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}
