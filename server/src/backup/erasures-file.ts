// The file `erasures` beside backups: what a restore of one of them has to erase again.
// Promise: lines are only ever added, so that whatever writes it at the same time loses nothing; a line that a crash has cut
// is passed over, any other that is none is one sentence.
import { open, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import { erasureLine, type KnownErasure, readErasureLine } from '../rules/erased-hash.ts';
import { keptBackups } from '../store/backups.ts';
import type { Tx } from '../store/database.ts';
import { syncFolder } from '../store/embedded/write-secret.ts';
import { knownErasures } from '../store/erasures.ts';

export const ERASURES_FILE = 'erasures';
const FILE_MODE = 0o600;
/** Half a million erasures. A file that is larger was not written here. */
const FILE_MAX_BYTES = 64 * 1024 * 1024;

/** Adds what the file in this folder does not have. */
export async function writeErasures(tx: Tx, folder: string): Promise<void> {
  const file = join(folder, ERASURES_FILE);
  const before = await textOf(file);
  const known = new Set(before?.split('\n'));
  const lines: string[] = [];
  for await (const each of knownErasures(tx)) {
    const line = erasureLine(each);
    if (!known.has(line)) lines.push(line);
  }
  // Without any, an empty file: that there is none says that erasures are not known.
  if (before !== null && lines.length === 0) return;
  const handle = await open(file, 'a', FILE_MODE);
  try {
    const cut = before === null || before === '' || before.endsWith('\n') ? '' : '\n';
    await handle.appendFile(cut + lines.map((line) => `${line}\n`).join(''));
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (before === null) syncFolder(folder);
}

/** In the folder of each backup of this machine that is still there. Returns how many could not be written. */
export async function spreadErasures(tx: Tx): Promise<{ folders: number; failed: string[] }> {
  const folders = new Set<string>();
  for (const { machine, path } of await keptBackups(tx))
    if (machine === hostname() && !folders.has(dirname(path)) && (await isThere(path)))
      folders.add(dirname(path));
  const failed: string[] = [];
  for (const folder of folders)
    await writeErasures(tx, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.syscall === undefined) throw error;
      failed.push(folder);
    });
  return { folders: folders.size, failed };
}

/** Null: there is no such file. Throws `OperatorError` where it is something else. */
export async function readErasures(file: string): Promise<KnownErasure[] | null> {
  const text = await textOf(file);
  if (text === null) return null;
  const lines = text.split('\n');
  // What follows the last line break is nothing, or was cut.
  const last = lines.pop()!;
  const known: KnownErasure[] = [];
  for (const [index, line] of [...lines, ...(readErasureLine(last) ? [last] : [])].entries()) {
    const read = readErasureLine(line);
    if (read) known.push(read);
    // A cut line that another was written behind.
    else if (!/^[0-9TZ:.a-f* -]*$/.test(line))
      throw new OperatorError(
        `${file} is no file of erasures: line ${index + 1} is none that was written there.`,
      );
  }
  return known;
}

async function textOf(file: string): Promise<string | null> {
  try {
    const handle = await open(file);
    try {
      const { size } = await handle.stat();
      if (size > FILE_MAX_BYTES)
        throw new OperatorError(
          `${file} is larger than ${FILE_MAX_BYTES / 1024 / 1024} MB: it is no file of erasures.`,
        );
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
