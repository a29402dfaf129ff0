// Lets one service or one command at a time use a data folder.
// Promise: two callers never both hold the lock, whichever process is killed and whenever; the lock of a dead holder is
// taken over.
//
// The lock is a folder of numbered files; the highest number is the holder's.
//
//   free ──link n+1──▶ held ──release──▶ free
//                        └──holder dies──▶ stale ──link n+2──▶ held
//
// A number is created by link(2), which only one caller can win, and removed only once a higher one exists. A caller
// that won a number that is no longer the highest (it was delayed after looking) notices that and gives it back.

import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdFolder } from './held-folder.ts';
import { processIdentity } from './process-identity.ts';

export type LockKind = 'service' | 'command';

export interface HeldLock {
  readonly kind: 'held';
  release(): void;
}

export interface BusyLock {
  readonly kind: 'busy';
  readonly holder: LockKind;
  readonly pid: number;
}

interface Entry {
  readonly pid: number;
  readonly identity: string | null;
  readonly holder: LockKind | 'released';
}

/** In the data folder. */
export const LOCK_FOLDER = 'service.lock';
const MAX_TRIES = 100;

/** Tries once, without waiting. */
export function takeServiceLock(dataDir: string, kind: LockKind): HeldLock | BusyLock {
  const folder = openLockFolder(dataDir);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const top = highest(folder);
    if (top > 0) {
      const entry = readEntry(folder, top);
      // Removed between the listing and the reading: a higher number is there.
      if (entry === null) continue;
      if (isHeld(entry)) return { kind: 'busy', holder: entry.holder as LockKind, pid: entry.pid };
    }
    const mine = top + 1;
    const entry: Entry = { pid: process.pid, identity: processIdentity(process.pid), holder: kind };
    if (!linkEntry(folder, mine, entry)) continue;
    if (highest(folder) > mine) {
      rmSync(join(folder, String(mine)), { force: true });
      continue;
    }
    for (const number of numbers(folder))
      if (number < mine) rmSync(join(folder, String(number)), { force: true });
    return { kind: 'held', release: () => release(folder, mine, entry) };
  }
  throw new Error(`the lock in ${folder} changed hands ${MAX_TRIES} times while it was being taken`);
}

/** Who holds the lock now, without taking it. */
export function serviceLockHolder(dataDir: string): BusyLock | null {
  const folder = openLockFolder(dataDir);
  const top = highest(folder);
  const entry = top > 0 ? readEntry(folder, top) : null;
  if (entry === null || !isHeld(entry)) return null;
  return { kind: 'busy', holder: entry.holder as LockKind, pid: entry.pid };
}

/** Made when missing, for every user to read. */
export function openLockFolder(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true });
  const folder = holdFolder(dataDir);
  try {
    folder.makeFolder(LOCK_FOLDER, 0o755).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Not through a link: numbers are removed in it.
    folder.enter(LOCK_FOLDER).close();
  } finally {
    folder.close();
  }
  return join(dataDir, LOCK_FOLDER);
}

function numbers(folder: string): number[] {
  return readdirSync(folder)
    .filter((name) => /^[1-9]\d{0,14}$/.test(name))
    .map(Number);
}

function highest(folder: string): number {
  return Math.max(0, ...numbers(folder));
}

function readEntry(folder: string, number: number): Entry | null {
  try {
    return JSON.parse(readFileSync(join(folder, String(number)), 'utf8')) as Entry;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    // Torn by a power cut: its writer did not survive the restart.
    if (error instanceof SyntaxError) return { pid: 0, identity: null, holder: 'released' };
    throw error;
  }
}

function isHeld(entry: Entry): boolean {
  return (
    entry.holder !== 'released' && entry.identity !== null && processIdentity(entry.pid) === entry.identity
  );
}

function writeAside(folder: string, entry: Entry): string {
  const aside = join(folder, `.${process.pid}-${randomBytes(6).toString('hex')}`);
  writeFileSync(aside, JSON.stringify(entry), { mode: 0o644, flag: 'wx' });
  return aside;
}

function linkEntry(folder: string, number: number, entry: Entry): boolean {
  const aside = writeAside(folder, entry);
  try {
    linkSync(aside, join(folder, String(number)));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function release(folder: string, number: number, entry: Entry): void {
  // The data folder may have been removed by now, as tests do: then there is nothing to release.
  try {
    const aside = writeAside(folder, { ...entry, holder: 'released' });
    renameSync(aside, join(folder, String(number)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
