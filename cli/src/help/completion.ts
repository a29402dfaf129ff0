// completion bash|zsh|fish: a script that completes commands, options and their values, made from the table of commands.
// Promise: exactly what the table has is offered, except hidden options.

import type { CommandIo } from '../shared/command-io.ts';
import type { CommandSpec } from '../shared/command-spec.ts';
import { bashScript, fishScript, zshScript } from './completion-scripts.ts';
import { completionTable } from './completion-table.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export type Shell = keyof typeof SCRIPTS;

export function completion(
  shell: Shell,
  commands: Readonly<Record<string, readonly CommandSpec[]>>,
  io: CommandIo,
): void {
  io.stdout(SCRIPTS[shell](completionTable(commands)));
}
