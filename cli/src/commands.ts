// Every command of `mxproof`, by the heading it has in `mxproof help`.
// Promise: a command's module is loaded when it is called, so that help needs neither the engine nor a database driver.

import { OWN_ACCOUNT } from './account/commands.ts';
import { CHECKING } from './check/commands.ts';
import { CLEANING } from './clean/commands.ts';
import type { Shell } from './help/completion.ts';
import { LISTENING } from './listen/commands.ts';
import { LISTS } from './lists/commands.ts';
import { ACCOUNTS } from './operate/account-commands.ts';
import { OPERATORS } from './operate/admin-commands.ts';
import { CALLBACKS, CREDITS_AND_KEYS, MAINTAINING, SOURCES } from './operate/commands.ts';
import { EVALUATING, REPORTING } from './outcomes/commands.ts';
import { RUNNING } from './run/commands.ts';
import type { CommandSpec } from './shared/command-spec.ts';
import { readChoice } from './shared/values.ts';
import { SYSTEMD } from './systemd/commands.ts';
import { WEBHOOKS } from './webhooks/commands.ts';

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish'];

const HELP: readonly CommandSpec[] = [
  {
    name: 'completion',
    about: 'Print a completion script for your shell',
    details: 'For a command called "mxproof": npm install --global, or an alias',
    arguments: [
      {
        name: '<shell>',
        about: SHELLS.join(', '),
        choices: SHELLS,
        read: (value) => readChoice('<shell>', value, SHELLS),
      },
    ],
    examples: ['npx mxproof completion bash >> ~/.bashrc'],
    load: async (io) => {
      const { completion } = await import('./help/completion.ts');
      return async (shell: Shell) => completion(shell, COMMANDS, io);
    },
  },
];

export const COMMANDS: Readonly<Record<string, readonly CommandSpec[]>> = {
  'Checking addresses': [...CHECKING, ...EVALUATING],
  'Your lists (with an API key)': [...CLEANING, ...LISTS, ...REPORTING, ...LISTENING],
  'Your account (with an API key)': [...OWN_ACCOUNT, ...WEBHOOKS],
  'Running the service': [...RUNNING, ...SYSTEMD, ...MAINTAINING],
  'Source addresses (operator)': SOURCES,
  'Operators and what they did (operator)': OPERATORS,
  'Accounts, keys and credits (operator)': [...ACCOUNTS, ...CREDITS_AND_KEYS],
  'Callbacks of all accounts (operator)': CALLBACKS,
  Help: HELP,
};
