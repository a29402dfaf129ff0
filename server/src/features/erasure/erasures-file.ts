// The file `erasures` beside backups: what a restore of one of them has to erase again.
// Promise: whole lines are added, so that processes that write it at the same time lose nothing; a line that a crash has cut is
// passed over, any other that cannot be read is one sentence, and such a file is never added to. A process reads it once, in pieces, and
// then only what others have added. It has no largest size: where most of its lines say nothing that later ones do not, it is
// replaced by one without them.
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type HeldFolder, holdFolder, isLink, MAKE, refused } from '../../embedded/held-folder.ts';
import { upgradeCopies } from '../../embedded/upgrade-copies.ts';
import { erasureLine, type KnownErasure, readErasureLine } from '../../rules/erased-hash.ts';
import { OperatorError } from '../../rules/operator-error.ts';
import { keptBackups } from '../../store/backups.ts';
import type { Database, Tx } from '../../store/database.ts';
import { addGiven, askedAfter, countGiven, latestGiven, notGiven, prepareGiven } from './stored-erasures.ts';

export const ERASURES_FILE = 'erasures';
const FILE_MODE = 0o600;
const PIECE_BYTES = 256 * 1024;
/** Smaller ones are not worth it. */
const COMPACT_FROM_BYTES = 1024 * 1024;
const COMPACT_FROM_FACTOR = 2;
const COMPACT_FILE = `${ERASURES_FILE}.new`;
/** As often as another process may replace the file meanwhile. */
const WRITE_TRIES = 3;
/** An erasure is stored at most so long after the time that it carries. */
const STORED_WITHIN_MS = 600_000;

/** What a process knows of files, by folder: it need not read again what it has read or written. */
export type SeenErasures = Map<
  string,
  {
    readonly ino: number;
    readonly size: number;
    readonly latest: Date;
    /** Of about the latest. */
    readonly names: ReadonlySet<string>;
  }
>;

/** Adds what the file in this folder does not have. Throws `OperatorError`. */
export async function writeErasures(
  db: Database,
  folder: string,
  seen: SeenErasures = new Map(),
): Promise<void> {
  const file = join(folder, ERASURES_FILE);
  let held: HeldFolder | null = null;
  try {
    held = holdFolder(folder);
    for (let tries = 0; tries < WRITE_TRIES; tries++) if (await writeOnce(db, held, folder, seen)) return;
    throw new OperatorError(`${file} was replaced again and again while it was written.`);
  } catch (error) {
    throw toOperatorError(error, 'write', file);
  } finally {
    held?.close();
  }
}

/** False: another process has replaced the file meanwhile. */
async function writeOnce(
  db: Database,
  held: HeldFolder,
  folder: string,
  seen: SeenErasures,
): Promise<boolean> {
  const { handle, isNew } = await openToAdd(held, folder, ERASURES_FILE);
  try {
    const file = join(folder, ERASURES_FILE);
    const before = await handle.stat();
    const known = seen.get(folder);
    const latest = new Date();
    const isSeen = known?.ino === before.ino && known.size <= before.size;
    if (isSeen) {
      const names = new Set(known.names);
      const isCut = await readInto(handle, file, known.size, async (each) => {
        for (const one of each) names.add(nameOf(one));
      });
      const asked = await askedAfter(db, new Date(known.latest.getTime() - STORED_WITHIN_MS));
      const isMissing = (each: KnownErasure) => !names.has(nameOf(each));
      await addLines(handle, [asked.filter(isMissing)], isCut);
    } else if (await db.transaction((tx) => addMissing(tx, held, handle, file))) return false;
    await handle.sync();
    if (isNew) held.sync();
    const { ino, size } = await handle.stat();
    const names = (await askedAfter(db, new Date(latest.getTime() - STORED_WITHIN_MS))).map(nameOf);
    seen.set(folder, { ino, size, latest, names: new Set(names) });
    return (await stat(held.pathOf(ERASURES_FILE))).ino === ino;
  } finally {
    await handle.close();
  }
}

