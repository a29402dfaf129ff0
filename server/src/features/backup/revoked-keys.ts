// The file `revoked-keys` beside backups: which API keys a restore of one of them has to revoke again.
// Promise: whole lines are added, within seconds of a revocation and with each backup; a file that is something else is never added
// to. It has SHA-256 hashes of keys that are worth nothing any more.
//
//   2026-11-17T21:04:05.678Z 5891b5b5…      when it was revoked, the hash that the store has of it
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type HeldFolder, holdFolder } from '../../embedded/held-folder.ts';
import { OperatorError } from '../../rules/operator-error.ts';
import type { Database, Tx } from '../../store/database.ts';
import { createIsolation } from '../../worker/isolate.ts';
import { type Loop, startLoop } from '../../worker/loop.ts';
import { addWhole, backupFolders, openToAdd, toOperatorError } from '../erasure/erasures-file.ts';
import { latestRevocation, type RevokedKey, revokedKeys } from './stored-revoked-keys.ts';

const FILE = 'revoked-keys';
const FILE_MAX_BYTES = 16 * 1024 * 1024;
const LOOK_MS = 10_000;
const LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([0-9a-f]{64})$/;
const PART_OF_LINE = /^[0-9TZ:.a-f -]{0,256}$/;

/** Adds what the file in this folder does not have. Throws `OperatorError`. */
export async function writeRevokedKeys(db: Tx, folder: string): Promise<void> {
  const file = join(folder, FILE);
  let held: HeldFolder | null = null;
  try {
    held = holdFolder(folder);
    const { handle, isNew } = await openToAdd(held, folder, FILE);
    try {
      const { keys, isCut } = await readAll(handle, file);
      const known = new Set(keys.map(({ hash }) => hash));
      const missing = (await revokedKeys(db)).filter(({ hash }) => !known.has(hash));
      const lines = missing.map(({ revokedAt, hash }) => `${revokedAt.toISOString()} ${hash}\n`).join('');
      if (lines !== '') await addWhole(handle, isCut ? `\n${lines}` : lines);
      await handle.sync();
      if (isNew) held.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw toOperatorError(error, 'write', file);
  } finally {
    held?.close();
  }
}

/** Null: there is no such file in the folder. Throws `OperatorError`. */
export async function readRevokedKeys(folder: string): Promise<readonly RevokedKey[] | null> {
  const file = join(folder, FILE);
  let handle: FileHandle | null = null;
  try {
    handle = await open(file);
    return (await readAll(handle, file)).keys;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw toOperatorError(error, 'read', file);
  } finally {
    await handle?.close();
  }
}

/** A line that was cut is passed over. */
async function readAll(handle: FileHandle, file: string): Promise<{ keys: RevokedKey[]; isCut: boolean }> {
  if ((await handle.stat()).size > FILE_MAX_BYTES)
    throw new OperatorError(`${file} is larger than ${FILE_MAX_BYTES / 1024 / 1024} MB: remove it.`);
  const lines = (await handle.readFile('latin1')).split('\n');
  const keys = lines.flatMap((line) => {
    const [, at, hash] = LINE.exec(line) ?? [];
    if (at !== undefined && !Number.isNaN(Date.parse(at))) return [{ revokedAt: new Date(at), hash: hash! }];
    if (PART_OF_LINE.test(line)) return [];
    throw new OperatorError(`${file} is no file of revoked keys: it has a line that was not written there.`);
  });
  return { keys, isCut: lines.at(-1) !== '' };
}

/** Keeps the files beside the backups of this machine up to date: keys are revoked on any node, and by commands. */
export function startRevokedKeys(options: {
  readonly db: Database;
  readonly dataDir: string;
  readonly log: Logger;
  readonly lookMs?: number;
}): Loop {
  const { db, dataDir, log } = options;
  const name = 'revoked keys';
  const folders = createIsolation<string>({ name, log });
  let written = '';
  return startLoop({
    name,
    everyMs: options.lookMs ?? LOOK_MS,
    log,
    async run() {
      const latest = await latestRevocation(db);
      if (latest === written) return;
      for (const folder of await backupFolders(db, dataDir))
        await folders.run(folder, () => writeRevokedKeys(db, folder));
      if (folders.resting().length === 0) written = latest;
    },
  });
}
