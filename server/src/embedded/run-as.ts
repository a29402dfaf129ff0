// Decides which user runs PostgreSQL, which refuses root, and what that user can access.
// Promise: an ordinary user runs it as itself (null); root never does.

import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { OperatorError } from '../rules/operator-error.ts';

export interface ProcessUser {
  readonly uid: number;
  readonly gid: number;
}

const CHECK_LIMIT_MS = 5_000;

/** The owner of what is already there comes first: existing cluster, then the data folder, then a system user. */
export function chooseRunAs(existingCluster: string | null, dataDir: string): ProcessUser | null {
  if (process.getuid?.() !== 0) return null;
  for (const path of [existingCluster, dataDir]) {
    if (path === null) continue;
    const { uid, gid } = statSync(path);
    if (uid !== 0) return { uid, gid };
  }
  const found = systemUser('postgres') ?? systemUser('nobody');
  if (!found)
    throw new OperatorError(
      'PostgreSQL refuses to run as root and this machine has neither a user "postgres" nor "nobody": start MXProof as an ordinary user.',
    );
  return found;
}

function systemUser(name: string): ProcessUser | null {
  let passwd: string;
  try {
    passwd = readFileSync('/etc/passwd', 'utf8');
  } catch {
    return null;
  }
  for (const line of passwd.split('\n')) {
    const [user, , uid, gid] = line.split(':');
    if (user === name && Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  return null;
}

/**
 * Can this user walk through the folder? Asked of the kernel by a process of that user, since modes alone do not
 * tell (access lists, mounts).
 */
export function canWalk(runAs: ProcessUser | null, folder: string): boolean {
  const options = { ...asUser(runAs), cwd: '/', timeout: CHECK_LIMIT_MS, stdio: 'ignore' } as const;
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], options).status === 0;
}

/** Spawn options; libuv drops root's supplementary groups along with the uid. */
export function asUser(runAs: ProcessUser | null): { uid?: number; gid?: number } {
  return runAs === null ? {} : { uid: runAs.uid, gid: runAs.gid };
}
