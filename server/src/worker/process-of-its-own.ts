// A process that asks about one chunk at a time, as seen from its node, and what the two say to each other.
// Promise: bounded in memory, CPU time and silence; it ends with its node, however that ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AskOptions, LogEvent, Outcome, Question } from '@mxproof/engine';

const HEAP_MB = 256;
/** A chunk needs a few. It ends a process that computes without end after its node was killed, and so cannot end it. */
const CPU_SECONDS = 300;
const ALIVE_EVERY_MS = 1_000;
/** Counted in turns of the node's event loop: a machine that was suspended does not make the process silent. */
const SILENT_TURNS = 60;

export interface AloneQuestions {
  readonly questions: readonly Question[];
  readonly how: Pick<AskOptions, 'priority' | 'account' | 'lot' | 'askedBefore'>;
  readonly isTest: boolean;
}

export type ToAlone =
  | { readonly kind: 'settings'; readonly settings: unknown; readonly aliveEveryMs: number }
  | ({ readonly kind: 'ask' } & AloneQuestions)
  | { readonly kind: 'stop' };

export type FromAlone =
  | { readonly kind: 'ready' | 'alive' | 'done' }
  | { readonly kind: 'outcome'; readonly index: number; readonly outcome: Outcome }
  | { readonly kind: 'defect'; readonly message: string }
  | { readonly kind: 'log'; readonly level: LogEvent['level']; readonly line: string };

export class AloneProcess {
  readonly #child: ChildProcess;
  /** Resolves, with how it ended, once everything it had sent has been read. */
  readonly ended: Promise<string>;
  isReady = false;
  onMessage: (message: FromAlone) => void = () => {};

  constructor(options: {
    readonly program: URL;
    readonly settings: unknown;
    readonly aliveEveryMs?: number;
  }) {
    const { program, settings, aliveEveryMs = ALIVE_EVERY_MS } = options;
    const node = [process.execPath, ...process.execArgv, `--max-old-space-size=${HEAP_MB}`];
    this.#child = spawn(
      '/bin/sh',
      ['-c', `ulimit -t ${CPU_SECONDS}; exec "$0" "$@"`, ...node, fileURLToPath(program)],
      { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: 'advanced' },
    );
    let silentTurns = 0;
    const watching = setInterval(() => {
      if (++silentTurns > SILENT_TURNS) this.#child.kill('SIGKILL');
    }, aliveEveryMs);
    this.#child.on('message', (message: FromAlone) => {
      silentTurns = 0;
      if (message.kind === 'ready') this.isReady = true;
      this.onMessage(message);
    });
    this.ended = endOf(this.#child).finally(() => clearInterval(watching));
    this.tell({ kind: 'settings', settings, aliveEveryMs });
  }

  tell(message: ToAlone): void {
    // One that has died meanwhile is noticed by its end.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  end(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}

async function endOf(child: ChildProcess): Promise<string> {
  try {
    const [[status, signal]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
    return signal === null ? `exit status ${status}` : String(signal);
  } catch (error) {
    return (error as Error).message;
  }
}
