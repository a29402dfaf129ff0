// Creates the cluster.
// Promise: a folder named `postgres` is always a complete cluster: it is created under another name, synced to disk and
// renamed.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { OperatorError } from '../rules/operator-error.ts';
import { type HeldFolder, holdFolder, MAKE } from './held-folder.ts';
import type { ClusterPlace } from './place-cluster.ts';
import { asUser, type ProcessUser } from './run-as.ts';

export const STORE_USER = 'mxproof';
const INITDB_LIMIT_MS = 60_000;

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

export async function makeCluster(place: ClusterPlace, bin: string, password: string): Promise<void> {
  const folder = holdFolder(place.home);
  try {
    await makeClusterIn(folder, place, bin, password);
  } finally {
    folder.close();
  }
}

async function makeClusterIn(
  folder: HeldFolder,
  { home, clusterDir, runAs }: ClusterPlace,
  bin: string,
  password: string,
): Promise<void> {
  // Remains of a start that was killed; the service lock shows that they are not in use.
  for (const name of readdirSync(home)) {
    if (name.startsWith('postgres.new-')) rmSync(folder.pathOf(name), { recursive: true, force: true });
  }
  const name = `postgres.new-${randomBytes(6).toString('hex')}`;
  const aside = folder.makeFolder(name, 0o700, runAs ?? undefined);
  try {
    const passwordFile = openSync(aside.pathOf('password'), MAKE, 0o600);
    writeFileSync(passwordFile, `${password}\n`);
    if (runAs) aside.give(passwordFile, runAs);
    closeSync(passwordFile);
    const settings = Object.entries(TUNING).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    await run(join(bin, 'initdb'), runAs, [
      ...['-D', join(home, name, 'cluster'), '-U', STORE_USER, '-E', 'UTF8', '-A', 'scram-sha-256'],
      `--pwfile=${join(home, name, 'password')}`,
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-instructions'],
      ...settings,
    ]);
    renameSync(aside.pathOf('cluster'), folder.pathOf(basename(clusterDir)));
  } finally {
    aside.close();
  }
  folder.sync();
  rmSync(folder.pathOf(name), { recursive: true, force: true });
}

function run(program: string, runAs: ProcessUser | null, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { LC_ALL: 'C', PATH: process.env.PATH ?? '/usr/bin:/bin' };
    const child = spawn(program, args, {
      ...asUser(runAs),
      cwd: '/',
      env,
      timeout: INITDB_LIMIT_MS,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr?.on('data', (bytes: Buffer) => {
      said = (said + bytes.toString('utf8')).slice(-2_000);
    });
    child.on('error', reject);
    child.on('close', (status) => {
      if (status === 0) return resolve();
      reject(
        new OperatorError(
          `Cannot create the database: ${said.trim().split('\n').at(0) || `initdb exited with ${status}`}.`,
        ),
      );
    });
  });
}
