// Secrets as files: the store's password, and whatever else only the owner of the data folder may read.
// Promise: written completely or not at all, synced, mode 600; the first of several writers wins.

import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../../operator-error.ts';

/** In the data folder. */
export const PASSWORD_FILE = 'postgres-password';
const PASSWORD_BYTES = 32;

/** The store's password, made at the first start. */
export function storePassword(dataDir: string): string {
  const file = join(dataDir, PASSWORD_FILE);
  if (!existsSync(file)) writeSecret(dataDir, file, randomBytes(PASSWORD_BYTES).toString('hex'));
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new OperatorError(
      `Cannot read ${file} (${(error as NodeJS.ErrnoException).code}): run this command as the user who runs the service, or as root.`,
    );
  }
}

/** Whole or not at all, on disk, for the data folder's owner alone; the first of several writers wins. */
export function writeSecret(dataDir: string, file: string, secret: string): void {
  const aside = `${file}.${process.pid}-${randomBytes(6).toString('hex')}`;
  writeFileSync(aside, `${secret}\n`, { mode: 0o600, flush: true });
  giveToOwnerOf(dataDir, aside);
  try {
    linkSync(aside, file);
    syncFolder(dataDir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Root working in another user's data folder leaves nothing there that this user could not remove. */
export function giveToOwnerOf(folder: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const owner = statSync(folder);
  if (owner.uid !== 0) chownSync(path, owner.uid, owner.gid);
}

export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
