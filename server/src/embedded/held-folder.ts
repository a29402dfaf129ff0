// A folder that root works in while another user may change it: how files in it are made, opened and given to its owner.
// Promise: only what this process has just made is given away, by its open handle, to the owner of the very folder it was made
// in; where others may write to the folder, root follows no link in it, and opens only what belongs to the folder's owner or,
// under a single name, to root. Any other user has no rights to lose, and works by plain paths.
//
// Node has no openat(2). On Linux, /proc/self/fd/<fd>/<name> does the same: it leads into the folder that was opened, wherever
// the folder's own path leads by now. Elsewhere that path is used, and a user who may rename the folder itself could swap it.

import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../rules/operator-error.ts';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;
const ROOT = 0;
const OTHERS_MAY_WRITE = 0o022;
/** Of a file that `readSmallFile` reads: passwords, keys and paths are far shorter. */
const SMALL_FILE_BYTES = 64 * 1024;

/** For a file that was not there: whatever has its name, a link included, is EEXIST. */
export const MAKE = O_CREAT | O_EXCL | O_RDWR;

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

export interface HeldFolder {
  /** Of a name in it. */
  pathOf(name: string): string;
  /** Gives a file that this process has just made in it to its owner, or to another user. */
  give(file: number, to?: Owner): void;
  /** With the flags for opening what is there already; `vet` follows. */
  readonly flags: number;
  /** Throws `OperatorError` where the file may be one that the owner wants root to open in their place. */
  vet(file: number, name: string): void;
  /** A folder in it that is not there yet, and is its owner's, or another user's. To be closed. */
  makeFolder(name: string, mode: number, to?: Owner): HeldFolder;
  /** A folder in it that is there. To be closed. */
  enter(name: string): HeldFolder;
  sync(): void;
  close(): void;
}

/** To be closed. The folder's own path may be a link: the operator has named it. */
export function holdFolder(path: string): HeldFolder {
  return hold(path, openSync(path, O_RDONLY | O_DIRECTORY));
}

function hold(path: string, fd: number): HeldFolder {
  const { uid, gid, mode } = fstatSync(fd);
  const isRoot = process.getuid?.() === ROOT;
  const isShared = isRoot && (uid !== ROOT || (mode & OTHERS_MAY_WRITE) !== 0);
  const isLinux = process.platform === 'linux';
  const reachedAt = isShared && isLinux ? `/proc/self/fd/${fd}` : path;
  const pathOf = (name: string) => join(reachedAt, name);
  const flags = isShared ? O_NOFOLLOW | O_NONBLOCK : 0;

  function give(made: number, to: Owner = { uid, gid }): void {
    if (isRoot && to.uid !== ROOT) fchownSync(made, to.uid, to.gid);
  }

  function openInside(name: string): number {
    try {
      return openSync(pathOf(name), O_RDONLY | O_DIRECTORY | flags);
    } catch (error) {
      throw isShared && isLink(error) ? refused(path, name) : error;
    }
  }

  return {
    pathOf,
    flags,
    give,
    vet(file, name) {
      if (!isShared) return;
      const found = fstatSync(file);
      const isOwners = found.uid === uid && uid !== ROOT;
      const isRoots = found.uid === ROOT && found.nlink === 1;
      if (!found.isFile() || (!isOwners && !isRoots)) throw refused(path, name);
    },
    makeFolder(name, insideMode, to) {
      mkdirSync(pathOf(name), { mode: insideMode });
      const inside = openInside(name);
      try {
        // Another folder of root's may have been moved to its place: one that has something in it is not given.
        if (readdirSync(isLinux ? `/proc/self/fd/${inside}` : pathOf(name)).length > 0)
          throw refused(path, name);
        fchmodSync(inside, insideMode);
        give(inside, to);
        return hold(join(path, name), inside);
      } catch (error) {
        closeSync(inside);
        throw error;
      }
    },
    enter: (name) => hold(join(path, name), openInside(name)),
    sync: () => fsyncSync(fd),
    close: () => closeSync(fd),
  };
}

/** What a link that is not followed is answered with; ENOTDIR where a folder was asked for. */
export function isLink(error: unknown): boolean {
  return /^(ELOOP|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? '');
}

export function refused(path: string, name: string): OperatorError {
  return new OperatorError(
    `${join(path, name)} is a link or belongs to another user, and root does not use it in a folder that others may change: remove it.`,
  );
}

/** What group and others may have: of a file with a secret; of PostgreSQL's folder, as it says itself; of the data folder. */
export const FOR_OTHERS = { secret: 0, cluster: 0o050, dataFolder: 0o055 };

/**
 * Takes it from them where they have more, as Kubernetes gives it to a group (`fsGroup`): from what this process's user owns, by its
 * handle. Root follows no link, and changes no file that has a second name.
 */
export function keepPrivate(path: string, forOthers: number, say: (line: string) => void): void {
  const user = process.getuid?.();
  let fd: number;
  try {
    fd = openSync(path, O_RDONLY | O_NONBLOCK | (user === ROOT ? O_NOFOLLOW : 0));
  } catch (error) {
    // What cannot be read is refused by what reads it.
    if (isLink(error) || (error as NodeJS.ErrnoException).code === 'EACCES') return;
    throw error;
  }
  try {
    const found = fstatSync(fd);
    if ((found.mode & 0o077 & ~forOthers) === 0) return;
    const mode = found.mode & (0o700 | (forOthers & 0o001));
    const isFolder = found.isDirectory();
    const isOurs = found.uid === user || (user === ROOT && isFolder);
    if (isOurs && (isFolder || found.nlink === 1)) fchmodSync(fd, mode);
    else
      say(
        `${path} is open to its group or to others, and not this user's to change: give it the mode ${mode.toString(8)}, or see that no one else is in that group`,
      );
  } finally {
    closeSync(fd);
  }
}

/** The text of a file in the folder. Throws what `readFileSync` does, and `OperatorError`. */
export function readSmallFile(path: string, name: string): string {
  // Another user may be allowed to read the file, and not what else is in the folder.
  const folder = process.getuid?.() === ROOT ? holdFolder(path) : null;
  try {
    const file = openSync(folder?.pathOf(name) ?? join(path, name), O_RDONLY | (folder?.flags ?? 0));
    try {
      folder?.vet(file, name);
      if (fstatSync(file).size > SMALL_FILE_BYTES)
        throw new OperatorError(
          `${join(path, name)} is larger than ${SMALL_FILE_BYTES / 1024} kB, which MXProof has not written: remove it.`,
        );
      return readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw folder?.flags && isLink(error) ? refused(path, name) : error;
  } finally {
    folder?.close();
  }
}
