// The command as a user runs it: a process of its own, with what is typed or piped into it, on a terminal or not.
// Promise: the environment is only what the test gives; nothing of the machine's own login is read or changed.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const LAUNCHER = join(import.meta.dirname, '../bin/mxproof.mjs');

export interface CommandResult {
  readonly status: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand extends ChildProcess {
  /** What came so far. */
  readonly seen: { stdout: string; stderr: string };
  /** Resolves when standard output or error contains it; rejects when the process ends without. */
  saw(text: string): Promise<void>;
  readonly ran: Promise<CommandResult>;
}

export type Env = Readonly<Record<string, string>>;

export function startMxproof(args: readonly string[], env: Env): RunningCommand {
  return watched(spawn(process.execPath, [LAUNCHER, ...args], { env: { PATH: process.env.PATH, ...env } }));
}

export async function mxproof(args: readonly string[], env: Env, stdin = ''): Promise<CommandResult> {
  const running = startMxproof(args, env);
  running.stdin!.on('error', () => {}).end(stdin);
  return running.ran;
}

/** On a terminal of so many columns; what it shows is standard output. */
export function onTerminal(args: readonly string[], env: Env, columns = 100): RunningCommand {
  const words = [process.execPath, LAUNCHER, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const command = `stty cols ${columns}; exec ${words.join(' ')}`;
  const all = { PATH: process.env.PATH, TERM: 'xterm', SHELL: '/bin/sh', ...env };
  return watched(spawn('script', ['-qec', command, '/dev/null'], { env: all }));
}

function watched(child: ChildProcess): RunningCommand {
  const seen = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      seen[name] += text;
      child.emit('seen');
    });
  let isOver = false;
  const ran = once(child, 'close').then(([code, signal]) => {
    isOver = true;
    child.emit('seen');
    return { status: (code ?? signal) as number | NodeJS.Signals, ...seen };
  });
  const saw = async (text: string) => {
    while (!`${seen.stdout}\n${seen.stderr}`.includes(text)) {
      if (isOver) throw new Error(`ended without "${text}":\n${seen.stdout}\n${seen.stderr}`);
      await once(child, 'seen');
    }
  };
  return Object.assign(child, { seen, saw, ran });
}
