// Secrets as files: the store's password, and whatever else only the owner of the data folder may read.
// Promise: written completely or not at all, synced, mode 600; the first of several writers wins.

import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { OperatorError } from '../rules/operator-error.ts';
import { holdFolder, MAKE, readSmallFile } from './held-folder.ts';

/** In the data folder. */
export const PASSWORD_FILE = 'postgres-password';
const PASSWORD_BYTES = 32;

/** The store's password, made at the first start. */
export function storePassword(dataDir: string): string {
  const file = join(dataDir, PASSWORD_FILE);
  if (!existsSync(file)) writeSecret(dataDir, file, randomBytes(PASSWORD_BYTES).toString('hex'));
  return readSecret(dataDir, PASSWORD_FILE);
}

/** Throws `OperatorError`. */
export function readSecret(dataDir: string, name: string): string {
  try {
    return readSmallFile(dataDir, name).trim();
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `Cannot read ${join(dataDir, name)} (${(error as NodeJS.ErrnoException).code}): run this command as the user who runs the service, or as root.`,
    );
  }
}

/** Whole or not at all, on disk, for the data folder's owner alone; the first of several writers wins. */
export function writeSecret(dataDir: string, file: string, secret: string): void {
  const folder = holdFolder(dataDir);
  const name = basename(file);
  const aside = folder.pathOf(`${name}.${process.pid}-${randomBytes(6).toString('hex')}`);
  try {
    const made = openSync(aside, MAKE, 0o600);
    try {
      writeFileSync(made, `${secret}\n`);
      fsyncSync(made);
      folder.give(made);
    } finally {
      closeSync(made);
    }
    linkSync(aside, folder.pathOf(name));
    folder.sync();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
    folder.close();
  }
}
