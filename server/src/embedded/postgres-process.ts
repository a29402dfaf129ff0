// One PostgreSQL server process: started or found, waited for, stopped.
// Promise: a process is only signalled after it was identified as the server of this cluster.
//
//   spawned ┐
//           ├─▶ recovering ─▶ ready ─▶ gone
//   found   ┘

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterPlace } from './place-cluster.ts';
import { isPostgresOf, processIdentity } from './process-identity.ts';
import { asUser } from './run-as.ts';

const GONE_POLL_MS = 250;
/** Together with what stops before it, the service must be gone within ten seconds. */
const FAST_STOP_LIMIT_MS = 3_500;
const IMMEDIATE_STOP_LIMIT_MS = 1_000;
const LAST_WORDS_MS = 250;
const MAX_SAID = 20;

/** What must hold whatever the cluster's own file says. */
const FORCED: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '',
  // Statements and details carry e-mail addresses.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_statement: 'none',
  log_checkpoints: 'off',
};

export interface PostgresProcess {
  readonly port: number;
  /** Settles when the process is gone. */
  readonly gone: Promise<void>;
  /** The last lines it wrote; empty for one that was found. */
  said(): readonly string[];
  stop(): Promise<void>;
  /** Ends it at once, without waiting: the next start replays its log. */
  abandon(): void;
}

interface PidFile {
  readonly pid: number;
  readonly port: number;
  readonly shmId: string;
  readonly ready: boolean;
}

export function readPidFile(clusterDir: string): PidFile | null {
  let lines: string[];
  try {
    lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  const shmId = lines[6]?.trim().split(/\s+/)[1] ?? '';
  return { pid, port: Number(lines[3]), shmId, ready: lines[7]?.trim() === 'ready' };
}

/** The server already at work on this cluster, such as an orphan of a service that was killed. */
export function findPostgres(clusterDir: string): PostgresProcess | null {
  const file = readPidFile(clusterDir);
  if (!file || !isPostgresOf(file.pid, clusterDir)) return null;
  const identity = processIdentity(file.pid);
  const gone = (async () => {
    while (processIdentity(file.pid) === identity) await sleep(GONE_POLL_MS, undefined, { ref: false });
  })();
  return {
    port: file.port,
    gone,
    said: () => [],
    stop: () => stopProcess(file.pid, identity, gone),
    abandon: () => void signal(file.pid, identity, 'SIGQUIT'),
  };
}

/**
 * PostgreSQL sees by itself that a dead process's file is stale, but not that its pid was reused by another process or
 * belongs to a zombie. The file is removed only if no process is attached to its shared memory either.
 */
export function removeStalePidFile(clusterDir: string): void {
  const file = readPidFile(clusterDir);
  if (!file || !numberIsTaken(file.pid) || isPostgresOf(file.pid, clusterDir)) return;
  let segments = '';
  try {
    segments = readFileSync('/proc/sysvipc/shm', 'utf8');
  } catch {
    // Not Linux: PostgreSQL's own check remains.
  }
  const row = segments.split('\n').find((line) => line.trim().split(/\s+/)[1] === file.shmId);
  const attached = Number(row?.trim().split(/\s+/)[6] ?? 0);
  if (attached === 0) rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
}

function numberIsTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export function spawnPostgres(
  place: ClusterPlace,
  bin: string,
  port: number,
  settings: Readonly<Record<string, string>>,
  say: (line: string) => void,
): PostgresProcess {
  const all = { ...settings, ...FORCED, port: String(port) };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Its own process group: Ctrl-C on the terminal is for the service, which stops PostgreSQL last.
  const child = spawn(join(bin, 'postgres'), ['-D', place.clusterDir, ...args], {
    ...asUser(place.runAs),
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { LC_ALL: 'C', PATH: process.env.PATH ?? '/usr/bin:/bin' },
  });
  const lines = keepLastLines(child, say);
  const gone = new Promise<void>((resolve) => {
    // Its last output may still be in the pipe, which its own children may keep open for longer.
    child.once('exit', () => setTimeout(resolve, LAST_WORDS_MS));
    child.once('close', () => resolve());
    child.once('error', (error) => {
      lines.push(error.message);
      resolve();
    });
  });
  const pid = child.pid;
  const identity = pid === undefined ? null : processIdentity(pid);
  const stop = () => (pid === undefined ? Promise.resolve() : stopProcess(pid, identity, gone));
  const abandon = () => void (pid !== undefined && signal(pid, identity, 'SIGQUIT'));
  return { port, gone, said: () => lines, stop, abandon };
}

function keepLastLines(child: ChildProcess, say: (line: string) => void): string[] {
  const lines: string[] = [];
  let rest = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = (parts.pop() ?? '').slice(-4_000);
    for (const line of parts) {
      lines.push(line);
      if (lines.length > MAX_SAID) lines.shift();
      say(line);
    }
  });
  return lines;
}

/** Fast first (clients are cut off, everything is written), then immediate (the next start replays the log). */
async function stopProcess(pid: number, identity: string | null, gone: Promise<void>): Promise<void> {
  const steps = [
    ['SIGINT', FAST_STOP_LIMIT_MS],
    ['SIGQUIT', IMMEDIATE_STOP_LIMIT_MS],
    ['SIGKILL', IMMEDIATE_STOP_LIMIT_MS],
  ] as const;
  for (const [name, limitMs] of steps) {
    if (!signal(pid, identity, name)) break;
    if (await within(gone, limitMs)) return;
  }
}

/** False: it is gone. Its ID may belong to another process by now, so that is checked first. */
function signal(pid: number, identity: string | null, name: NodeJS.Signals): boolean {
  if (identity === null || processIdentity(pid) !== identity) return false;
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

async function within(promise: Promise<void>, limitMs: number): Promise<boolean> {
  const abort = new AbortController();
  const late = sleep(limitMs, false, { signal: abort.signal }).catch(() => false);
  const inTime = await Promise.race([promise.then(() => true), late]);
  abort.abort();
  return inTime;
}