/** Read and added to by one handle: the folder may be another user's, who could swap the file in between. */
export async function openToAdd(
  held: HeldFolder,
  folder: string,
  name: string,
): Promise<{ handle: FileHandle; isNew: boolean }> {
  const path = held.pathOf(name);
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
      throw held.flags !== 0 && isLink(error) ? refused(folder, name) : error;
    }));
  try {
    if (made) held.give(made.fd);
    else held.vet(handle.fd, name);
    return { handle, isNew: made !== null };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** What is known is joined in the database: the file may be larger than memory. True: it was replaced, and is to be read again. */
async function addMissing(tx: Tx, held: HeldFolder, handle: FileHandle, file: string): Promise<boolean> {
  await prepareGiven(tx);
  const isCut = await readInto(handle, file, 0, (each) => addGiven(tx, each));
  const { lines, latest } = await countGiven(tx);
  const { size } = await handle.stat();
  if (size >= COMPACT_FROM_BYTES && lines >= COMPACT_FROM_FACTOR * latest) {
    await replaceFile(tx, held, handle, size);
    return true;
  }
  await addLines(handle, notGiven(tx), isCut);
  return false;
}

/** What others add to the old file until it has lost its name is added to the new one; what they add later, they add again. */
async function replaceFile(tx: Tx, held: HeldFolder, old: FileHandle, readTo: number): Promise<void> {
  const path = held.pathOf(COMPACT_FILE);
  await rm(path, { force: true });
  const made = await open(path, MAKE | constants.O_APPEND, FILE_MODE);
  try {
    held.give(made.fd);
    await addLines(made, latestGiven(tx), false);
    await made.sync();
    await rename(path, held.pathOf(ERASURES_FILE));
    held.sync();
    await readInto(old, ERASURES_FILE, readTo, (each) => addLines(made, [each], false));
    await made.sync();
  } finally {
    await made.close();
  }
}

/** From a place on. True: its last line has no end. */
async function readInto(
  handle: FileHandle,
  file: string,
  from: number,
  take: (erasures: readonly KnownErasure[]) => Promise<void>,
): Promise<boolean> {
  let isCut = false;
  for await (const piece of piecesOf(handle, file, from)) {
    await take(piece.erasures);
    isCut = piece.isCut;
  }
  return isCut;
}

async function addLines(
  handle: FileHandle,
  pieces: AsyncIterable<readonly KnownErasure[]> | Iterable<readonly KnownErasure[]>,
  isCut: boolean,
): Promise<void> {
  if (isCut) await addWhole(handle, '\n');
  for await (const piece of pieces)
    await addWhole(handle, piece.map((each) => `${erasureLine(each)}\n`).join(''));
}

/** In one write: whatever else adds to the file does so before or after. */
export async function addWhole(handle: FileHandle, lines: string): Promise<void> {
  if (lines === '') return;
  const { bytesWritten } = await handle.write(lines);
  if (bytesWritten !== lines.length)
    throw Object.assign(new Error('not all of it was written'), { code: 'ENOSPC', syscall: 'write' });
}

/** Tells an erasure apart from all others, in little memory. */
function nameOf({ askedAt, accountId, hash }: KnownErasure): string {
  return `${hash.slice(0, 32)}${askedAt.getTime().toString(36)} ${accountId ?? ''}`;
}

/** Of each backup of this machine that is still there. */
export async function backupFolders(db: Tx, dataDir: string): Promise<ReadonlySet<string>> {
  const folders = new Set<string>();
  for (const { machine, path } of await keptBackups(db))
    if (machine === hostname() && !folders.has(dirname(path)) && (await isThere(path)))
      folders.add(dirname(path));
  // One may not be noted: its upgrade was killed before it could be.
  if ((await upgradeCopies(dataDir)).some(({ kind }) => kind === 'file')) folders.add(resolve(dataDir));
  return folders;
}

/** In all these folders. Returns which could not be written. */
export async function spreadErasures(
  db: Database,
  dataDir: string,
  seen?: SeenErasures,
): Promise<{ folders: number; failed: string[] }> {
  const folders = await backupFolders(db, dataDir);
  const failed: string[] = [];
  for (const folder of folders)
    await writeErasures(db, folder, seen).catch((error: Error) => {
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
    yield* piecesOf(handle, file, 0);
  } catch (error) {
    throw toOperatorError(error, 'read', file);
  } finally {
    await handle?.close();
  }
}

/** `from`: where a line begins, or one that was cut goes on. */
async function* piecesOf(handle: FileHandle, file: string, from: number): AsyncGenerator<ErasuresPiece> {
  const piece = Buffer.alloc(PIECE_BYTES);
  let rest = '';
  let line = 1;
  for (let at = from; ; ) {
    const { bytesRead } = await handle.read({ buffer: piece, position: at });
    at += bytesRead;
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

export function toOperatorError(error: unknown, what: 'read' | 'write', file: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined ? error : new OperatorError(`Cannot ${what} ${file} (${code}).`);
}

export async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
