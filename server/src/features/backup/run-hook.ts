// MXPROOF_BACKUP_HOOK: the operator's program, run after each backup to carry it away.
// Promise: no shell reads the path; the program gets none of the service's secrets; it is ended, with what it started, after its time
// and when the service stops.
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../rules/operator-error.ts';

/** As cron and systemd give it. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const HOOK_LIMIT_HOURS = 3;
/** After SIGTERM, for what it has to tidy up. */
const TIDY_MS = 5_000;
/** Until its last words have arrived. */
const LAST_WORDS_MS = 500;
/** Of what it wrote to standard error, the end. */
const SAID_MAX_CHARACTERS = 2_000;

/** Throws `OperatorError`, and the signal's reason. */
export async function runHook(options: {
  readonly hook: string;
  readonly file: string;
  /** Where it failed: the end of what it wrote to standard error. */
  readonly say: (text: string) => void;
  readonly signal?: AbortSignal;
  /** For tests. */
  readonly limitMs?: number;
}): Promise<void> {
  const { hook, file, say, signal, limitMs = HOOK_LIMIT_HOURS * 3_600_000 } = options;
  signal?.throwIfAborted();
  // A process group of its own: it is ended as a whole.
  const child = spawn(hook, [file], {
    cwd: dirname(file),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH, HOME: homedir(), MXPROOF_BACKUP_FILE: file },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-SAID_MAX_CHARACTERS);
  });
  const ended = new Promise<string | null>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve(`could not be started (${error.code})`));
    const end = (code: number | null, by: string | null) =>
      resolve(code === 0 ? null : by ? `was ended by ${by}` : `ended with exit status ${code}`);
    child.once('close', end);
    // What it has started may keep the pipe open.
    child.once('exit', (code, by) => setTimeout(() => end(code, by), LAST_WORDS_MS));
  });
  const over = new AbortController();
  let isLate = false;
  const end = async () => {
    kill(child.pid, 'SIGTERM');
    await sleep(TIDY_MS, undefined, { signal: over.signal }).catch(() => {});
    kill(child.pid, 'SIGKILL');
  };
  const limit = setTimeout(() => {
    isLate = true;
    void end();
  }, limitMs);
  signal?.addEventListener('abort', end, { once: true });
  const failure = await ended;
  over.abort();
  clearTimeout(limit);
  signal?.removeEventListener('abort', end);
  child.stderr.destroy();
  signal?.throwIfAborted();
  if (failure === null && !isLate) return;
  if (said.trim() !== '') say(said.trim());
  const why = isLate ? `was not done after ${HOOK_LIMIT_HOURS} hours` : failure;
  throw new OperatorError(`${file} was made, and MXPROOF_BACKUP_HOOK ${why}.`);
}

function kill(pid: number | undefined, by: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, by);
  } catch {
    // It is gone.
  }
}
