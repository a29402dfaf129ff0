// Every command of `mxproof`, by the heading it has in `mxproof help`.
// Promise: a command's module is loaded when it is called, so that help needs neither the engine nor a database driver.

import { CHECKING } from './checking-commands.ts';
import type { CommandSpec } from './command-spec.ts';
import { ACCOUNTS, ALL_LISTS, RUNNING } from './operator-commands.ts';
import { LISTS, OWN_ACCOUNT } from './service-commands.ts';

export const COMMANDS: Readonly<Record<string, readonly CommandSpec[]>> = {
  Checking: CHECKING,
  'Lists, at a service': LISTS,
  'Your account, at a service': OWN_ACCOUNT,
  'Running the service': RUNNING,
  'Operating: accounts': ACCOUNTS,
  'Operating: lists and callbacks': ALL_LISTS,
};
