// The key that encrypts webhook secrets: the operator's, or one created in the data folder at the first start.
// Promise: created once, complete, readable only by the owner of the data folder; never logged.

import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FOR_OTHERS, keepPrivate } from '../embedded/held-folder.ts';
import { openDataDir } from '../embedded/place-cluster.ts';
import { readSecret, writeSecret } from '../embedded/write-secret.ts';
import type { Config } from './config.ts';

/** In the data folder. */
export const SECRET_KEY_FILE = 'secret-key';
const KEY_BYTES = 32;
const SHORT_LENGTH = 16;

export function loadSecretKey(config: Config, warn: (line: string) => void): string {
  if (config.secretKey !== null) {
    if (isShortKey(config.secretKey))
      warn('MXPROOF_SECRET_KEY is short: generate a stronger one with "openssl rand -hex 32"');
    return config.secretKey;
  }
  const dataDir = openDataDir(config.dataDir);
  const file = keyFileOf(dataDir);
  if (!existsSync(file)) {
    writeSecret(dataDir, file, randomBytes(KEY_BYTES).toString('hex'));
    if (config.databaseUrl !== null) {
      warn(
        `MXPROOF_SECRET_KEY is not set: generated a key in ${file}; every node on this database needs the same key`,
      );
    }
  }
  const key = readSecret(dataDir, SECRET_KEY_FILE);
  // Of the embedded store it is seen to by what starts it.
  if (config.databaseUrl !== null) keepPrivate(dataDir, FOR_OTHERS.dataFolder, warn);
  keepPrivate(file, FOR_OTHERS.secret, warn);
  return key;
}

/** Its path, if group or others may read it; null: they may not, or it is not in use. */
export function exposedKeyFile({ secretKey, dataDir }: Config): string | null {
  const file = keyFileOf(dataDir);
  if (secretKey !== null || !existsSync(file)) return null;
  return (statSync(file).mode & 0o077) === FOR_OTHERS.secret ? null : file;
}

/** Null: there is none yet. Makes nothing. */
export function findSecretKey({ secretKey, dataDir }: Config): string | null {
  if (secretKey !== null) return secretKey;
  return existsSync(keyFileOf(dataDir)) ? readSecret(dataDir, SECRET_KEY_FILE) : null;
}

/** Of a backup, for a store that nothing else has been sealed in. */
export function replaceKeyFile(config: Config, secretKey: string): void {
  const dataDir = openDataDir(config.dataDir);
  const file = keyFileOf(dataDir);
  rmSync(file, { force: true });
  writeSecret(dataDir, file, secretKey);
}

export function isShortKey(secretKey: string): boolean {
  return secretKey.length < SHORT_LENGTH;
}

function keyFileOf(dataDir: string): string {
  return join(dataDir, SECRET_KEY_FILE);
}
