// What is kept of an embedded store before a newer MXProof migrates it.
// Promise: no migration begins before the copy is whole and on the disk, unless the operator wants none; where it cannot be
// made, the start ends with one sentence and the store is as it was; old copies go only once the migration is done. Beside a
// backup are the files `erasures` and `revoked-keys`, as beside every other.
import { execFile } from 'node:child_process';
import { existsSync, rmSync, statSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { findCluster } from '../../embedded/place-cluster.ts';
import { asUser } from '../../embedded/run-as.ts';
import { upgradeCopies, upgradeCopyName } from '../../embedded/upgrade-copies.ts';
import { PASSWORD_FILE } from '../../embedded/write-secret.ts';
import { OperatorError } from '../../rules/operator-error.ts';
import type { Config } from '../../settings/config.ts';
import { SECRET_KEY_FILE } from '../../settings/secret-key.ts';
import { type MadeBackup, noteBackup, noteRemoved } from '../../store/backups.ts';
import type { Database, Tx } from '../../store/database.ts';
import { readVersions } from '../../store/migrate.ts';
import { writeErasures } from '../erasure/erasures-file.ts';
import { writeBackupFile } from './backup-to-file.ts';
import { writeRevokedKeys } from './revoked-keys.ts';

const run = promisify(execFile);
/** Before it no MXProof could restore a backup; 0.1 also had its jobs in another schema, which a backup does not hold. */
const FIRST_IN_BACKUPS = 22;
const KEPT = 3;
const TELL_EVERY_MS = 5_000;
const MEGABYTE = 1_000_000;
/** What a process that was killed while it wrote one has left. */
const PART = /^before-upgrade-[\d.]+-to-[\d.]+-\d{8}T\d{6}Z(?:\.backup\.[0-9a-f]{8})?\.part$/;

export type UpgradeLog = Pick<Logger, 'info' | 'warn'>;

interface Upgrade {
  readonly from: number;
  readonly to: number;
  /** `folder`: the data folder as it is, which the older MXProof opens. */
  readonly keep: 'file' | 'folder' | 'nothing';
}

/** Null: this start migrates nothing that was there before. */
async function findUpgrade(tx: Tx, config: Config): Promise<Upgrade | null> {
  const { database: from, ours: to } = await readVersions(tx);
  if (from === 0 || from >= to) return null;
  if (config.databaseUrl !== null || !config.upgradeBackup) return { from, to, keep: 'nothing' };
  return { from, to, keep: from < FIRST_IN_BACKUPS ? 'folder' : 'file' };
}

/** Whether the server must be stopped for `copyDataFolder` before the store is migrated. */
export async function needsFolderCopy(tx: Tx, config: Config): Promise<boolean> {
  return (await findUpgrade(tx, config))?.keep === 'folder';
}

/** Of a store whose server is stopped. */
export async function copyDataFolder({ dataDir }: Config, log: UpgradeLog): Promise<void> {
  const folder = join(dataDir, upgradeCopyName('0.1', '0.2'));
  const part = `${folder}.part`;
  log.info('the store is of MXProof 0.1: it is copied before it is migrated');
  // Not as root in another user's folder, where each name could become a link between two steps.
  const { uid, gid } = statSync(dataDir);
  const owner = process.getuid?.() === 0 && uid !== 0 ? asUser({ uid, gid }) : {};
  try {
    await run('mkdir', ['-m', '700', part], owner);
    const files = [findCluster(dataDir), join(dataDir, PASSWORD_FILE), join(dataDir, SECRET_KEY_FILE)];
    // Unlike Node's own, it keeps the owner, and shares blocks where the file system can.
    for (const file of files)
      if (file !== null && existsSync(file)) await run('cp', ['-a', file, part], owner);
    await run('sync');
    await rename(part, folder);
  } catch (error) {
    remove(part);
    const { stderr, message } = error as Error & { stderr?: string };
    throw notKept((stderr || message).trim().split('\n').at(-1)!);
  }
  log.info(
    `the store as it was is in ${folder}; the way back is to start MXProof 0.1 with MXPROOF_DATA_DIR=${folder}`,
  );
}

/** `isCopied`: by `copyDataFolder`. */
export async function keepAndMigrate(options: {
  readonly db: Database;
  readonly config: Config;
  readonly log: UpgradeLog;
  readonly isCopied?: boolean;
  readonly migrate: () => Promise<{ from: number; to: number }>;
}): Promise<{ from: number; to: number }> {
  const { db, config, log, migrate } = options;
  const upgrade = options.isCopied ? null : await findUpgrade(db, config);
  const made = upgrade === null ? null : await keep(upgrade, db, config, log);
  const migrated = await migrate();
  if (made !== null) {
    await noteBackup(db, made);
    // As beside every backup: without it a restore would say that erasures are not known.
    await writeErasures(db, config.dataDir);
    await writeRevokedKeys(db, config.dataDir);
  }
  if (made !== null || options.isCopied) await removeOld(db, config.dataDir);
  return migrated;
}

async function keep(
  { from, to, keep: how }: Upgrade,
  db: Database,
  config: Config,
  log: UpgradeLog,
): Promise<MadeBackup | null> {
  if (how === 'folder')
    throw new OperatorError(
      'This store is of MXProof 0.1: stop that, and start "mxproof serve" once, which copies the store and migrates it.',
    );
  if (how === 'nothing') {
    log.warn(
      `the database is migrated from version ${from} to ${to} without a backup by MXProof: the only way back is one of your own`,
    );
    return null;
  }
  log.info(`the store is backed up before it is migrated from version ${from} to ${to}`);
  const file = join(config.dataDir, `${upgradeCopyName(from, to)}.backup`);
  let toldAtMs = performance.now();
  try {
    const made = await writeBackupFile({
      db,
      config,
      file,
      actor: null,
      isFolderOwners: true,
      isForOlder: true,
      onProgress({ table, bytes }) {
        if (performance.now() - toldAtMs < TELL_EVERY_MS) return;
        toldAtMs = performance.now();
        log.info(`backing up ${table}, ${Math.round(bytes / MEGABYTE)} MB so far`);
      },
    });
    log.info(
      `the store as it was is in ${file}; the way back is "mxproof restore" with the MXProof from before, into a new MXPROOF_DATA_DIR`,
    );
    return made;
  } catch (error) {
    throw error instanceof OperatorError ? notKept(error.message) : error;
  }
}

function notKept(why: string): OperatorError {
  return new OperatorError(
    `The store cannot be backed up before the upgrade and is left as it was: ${why.replace(/\.$/, '')}; make room in MXPROOF_DATA_DIR, or set MXPROOF_UPGRADE_BACKUP=0 if you have a backup of your own.`,
  );
}

async function removeOld(db: Tx, dataDir: string): Promise<void> {
  const old = (await upgradeCopies(dataDir)).slice(KEPT).map(({ path }) => path);
  const parts = (await readdir(dataDir)).filter((name) => PART.test(name)).map((name) => join(dataDir, name));
  for (const path of [...old, ...parts]) {
    remove(path);
    await noteRemoved(db, hostname(), path);
  }
}

/** Not by `rm` of `node:fs/promises`: that one goes down by paths, where a folder may have become a link on the way. */
function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}
