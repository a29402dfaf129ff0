// The key that encrypts webhook secrets: the operator's, or one created in the data folder at the first start.
// Promise: created once, complete, readable only by the owner of the data folder; never logged.

import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FOR_OTHERS, holdFolder, keepPrivate } from '../embedded/held-folder.ts';
import { openDataDir } from '../embedded/place-cluster.ts';
import { readSecret, writeSecret } from '../embedded/write-secret.ts';
import type { Config } from './config.ts';

/** In the data folder. */
export const SECRET_KEY_FILE = 'secret-key';
/** That of a rotation, until it is done. */
const NEXT_KEY_FILE = 'secret-key.next';
/** Keys before, by their fingerprints: backups made with them need them. */
const KEPT_KEY_FILE = /^secret-key\.[0-9a-f]{8}$/;
const MAX_KEPT_KEYS = 16;
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

/**
 * All that are there now, the one that is in use unless the store says otherwise first: during a rotation two, and those of rotations
 * before. Empty: there is none yet. Makes nothing.
 */
export function secretKeys(config: Config): string[] {
  const { secretKey, secretKeyNext, dataDir } = config;
  if (secretKey !== null) return secretKeyNext === null ? [secretKey] : [secretKey, secretKeyNext];
  const first = findSecretKey(config);
  if (first === null) return [];
  const kept = readdirSync(dataDir).filter((name) => KEPT_KEY_FILE.test(name));
  const names = [NEXT_KEY_FILE, ...kept.slice(0, MAX_KEPT_KEYS)].filter((name) =>
    existsSync(join(dataDir, name)),
  );
  return [...new Set([first, ...names.map((name) => readSecret(dataDir, name))])];
}

/** The key that a rotation leads to, made where the data folder has the key; null: the operator is to set it. */
export function nextSecretKey(config: Config): string | null {
  if (config.secretKey !== null) return config.secretKeyNext;
  const dataDir = openDataDir(config.dataDir);
  const file = join(dataDir, NEXT_KEY_FILE);
  if (!existsSync(file)) writeSecret(dataDir, file, randomBytes(KEY_BYTES).toString('hex'));
  return readSecret(dataDir, NEXT_KEY_FILE);
}

/** What is there of it already; null: nothing. Makes nothing. */
export function preparedSecretKey(config: Config): string | null {
  if (config.secretKey !== null) return config.secretKeyNext;
  return existsSync(join(config.dataDir, NEXT_KEY_FILE)) ? readSecret(config.dataDir, NEXT_KEY_FILE) : null;
}

/** The next key of the data folder takes the place of the one before, which is kept under its fingerprint. Safe to repeat. */
export function takeNextKeyFile({ dataDir }: Config, before: Buffer): void {
  const folder = holdFolder(openDataDir(dataDir));
  try {
    const next = folder.pathOf(NEXT_KEY_FILE);
    if (!existsSync(next)) return;
    const kept = folder.pathOf(keptKeyFile(before));
    if (!existsSync(kept)) linkSync(folder.pathOf(SECRET_KEY_FILE), kept);
    folder.sync();
    renameSync(next, folder.pathOf(SECRET_KEY_FILE));
    folder.sync();
  } finally {
    folder.close();
  }
}

/** In the data folder. */
export function keptKeyFile(fingerprint: Buffer): string {
  return `${SECRET_KEY_FILE}.${fingerprint.toString('hex', 0, 4)}`;
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
