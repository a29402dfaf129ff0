// A Node process under test whose lines can be waited for.
// Promise: end() leaves nothing behind, however the test went.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** Reached only by a process that hangs: one that ends is noticed at once. */
const LINE_LIMIT_MS = 120_000;
const POLL_MS = 10;

export interface Child {
  readonly process: ChildProcess;
  readonly lines: string[];
  /** The first line, past or to come, that matches. */
  line(pattern: RegExp): Promise<string>;
  /** Exit status, or the signal's name. */
  readonly ended: Promise<number | NodeJS.Signals>;
  end(): Promise<void>;
}

export interface ChildOptions {
  /** A file descriptor instead of a pipe that is read: its lines are not seen. */
  readonly stdout?: number;
  /** What a shell does before it becomes Node, such as `ulimit -n 64`. */
  readonly shell?: string;
}

export function startNode(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  { stdout, shell = ':' }: ChildOptions = {},
): Child {
  const child = spawn('/bin/sh', ['-c', `${shell}; exec "$0" "$@"`, process.execPath, ...args], {
    stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
    env,
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  let isOver = false;
  ended.then(() => {
    isOver = true;
  });

  async function line(pattern: RegExp): Promise<string> {
    const deadline = performance.now() + LINE_LIMIT_MS;
    for (;;) {
      const found = lines.find((each) => pattern.test(each));
      if (found !== undefined) return found;
      if (isOver || performance.now() > deadline)
        throw new Error(`no line ${pattern} among:\n${lines.join('\n')}`);
      await sleep(POLL_MS);
    }
  }
  async function end(): Promise<void> {
    if (!isOver) child.kill('SIGKILL');
    await ended;
  }
  return { process: child, lines, line, ended, end };
}
