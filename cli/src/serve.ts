// serve and work: the service's roles.

import { readConfig } from '@mxproof/server/config.ts';
import { type Roles, serve } from '@mxproof/server/main.ts';
import { readArguments } from './arguments.ts';

export async function serveCommand(args: readonly string[]): Promise<void> {
  const { flags } = readArguments(args, [], { 'no-checks': 'switch' });
  await run({ http: true, checks: !flags['no-checks'] });
}

export async function workCommand(args: readonly string[]): Promise<void> {
  readArguments(args, [], {});
  await run({ http: false, checks: true });
}

async function run(roles: Roles): Promise<void> {
  const status = await serve(readConfig(process.env), roles);
  // Everything is down; a handle that somebody forgot must not hold the process.
  process.exit(status);
}
