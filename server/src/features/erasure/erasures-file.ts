// The file `erasures` beside backups: what a restore of one of them has to erase again.
// Promise: whole lines are only ever added, so that processes that write it at the same time lose nothing; a line that a crash
// has cut is passed over, any other that is none is one sentence, and such a file is never added to. It is read in pieces,
// however large it is.
import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type HeldFolder, holdFolder, isLink, MAKE, refused } from '../../embedded/held-folder.ts';
import { upgradeCopies } from '../../embedded/upgrade-copies.ts';
import { OperatorError } from '../../rules/operator-error.ts';
import { keptBackups } from '../../store/backups.ts';
import type { Tx } from '../../store/database.ts';
import { erasureLine, type KnownErasure, readErasureLine } from './erased-hash.ts';
import { knownErasures } from './stored-erasures.ts';

export const ERASURES_FILE = 'erasures';
const FILE_MODE = 0o600;
/** Two million erasures. A file that is larger was not written here. */
const FILE_MAX_BYTES = 256 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

/** Adds what the file in this folder does not have. Throws `OperatorError`. */
export async function writeErasures(tx: Tx, folder: string): Promise<void> {
  const file = join(folder, ERASURES_FILE);
  let held: HeldFolder | null = null;
  let opened: { handle: FileHandle; isNew: boolean } | null = null;
  try {
    held = holdFolder(folder);
    opened = await openToAdd(held, folder);
    const { handle, isNew } = opened;
    await addMissing(tx, handle, file);
    await handle.sync();
    if (isNew) held.sync();
  } catch (error) {
    throw toOperatorError(error, 'write', file);
  } finally {
    await opened?.handle.close();
    held?.close();
  }
}

/** Read and added to by one handle: the folder may be another user's, who could swap the file in between. */
async function openToAdd(held: HeldFolder, folder: string): Promise<{ handle: FileHandle; isNew: boolean }> {
  const path = held.pathOf(ERASURES_FILE);
  // Without any erasure, an empty file: that there is none says that erasures are not known.
  const made = await open(path, MAKE | constants.O_APPEND, FILE_MODE).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return null;
    },
  );
  const handle =
    made ??
    (await open(path, constants.O_RDWR | constants.O_APPEND | held.flags).catch((error: Error) => {
      throw held.flags !== 0 && isLink(error) ? refused(folder, ERASURES_FILE) : error;
    }));
  try {
    if (made) held.give(made.fd);
    else held.vet(handle.fd, ERASURES_FILE);
    return { handle, isNew: made !== null };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function addMissing(tx: Tx, handle: FileHandle, file: string): Promise<void> {
  const known = new Set<string>();
  let isCut = false;
  for await (const piece of piecesOf(handle, file)) {
    for (const each of piece.erasures) known.add(nameOf(each));
    isCut = piece.isCut;
  }
  let lines = isCut ? '\n' : '';
  for await (const each of knownErasures(tx)) {
    if (known.has(nameOf(each))) continue;
    lines += `${erasureLine(each)}\n`;
    if (lines.length < PIECE_BYTES) continue;
    await addWhole(handle, lines);
    lines = '';
  }
  await addWhole(handle, lines);
}

/** In one write: whatever else adds to the file does so before or after. */
async function addWhole(handle: FileHandle, lines: string): Promise<void> {
  if (lines === '') return;
  const { bytesWritten } = await handle.write(lines);
  if (bytesWritten !== lines.length)
    throw Object.assign(new Error('not all of it was written'), { code: 'ENOSPC', syscall: 'write' });
}

/** Tells an erasure apart from all others, in little memory. */
function nameOf({ askedAt, accountId, hash }: KnownErasure): string {
  return `${hash.slice(0, 32)}${askedAt.getTime().toString(36)} ${accountId ?? ''}`;
}

/** In the folder of each backup of this machine that is still there. Returns which could not be written. */
export async function spreadErasures(
  tx: Tx,
  dataDir: string,
): Promise<{ folders: number; failed: string[] }> {
  const folders = new Set<string>();
  for (const { machine, path } of await keptBackups(tx))
    if (machine === hostname() && !folders.has(dirname(path)) && (await isThere(path)))
      folders.add(dirname(path));
  // One may not be noted: its upgrade was killed before it could be.
  if ((await upgradeCopies(dataDir)).some(({ kind }) => kind === 'file')) folders.add(resolve(dataDir));
  const failed: string[] = [];
  for (const folder of folders)
    await writeErasures(tx, folder).catch((error: Error) => {
      if (!(error instanceof OperatorError)) throw error;
      failed.push(folder);
    });
  return { folders: folders.size, failed };
}

interface ErasuresPiece {
  readonly erasures: readonly KnownErasure[];
  /** So far the last line has no end. */
  readonly isCut: boolean;
}

/** Of one that was cut, and of the one that may have been added behind it. */
const LINE_MAX = 256;
const PART_OF_LINE = /^[0-9TZ:.a-f* -]*$/;

/** In pieces of a bounded size. Throws `OperatorError` where it cannot be read, or is something else. */
export async function* readErasures(file: string): AsyncGenerator<ErasuresPiece> {
  let handle: FileHandle | null = null;
  try {
    handle = await open(file);
    yield* piecesOf(handle, file);
  } catch (error) {
    throw toOperatorError(error, 'read', file);
  } finally {
    await handle?.close();
  }
}

async function* piecesOf(handle: FileHandle, file: string): AsyncGenerator<ErasuresPiece> {
  const piece = Buffer.alloc(PIECE_BYTES);
  let rest = '';
  let line = 1;
  for (let total = 0; ; ) {
    const { bytesRead } = await handle.read(piece);
    total += bytesRead;
    if (total > FILE_MAX_BYTES)
      throw new OperatorError(
        `${file} is larger than ${FILE_MAX_BYTES / 1024 / 1024} MB: it is no file of erasures.`,
      );
    const isEnd = bytesRead === 0;
    const lines = (rest + piece.toString('latin1', 0, bytesRead)).split('\n');
    // What follows the last line break is nothing, was cut, or goes on in the next piece.
    rest = lines.at(-1)!;
    if (!isEnd) lines.pop();
    const erasures: KnownErasure[] = [];
    for (const each of rest.length > LINE_MAX ? [...lines, rest] : lines) {
      const read = readErasureLine(each);
      if (read) erasures.push(read);
      else if (each.length > LINE_MAX || !PART_OF_LINE.test(each))
        throw new OperatorError(
          `${file} is no file of erasures: line ${line} is none that was written there.`,
        );
      line++;
    }
    yield { erasures, isCut: rest !== '' };
    if (isEnd) return;
  }
}

function toOperatorError(error: unknown, what: 'read' | 'write', file: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined ? error : new OperatorError(`Cannot ${what} ${file} (${code}).`);
}

export async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
