// Where the cluster is or will be, and which user runs it.
// Promise: the user who runs PostgreSQL can access it, it has the major version we ship, and it belongs to one data
// folder only.

import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { OperatorError } from '../rules/operator-error.ts';
import { makeFolder } from './find-binaries.ts';
import { FOR_OTHERS, holdFolder, keepPrivate, readSmallFile } from './held-folder.ts';
import { canWalk, chooseRunAs, type ProcessUser } from './run-as.ts';

const POSTGRES_MAJOR = '18';
/** In the data folder: where the cluster is, if not there. */
const NOTE_FILE = 'postgres-is-in';

/** Where root puts what the demoted user must reach and cannot. Not the folder of the service that systemd runs. */
export const SHARED_HOME = '/var/lib/mxproof-shared';

export interface ClusterPlace {
  /** The folder that holds, or will hold, `postgres`. */
  readonly home: string;
  readonly clusterDir: string;
  readonly runAs: ProcessUser | null;
}

/** The data folder itself, made when missing; root opens it for the demoted user to walk through, no more. */
export function openDataDir(dataDir: string): string {
  try {
    mkdirSync(dirname(resolve(dataDir)), { recursive: true });
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (process.getuid?.() === 0) letWalkThrough(dataDir);
    return realpathSync(dataDir);
  } catch (error) {
    throw new OperatorError(`Cannot use the data folder ${dataDir}: ${(error as Error).message}.`);
  }
}

/** By its handle: what was looked at is what is changed. */
function letWalkThrough(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    const { mode } = fstatSync(fd);
    if ((mode & 0o001) === 0) fchmodSync(fd, (mode & 0o7777) | 0o001);
  } finally {
    closeSync(fd);
  }
}

/** Where the cluster is or is to be, and who runs it. `dataDir` is a real path. */
export function placeCluster(dataDir: string, say: (line: string) => void): ClusterPlace {
  const inside = join(dataDir, 'postgres');
  keepPrivate(dataDir, FOR_OTHERS.dataFolder, say);
  if (existsSync(inside)) {
    const runAs = chooseRunAs(inside, dataDir);
    refuseForeignOwner(inside);
    keepPrivate(inside, FOR_OTHERS.cluster, say);
    if (runAs && !canWalk(runAs, dataDir)) {
      throw new OperatorError(
        `The user ${runAs.uid} who owns the cluster ${inside} cannot access it: move the data folder to a place that user can access.`,
      );
    }
    return { home: dataDir, clusterDir: inside, runAs };
  }
  const noted = readNote(dataDir);
  const runAs = chooseRunAs(
    noted && existsSync(join(noted, 'postgres')) ? join(noted, 'postgres') : null,
    dataDir,
  );
  if (noted === null && (runAs === null || canWalk(runAs, dataDir))) {
    return { home: dataDir, clusterDir: inside, runAs };
  }
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const home = noted ?? join(SHARED_HOME, name);
  claimHome(home, dataDir);
  if (noted === null) writeNote(dataDir, home);
  say(`the user who runs PostgreSQL cannot access ${dataDir}: the database is in ${join(home, 'postgres')}`);
  return { home, clusterDir: join(home, 'postgres'), runAs };
}

/** Where the cluster of a data folder is; null: there is none yet. Makes nothing. */
export function findCluster(dataDir: string): string | null {
  const homes = [dataDir, readNote(dataDir)].filter((home) => home !== null);
  return homes.map((home) => join(home, 'postgres')).find((folder) => existsSync(folder)) ?? null;
}

/** Null: there is none. */
function readNote(dataDir: string): string | null {
  let noted: string;
  try {
    noted = readSmallFile(dataDir, NOTE_FILE).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  // Root makes folders and files there: not where the owner of the data folder has it do so.
  if (process.getuid?.() === 0 && statSync(dataDir).uid !== 0 && dirname(resolve(noted)) !== SHARED_HOME)
    throw new OperatorError(
      `${join(dataDir, NOTE_FILE)} names a folder outside of ${SHARED_HOME}, which root has not written: remove it, or run MXProof as the owner of the data folder.`,
    );
  return noted;
}

function writeNote(dataDir: string, home: string): void {
  const folder = holdFolder(dataDir);
  try {
    writeFileSync(folder.pathOf(NOTE_FILE), `${home}\n`, { mode: 0o644, flag: 'wx' });
  } finally {
    folder.close();
  }
}

function refuseForeignOwner(clusterDir: string): void {
  const { uid } = statSync(clusterDir);
  const ourUid = process.getuid?.();
  if (ourUid === 0 && uid === 0) {
    throw new OperatorError(
      `The cluster ${clusterDir} belongs to root, and PostgreSQL refuses to run as root: change its owner back to the user who ran it before.`,
    );
  }
  if (ourUid !== undefined && ourUid !== 0 && uid !== ourUid) {
    throw new OperatorError(
      `The data folder of ${clusterDir} belongs to another user (uid ${uid}): run MXProof as that user or as root, or choose another MXPROOF_DATA_DIR.`,
    );
  }
}

/** A data folder that was moved takes its cluster along; one that was copied must not share it. */
function claimHome(home: string, dataDir: string): void {
  const ownerFile = join(home, 'data-folder');
  makeFolder(home);
  if (existsSync(ownerFile)) {
    const owner = readFileSync(ownerFile, 'utf8').trim();
    if (owner !== dataDir && existsSync(join(owner, NOTE_FILE))) {
      throw new OperatorError(
        `The database in ${home} belongs to the data folder ${owner}, of which ${dataDir} is a copy: choose another MXPROOF_DATA_DIR.`,
      );
    }
    if (owner === dataDir) return;
  }
  writeFileSync(ownerFile, `${dataDir}\n`, { mode: 0o644 });
}

/** @returns whether there is a cluster; one of another major stops the start. */
export function hasCluster(clusterDir: string): boolean {
  if (!existsSync(clusterDir)) return false;
  let major: string;
  try {
    major = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim();
  } catch {
    throw new OperatorError(
      `${clusterDir} exists but is not a PostgreSQL cluster: move it, or choose another MXPROOF_DATA_DIR.`,
    );
  }
  if (major === POSTGRES_MAJOR) return true;
  throw new OperatorError(
    `The store in ${clusterDir} was created by PostgreSQL ${major} and this MXProof ships ${POSTGRES_MAJOR}: dump it with the MXProof that created it (pg_dump) and load it into a new MXPROOF_DATA_DIR, or choose another MXPROOF_DATA_DIR.`,
  );
}
