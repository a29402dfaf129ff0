// Writes a file as a whole. Promise: under its name it is either complete or what it was before.

import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '@mxproof/server/operator-error';

export async function writeWhole(file: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  try {
    const known = await stat(file).catch(() => null);
    // A pipe or a device is written to, not replaced.
    if (known !== null && !known.isFile()) await pipeline(pieces, createWriteStream(file));
    // Behind a link, the file that it names.
    else await replace(known === null ? file : await realpath(file), pieces);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new OperatorError(`Cannot write ${file} (${code}).`);
  }
}

async function replace(file: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  const temporary = `${file}.${randomBytes(4).toString('hex')}.part`;
  try {
    await pipeline(pieces, createWriteStream(temporary, { flags: 'wx' }));
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
