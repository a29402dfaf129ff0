// The cluster's place, password and birth.
// Promise: a folder named `postgres` is always a whole cluster (it is made aside and renamed), on disk before it is
// used, of the PostgreSQL major we bring, and one data folder's alone.

import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StartRefused } from '../../start-refused.ts';
import { makeFolder } from './binaries.ts';
import { asUser, canWalk, chooseRunAs, type RunAs } from './run-as.ts';
import { giveToOwnerOf } from './service-lock.ts';

export const STORE_USER = 'mxproof';
const POSTGRES_MAJOR = '18';
const INITDB_LIMIT_MS = 60_000;
const PASSWORD_BYTES = 32;

/** Where root puts what the demoted user must reach and cannot. */
export const SHARED_HOME = '/var/lib/mxproof';

/** Written once into the cluster's own postgresql.conf, where an operator may change them. */
const TUNING: Readonly<Record<string, string>> = {
  max_connections: '100',
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  wal_compression: 'on',
  max_wal_size: '1GB',
  min_wal_size: '80MB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  // Short statements only: parallel workers would cost more than they bring and need a large /dev/shm.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  // No replicas: less to write.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

export interface ClusterPlace {
  /** The folder that holds, or will hold, `postgres`. */
  readonly home: string;
  readonly clusterDir: string;
  readonly runAs: RunAs | null;
}

/** The data folder itself, made when missing; root opens it for the demoted user to walk through, no more. */
export function openDataDir(dataDir: string): string {
  const isRoot = process.getuid?.() === 0;
  try {
    mkdirSync(dirname(resolve(dataDir)), { recursive: true });
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const mode = statSync(dataDir).mode & 0o7777;
    if (isRoot && (mode & 0o001) === 0) chmodSync(dataDir, mode | 0o001);
    return realpathSync(dataDir);
  } catch (error) {
    throw new StartRefused(`The data folder ${dataDir} cannot be used: ${(error as Error).message}.`);
  }
}

/** Where the cluster is or is to be, and who runs it. `dataDir` is a real path. */
export function placeCluster(dataDir: string, say: (line: string) => void): ClusterPlace {
  const inside = join(dataDir, 'postgres');
  const noteFile = join(dataDir, 'postgres-is-in');
  if (existsSync(inside)) {
    const runAs = chooseRunAs(inside, dataDir);
    refuseForeignOwner(inside);
    if (runAs && !canWalk(runAs, dataDir)) {
      throw new StartRefused(
        `The user ${runAs.uid} who owns the cluster ${inside} cannot reach it: move the data folder to a place it can walk to.`,
      );
    }
    return { home: dataDir, clusterDir: inside, runAs };
  }
  const noted = existsSync(noteFile) ? readFileSync(noteFile, 'utf8').trim() : null;
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
  writeFileSync(noteFile, `${home}\n`, { mode: 0o644 });
  say(`the user who runs PostgreSQL cannot reach ${dataDir}: the database is in ${join(home, 'postgres')}`);
  return { home, clusterDir: join(home, 'postgres'), runAs };
}

function refuseForeignOwner(clusterDir: string): void {
  const { uid } = statSync(clusterDir);
  const ourUid = process.getuid?.();
  if (ourUid === 0 && uid === 0) {
    throw new StartRefused(
      `The cluster ${clusterDir} belongs to root, as whom PostgreSQL refuses to run: give it to the user who ran it before.`,
    );
  }
  if (ourUid !== undefined && ourUid !== 0 && uid !== ourUid) {
    throw new StartRefused(
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
    if (owner !== dataDir && existsSync(join(owner, 'postgres-is-in'))) {
      throw new StartRefused(
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
    throw new StartRefused(
      `${clusterDir} is there but is no PostgreSQL cluster: choose another MXPROOF_DATA_DIR or move it away.`,
    );
  }
  if (major === POSTGRES_MAJOR) return true;
  throw new StartRefused(
    `The store in ${clusterDir} was made by PostgreSQL ${major} and this MXProof brings ${POSTGRES_MAJOR}: dump it with the MXProof that made it (pg_dump) and load it into a new MXPROOF_DATA_DIR, or choose another MXPROOF_DATA_DIR.`,
  );
}

/** The store's password, made at the first start. */
export function storePassword(dataDir: string): string {
  const file = join(dataDir, 'postgres-password');
  if (!existsSync(file)) writeSecret(dataDir, file, randomBytes(PASSWORD_BYTES).toString('hex'));
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new StartRefused(
      `${file} cannot be read (${(error as NodeJS.ErrnoException).code}): run this as the user who runs the service, or as root.`,
    );
  }
}

/** Whole or not at all, on disk, for the data folder's owner alone; the first of several writers wins. */
export function writeSecret(dataDir: string, file: string, secret: string): void {
  const aside = `${file}.${process.pid}-${randomBytes(6).toString('hex')}`;
  writeFileSync(aside, `${secret}\n`, { mode: 0o600, flush: true });
  giveToOwnerOf(dataDir, aside);
  try {
    linkSync(aside, file);
    syncFolder(dataDir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

export async function makeCluster(place: ClusterPlace, bin: string, password: string): Promise<void> {
  const { home, clusterDir, runAs } = place;
  // What a start that was killed left behind; the service lock says nobody is at work on it.
  for (const name of readdirSync(home)) {
    if (name.startsWith('postgres.new-')) rmSync(join(home, name), { recursive: true, force: true });
  }
  const aside = mkdtempSync(join(home, 'postgres.new-'));
  const passwordFile = join(aside, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (runAs) for (const path of [aside, passwordFile]) chownSync(path, runAs.uid, runAs.gid);
  const fresh = join(aside, 'cluster');
  const settings = Object.entries(TUNING).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  await run(join(bin, 'initdb'), runAs, [
    ...['-D', fresh, '-U', STORE_USER, '-E', 'UTF8', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-instructions'],
    ...settings,
  ]);
  renameSync(fresh, clusterDir);
  syncFolder(home);
  rmSync(aside, { recursive: true, force: true });
}

function run(program: string, runAs: RunAs | null, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { LC_ALL: 'C', PATH: process.env.PATH ?? '/usr/bin:/bin' };
    const child = spawn(program, args, {
      ...asUser(runAs),
      ...{ cwd: '/', env, timeout: INITDB_LIMIT_MS, stdio: ['ignore', 'ignore', 'pipe'] },
    });
    let said = '';
    child.stderr?.on('data', (bytes: Buffer) => {
      said = (said + bytes.toString('utf8')).slice(-2_000);
    });
    child.on('error', reject);
    child.on('close', (status) => {
      if (status === 0) return resolve();
      reject(
        new StartRefused(
          `The database could not be made: ${said.trim().split('\n').at(0) || `initdb ended with ${status}`}.`,
        ),
      );
    });
  });
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
