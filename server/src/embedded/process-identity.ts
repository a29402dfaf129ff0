// Distinguishes a process from a later one with the same ID.
// Promise: null means that the process is gone (or a zombie); never throws.

import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

const PS_LIMIT_MS = 2_000;

/** A text that no other process of this machine will ever have under the same pid, or null when it is gone. */
export function processIdentity(pid: number): string | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  return process.platform === 'linux' ? linuxIdentity(pid) : psColumn(pid, 'lstart');
}

function linuxIdentity(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name may hold spaces and brackets: fields count from the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const state = fields[0];
    if (state === 'Z' || state === 'X') return null;
    const startTicks = fields[19];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}:${startTicks}`;
  } catch {
    return null;
  }
}

function psColumn(pid: number, column: string): string | null {
  try {
    const run = spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], {
      encoding: 'utf8',
      timeout: PS_LIMIT_MS,
    });
    return run.stdout.trim() || null;
  } catch {
    return null;
  }
}

/** Is this process a PostgreSQL server working in that folder? A postmaster's working folder is its data folder. */
export function isPostgresOf(pid: number, realClusterDir: string): boolean {
  if (processIdentity(pid) === null) return false;
  if (process.platform !== 'linux') return (psColumn(pid, 'command') ?? '').includes(realClusterDir);
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '';
    return /(^|\/)postgres(:|$)/.test(command) && readlinkSync(`/proc/${pid}/cwd`) === realClusterDir;
  } catch {
    return false;
  }
}
