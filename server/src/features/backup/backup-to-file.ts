// A backup under a name. Promise: under it there is a whole backup, on the disk, read back, for its owner's eyes only, encrypted where
// the operator wants that, or nothing new; an existing file is never replaced. Beside it, the file `erasures` has all addresses that were ever erased, and `revoked-keys`
// the API keys that were revoked, as hashes.
import { randomBytes } from 'node:crypto';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { type HeldFolder, holdFolder } from '../../embedded/held-folder.ts';
import type { Actor } from '../../rules/audit.ts';
import { OperatorError } from '../../rules/operator-error.ts';
import type { Config } from '../../settings/config.ts';
import { findSecretKey, loadSecretKey, secretKeys } from '../../settings/secret-key.ts';
import { writeAudit } from '../../store/audit.ts';
import { type MadeBackup, noteBackup } from '../../store/backups.ts';
import type { Database } from '../../store/database.ts';
import { readErasureKey, readPlainKey } from '../../store/erasure-key.ts';
import { createSecretBox, fingerprintOf, WrongSecretKey } from '../../store/secret-box.ts';
import { fingerprintInUse } from '../../store/webhook-secrets.ts';
import { writeErasures } from '../erasure/erasures-file.ts';
import { type BackupLock, createLock } from './age-file.ts';
import { BrokenBackup } from './backup-file.ts';
import { verifyBackup } from './restore-backup.ts';
import { writeRevokedKeys } from './revoked-keys.ts';
import { sealKey } from './sealed-key.ts';
import { type BackupProgress, writeBackup } from './write-backup.ts';

const FILE_MODE = 0o600;
const READ_BYTES = 1024 * 1024;

export interface BackupFileOptions {
  readonly db: Database;
  readonly config: Config;
  readonly file: string;
  /** Who has it made; null: the store may be of a version without an audit trail. */
  readonly actor: Actor | null;
  readonly isNightly?: boolean;
  /** It becomes the folder's owner's; otherwise it stays this process's user's. */
  readonly isFolderOwners?: boolean;
  /** It has to be read by the version before, which opens no encrypted ones. */
  readonly isForOlder?: boolean;
  readonly onProgress?: (progress: BackupProgress) => void;
  readonly signal?: AbortSignal;
}

export async function backupToFile(options: BackupFileOptions): Promise<MadeBackup> {
  const { db, config } = options;
  await sealErasureKey(db, config);
  const made = await writeBackupFile(options);
  await noteBackup(db, made);
  // Last: whatever erases an address from now on sees this backup, and adds to the file.
  await writeErasures(db, dirname(made.path));
  await writeRevokedKeys(db, dirname(made.path));
  return made;
}

/** Of a store of any version: one that is to be migrated may have nowhere to note it yet. */
export async function writeBackupFile(options: BackupFileOptions): Promise<MadeBackup> {
  const { db, config, actor, onProgress, signal } = options;
  const file = resolve(options.file);
  const lock = options.isForOlder ? null : await createLock(config);
  const key = lock || config.backupPassphrase ? await keyToKeep(db, config) : null;
  const { backupPassphrase } = config;
  const secretKey = key && backupPassphrase ? await sealKey(key, backupPassphrase) : null;
  const name = basename(file);
  const aside = `${name}.${randomBytes(4).toString('hex')}.part`;
  let folder: HeldFolder | null = null;
  try {
    folder = holdFolder(dirname(file));
    const handle = await open(folder.pathOf(aside), 'wx+', FILE_MODE);
    const { made, bytes } = await writeInto(handle, lock, signal, async (write) => {
      if (options.isFolderOwners) folder!.give(handle.fd);
      // Before anything is read out: it is in the backup as well.
      if (actor !== null) await writeAudit(db, actor, { action: 'store.backed_up', accountId: null });
      return writeBackup({
        db,
        secretKey,
        // Only where all of it is encrypted.
        ...(key && secretKey === null && { plainKey: key }),
        write,
        ...(onProgress && { onProgress }),
        ...(signal && { signal }),
      });
    });
    await giveName(folder.pathOf(aside), folder.pathOf(name));
    folder.sync();
    return {
      machine: hostname(),
      path: file,
      isNightly: options.isNightly ?? false,
      hasKey: key !== null,
      bytes,
      rows: made.rows,
      madeAt: made.madeAt,
    };
  } catch (error) {
    if (error instanceof BrokenBackup)
      throw new OperatorError(
        `${file} cannot be read back as it was written (it ${error.message}): look for faults of its disk.`,
      );
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new OperatorError(`${file} exists already: name another file, or remove it.`);
    throw syscall === undefined ? error : new OperatorError(`Cannot write ${file} (${code}).`);
  } finally {
    if (folder) await rm(folder.pathOf(aside), { force: true });
    folder?.close();
  }
}

/** The one that the store is sealed with: during a rotation, and after it until the settings follow, not the first. */
async function keyToKeep(db: Database, config: Config): Promise<string> {
  const first = loadSecretKey(config, () => {});
  const inUse = await fingerprintInUse(db);
  return secretKeys(config).find((key) => inUse && fingerprintOf(key).equals(inUse)) ?? first;
}

/** Fails where the name is taken, which a rename alone would not. */
async function giveName(aside: string, file: string): Promise<void> {
  try {
    await link(aside, file);
  } catch (error) {
    // FAT and many network shares have no links.
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await (await open(file, 'wx', FILE_MODE)).close();
    await rename(aside, file);
  }
}

/** Of a store that was migrated and never started. */
async function sealErasureKey(db: Database, config: Config): Promise<void> {
  if (findSecretKey(config) === null || !(await readPlainKey(db))) return;
  const box = createSecretBox(() => secretKeys(config));
  await db
    .transaction((tx) => readErasureKey(tx, box))
    .catch((error: Error) => {
      // A backup is worth more: the service will seal it with its own.
      if (!(error instanceof WrongSecretKey)) throw error;
    });
}

async function writeInto<T>(
  handle: FileHandle,
  lock: BackupLock | null,
  signal: AbortSignal | undefined,
  work: (write: (bytes: Uint8Array) => Promise<void>) => Promise<T>,
): Promise<{ made: T; bytes: number }> {
  try {
    let bytes = 0;
    const put = async (piece: Uint8Array) => {
      for (let at = 0; at < piece.length; ) at += (await handle.write(piece, at)).bytesWritten;
      bytes += piece.length;
    };
    const made = await (lock === null ? work(put) : lock.write(put, work));
    await handle.sync();
    const written = handle.createReadStream({
      start: 0,
      autoClose: false,
      highWaterMark: READ_BYTES,
      ...(signal && { signal }),
    });
    await verifyBackup(lock === null ? written : await lock.read(written));
    return { made, bytes };
  } finally {
    await handle.close();
  }
}
