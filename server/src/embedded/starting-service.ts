// Which services are starting on a data folder, so that commands wait for them.
// Promise: one that has died is not starting. Light: loaded before anything that takes time.
//
// Beside the lock and not part of it: a service says so seconds before it has loaded what it needs to take the lock.

import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processIdentity } from './process-identity.ts';
import { LOCK_FOLDER, openLockFolder } from './service-lock.ts';

const NAME = /^starting-([1-9]\d{0,14})$/;

/** Of this process, until `endStart` or its death. */
export function sayStarting(dataDir: string): void {
  const folder = openLockFolder(dataDir);
  for (const { name, isAlive } of starting(folder)) if (!isAlive) rmSync(join(folder, name), { force: true });
  // A name that cannot be foreseen, and a file that was not there: the folder may be another user's.
  const aside = join(folder, `.starting-${process.pid}-${randomBytes(6).toString('hex')}`);
  writeFileSync(aside, processIdentity(process.pid) ?? '', { mode: 0o644, flag: 'wx' });
  renameSync(aside, join(folder, `starting-${process.pid}`));
}

export function endStart(dataDir: string): void {
  rmSync(join(dataDir, LOCK_FOLDER, `starting-${process.pid}`), { force: true });
}

export function isServiceStarting(dataDir: string): boolean {
  return starting(openLockFolder(dataDir)).some(({ isAlive }) => isAlive);
}

function starting(folder: string): { readonly name: string; readonly isAlive: boolean }[] {
  return readdirSync(folder).flatMap((name) => {
    const pid = NAME.exec(name)?.[1];
    return pid === undefined
      ? []
      : [{ name, isAlive: identityIn(join(folder, name)) === processIdentity(Number(pid)) }];
  });
}

/** Undefined: it was removed meanwhile. */
function identityIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
