// Files in the user's own folders that only the user may read. Promise: replaced as a whole or not at all, and on the disk
// when the call returns.

import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Rejects with the system's own error. */
export async function writePrivate(file: string, text: string): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: FOLDER_MODE });
    // It may have existed before, with another mode.
    await chmod(dirname(file), FOLDER_MODE);
    const handle = await open(temporary, 'wx', FILE_MODE);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}
