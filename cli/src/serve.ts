// serve and work: the roles of the service.

import { readConfig } from '@mxproof/server/config';
import { type Roles, serve } from '@mxproof/server/serve';
import { serviceSettings } from './environment.ts';
import { prepareConsole } from './prepare-console.ts';

export async function serveCommand({ checks }: { readonly checks: boolean }): Promise<void> {
  await run({ http: true, checks });
}

export async function workCommand(): Promise<void> {
  await run({ http: false, checks: true });
}

async function run(roles: Roles): Promise<void> {
  const status = await serve(readConfig(serviceSettings()), roles, {
    consoleFolder: () => prepareConsole(),
  });
  // Everything is down: a handle left open must not keep the process alive.
  process.exit(status);
}
