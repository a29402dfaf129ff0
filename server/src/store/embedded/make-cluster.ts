// Creates the cluster.
// Promise: a folder named `postgres` is always a complete cluster: it is created under another name, synced to disk and
// renamed.

import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../../operator-error.ts';
import type { ClusterPlace } from './place-cluster.ts';
import { asUser, type ProcessUser } from './run-as.ts';
import { syncFolder } from './write-secret.ts';

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
  const { home, clusterDir, runAs } = place;
  // Remains of a start that was killed; the service lock shows that they are not in use.
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
