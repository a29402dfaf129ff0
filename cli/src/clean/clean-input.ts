// The file that `mxproof clean` reads, twice: from the disk, or from standard input by way of a temporary file.
// Promise: both readings are of the same file, though it may be replaced in between; a change within it is noticed.

import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Source } from '@mxproof/files/open-table';
import { OperatorError } from '@mxproof/server/operator-error';

const CHUNK_BYTES = 256 * 1_024;

export interface CleanInput extends Source {
  /** Not from a file: there is nothing to write beside, and no terminal to ask at. */
  readonly isPiped: boolean;
  /** Throws if the file was written to since it was opened. */
  requireUnchanged(): Promise<void>;
  close(): Promise<void>;
}

export async function openInput(file: string): Promise<CleanInput> {
  if (file === '-') return inputOf(await spooled(process.stdin, 'standard input'), file, true);
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error);
  });
  const found = await handle.stat();
  if (found.isFile()) return inputOf(handle, file, false);
  if (!found.isDirectory()) return inputOf(await spooled(handle.createReadStream(), file), file, true);
  await handle.close();
  throw new OperatorError(`${file} is a folder: name a file of addresses.`);
}

export function unreadable(file: string, { code }: NodeJS.ErrnoException): OperatorError {
  if (code === 'ENOENT') return new OperatorError(`There is no file ${file}.`);
  if (code === 'EACCES') return new OperatorError(`This user is not allowed to read ${file}.`);
  return new OperatorError(`Cannot read ${file} (${code}).`);
}

async function inputOf(handle: FileHandle, file: string, isPiped: boolean): Promise<CleanInput> {
  const stateOf = async () => {
    const { size, mtimeNs } = await handle.stat({ bigint: true });
    return `${size} ${mtimeNs}`;
  };
  const opened = await stateOf();
  return {
    isPiped,
    // Not as a stream of the handle: one that is left before its end takes the handle with it.
    async *chunks() {
      for (let position = 0; ; ) {
        const { bytesRead, buffer } = await handle.read(
          Buffer.allocUnsafe(CHUNK_BYTES),
          0,
          CHUNK_BYTES,
          position,
        );
        if (bytesRead === 0) return;
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    },
    async requireUnchanged() {
      if ((await stateOf()) !== opened)
        throw new OperatorError(
          `${file} changed while it was being checked: run the command again; nothing is charged twice.`,
        );
    },
    close: () => handle.close(),
  };
}

/** Gone from its folder as soon as it is open: however the process ends, nothing of it stays. */
async function spooled(stream: AsyncIterable<Uint8Array>, name: string): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'mxproof-clean-'));
  const file = join(folder, 'input');
  try {
    const handle = await open(file, 'wx+', 0o600);
    await rm(folder, { recursive: true });
    for await (const chunk of stream) await handle.writeFile(chunk);
    return handle;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw new OperatorError(
      `Cannot store ${name} in ${tmpdir()} (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}
