// A backup's file, read for `mxproof restore` and `mxproof backup verify`. Promise: what is wrong with it is one sentence
// that names it; the store that is restored has the key that its secrets are sealed with, or the operator is told.
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { withDatabase } from '../command-store.ts';
import type { Config } from '../config.ts';
import { OperatorError } from '../operator-error.ts';
import { findSecretKey, replaceKeyFile } from '../secret-key.ts';
import { BrokenBackup } from '../store/backup/backup-file.ts';
import {
  type RestoredBackup,
  restoreBackup,
  type VerifiedBackup,
  verifyBackup,
} from '../store/backup/restore-backup.ts';
import type { BackupHeader } from '../store/backup/write-backup.ts';
import { createSecretBox } from '../store/secret-box.ts';
import { openKey } from './sealed-key.ts';

const PIECE_BYTES = 1024 * 1024;

export function verifyFile(file: string): Promise<VerifiedBackup> {
  return reading(file, verifyBackup);
}

export async function restoreFromFile(options: {
  readonly config: Config;
  readonly file: string;
  readonly warn: (line: string) => void;
  readonly onProgress?: (table: string) => void;
}): Promise<RestoredBackup> {
  const { config, file, warn, onProgress } = options;
  return reading(file, (source) =>
    withDatabase(config, warn, async (db) => {
      let key: string | null = null;
      return restoreBackup({
        db,
        source,
        ...(onProgress && { onProgress }),
        async onHeader(header) {
          key = await keyOf(header, config, warn);
        },
        // Before it is committed: a store without its key could not be restored again, since it is not empty then.
        async onRestored() {
          if (key !== null && config.secretKey === null) replaceKeyFile(config, key);
        },
      });
    }),
  );
}

/** Null: it is not known, and that was said where it matters. */
async function keyOf(
  { secretKey: sealed, keyFingerprint }: BackupHeader,
  config: Config,
  warn: (line: string) => void,
): Promise<string | null> {
  if (keyFingerprint === null) return null;
  const isRight = (key: string) => createSecretBox(key).fingerprint.toString('hex') === keyFingerprint;
  const { backupPassphrase, secretKey } = config;
  if (sealed !== null && backupPassphrase !== null) {
    const key = await openKey(sealed, backupPassphrase);
    if (secretKey !== null && !isRight(secretKey))
      throw new OperatorError(
        'MXPROOF_SECRET_KEY is not the key of this backup: unset it, and the one in the backup is used.',
      );
    return key;
  }
  const own = findSecretKey(config);
  if (own !== null && isRight(own)) return own;
  warn(
    sealed === null
      ? 'The backup has no secret key: set MXPROOF_SECRET_KEY to that of the service it was made of, or make new webhook secrets with "mxproof secret rotate-all".'
      : 'The secret key in the backup is sealed and MXPROOF_BACKUP_PASSPHRASE is not set: set MXPROOF_SECRET_KEY to that of the service it was made of, or make new webhook secrets with "mxproof secret rotate-all".',
  );
  return null;
}

async function reading<T>(path: string, work: (source: AsyncIterable<Buffer>) => Promise<T>): Promise<T> {
  const file = resolve(path);
  try {
    // Opened first: a stream that cannot be opened fails whenever it likes.
    const handle = await open(file);
    return await work(handle.createReadStream({ highWaterMark: PIECE_BYTES }));
  } catch (error) {
    if (error instanceof BrokenBackup) throw new OperatorError(`${file} ${error.message}.`);
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== undefined && /^E(NOENT|ACCES|ISDIR|PERM)$/.test(code ?? ''))
      throw new OperatorError(`Cannot read ${file} (${code}).`);
    throw error;
  }
}
